/**
 * What an image is and how large, from its own bytes: what a browser will make of it, whatever a header said. Pure. Reads heads only, so a
 * file that is broken further down passes; it then shows nothing, and runs nothing.
 * Sources: PNG (W3C), 5.2 and 11.2.2; JPEG (ITU-T T.81), B.2.2; WebP container and lossless bitstream (RFC 9649), 2.5 to 2.7 and 3.4; SVG 2, 8.2.
 */
import { LOGO_MAX_PX, type LogoFile } from "./page-files";

/** null = none of the kinds that are taken, or it does not say how large it is. */
export function readImage(bytes: Uint8Array): LogoFile | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return png(bytes, view) ?? jpeg(bytes, view) ?? webp(bytes, view) ?? svg(bytes);
}

/** What is wrong with a logo, as a phrase that reads after its name; else what it is. */
export function readLogo(bytes: Uint8Array): LogoFile | string {
  const image = readImage(bytes);
  if (image === null) return "must be a PNG, JPEG, WebP or SVG file that says how large it is";
  const { width, height } = image;
  const fits = Math.min(width, height) >= 1 && Math.max(width, height) <= LOGO_MAX_PX;
  return fits ? image : `is ${width} × ${height} pixels, but may have 1 to ${LOGO_MAX_PX} on a side`;
}

function at(bytes: Uint8Array, offset: number, text: string): boolean {
  return [...text].every((letter, i) => bytes[offset + i] === letter.charCodeAt(0));
}

function png(bytes: Uint8Array, view: DataView): LogoFile | null {
  if (bytes.length < 24 || !at(bytes, 0, "\x89PNG\r\n\x1a\n") || !at(bytes, 12, "IHDR")) return null;
  return { type: "png", width: view.getUint32(16), height: view.getUint32(20) };
}

/** Frame headers: all kinds of coding, without the tables that share their range of numbers. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function jpeg(bytes: Uint8Array, view: DataView): LogoFile | null {
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let offset = 2; offset + 9 <= bytes.length; ) {
    const marker = bytes[offset + 1] ?? 0;
    if (bytes[offset] !== 0xff) return null;
    // Padding in front of a marker.
    if (marker === 0xff) offset += 1;
    else if (isFrame(marker)) return { type: "jpg", height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) };
    else offset += 2 + view.getUint16(offset + 2);
  }
  return null;
}

function webp(bytes: Uint8Array, view: DataView): LogoFile | null {
  if (bytes.length < 30 || !at(bytes, 0, "RIFF") || !at(bytes, 8, "WEBP")) return null;
  const u24 = (offset: number) => view.getUint16(offset, true) + ((bytes[offset + 2] ?? 0) << 16);
  if (at(bytes, 12, "VP8X")) return { type: "webp", width: u24(24) + 1, height: u24(27) + 1 };
  if (at(bytes, 12, "VP8 ")) return { type: "webp", width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (!at(bytes, 12, "VP8L")) return null;
  const bits = view.getUint32(21, true);
  return { type: "webp", width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** How much of an SVG may stand in front of its size, characters. */
const SVG_HEAD = 16_384;

function svg(bytes: Uint8Array): LogoFile | null {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
  const head = text.slice(0, SVG_HEAD).replace(/<!--[\s\S]*?-->/g, "");
  const tag = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>[]*>\s*)?<svg\b([^>]*)>/i.exec(head)?.[1];
  if (tag === undefined || !text.includes("</svg>")) return null;
  const attributes = new Map([...tag.matchAll(/\s([\w:-]+)\s*=\s*["']([^"']*)["']/g)].map(([, name = "", value = ""]) => [name, value]));
  const pixels = (given: string | undefined) => (/^\s*\d+(?:\.\d+)?(?:px)?\s*$/.test(given ?? "") ? Number.parseFloat(given ?? "") : null);
  const [, , boxWidth = 0, boxHeight = 0] =
    attributes
      .get("viewBox")
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const [wide, high] = [pixels(attributes.get("width")), pixels(attributes.get("height"))];
  const ratio = boxWidth > 0 && boxHeight > 0 ? boxWidth / boxHeight : null;
  // One of them alone: the other follows from the view box.
  const width = wide ?? (high === null || ratio === null ? boxWidth : high * ratio);
  const height = high ?? (wide === null || ratio === null ? boxHeight : wide / ratio);
  // It has no pixels: too many of them are only a way to write it.
  const scale = Math.min(1, LOGO_MAX_PX / Math.max(width, height));
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
  return across > 0 && down > 0 ? { type: "svg", width: across, height: down } : null;
}
