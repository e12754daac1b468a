/** Images by their own bytes. */
import { describe, expect, test } from "vitest";
import { readImage, readLogo } from "../../src/core/image-size";
import { isTemplateName, LOGO_MAX_PX, logoName, logoOf, readLogoName, templateName } from "../../src/core/page-files";

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? [...part].map((letter) => letter.charCodeAt(0)) : [...part])));
const zeros = (n: number) => new Array<number>(n).fill(0);

const PNG = bytes([0x89], "PNG\r\n", [0x1a, 0x0a], [0, 0, 0, 13], "IHDR", [0, 0, 1, 0x2c, 0, 0, 0, 100], zeros(8));
/** With a table of its own number range and padding in front of the frame header. */
const JPEG = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc4, 0, 3, 9, 0xff, 0xff, 0xc2, 0, 17, 8, 0, 50, 1, 0x90], zeros(12));
const VP8X = bytes("RIFF", zeros(4), "WEBP", "VP8X", zeros(8), [0x3f, 1, 0, 0x77, 0, 0], zeros(4));
const VP8 = bytes("RIFF", zeros(4), "WEBP", "VP8 ", zeros(10), [0x40, 0x41, 0x78, 0x40], zeros(4));
const VP8L = bytes("RIFF", zeros(4), "WEBP", "VP8L", zeros(4), [0x2f, 0x3f, 0xc1, 0x1d, 0x00], zeros(8));

describe("the size of an image", () => {
  test("[LOOK-3] PNG, JPEG, and the three kinds of WebP, from their heads", () => {
    expect(readImage(PNG)).toEqual({ type: "png", width: 300, height: 100 });
    expect(readImage(JPEG)).toEqual({ type: "jpg", width: 400, height: 50 });
    expect(readImage(VP8X)).toEqual({ type: "webp", width: 320, height: 120 });
    expect(readImage(VP8)).toEqual({ type: "webp", width: 320, height: 120 });
    expect(readImage(VP8L)).toEqual({ type: "webp", width: 320, height: 120 });
  });

  test("[LOOK-3] SVG by its width and height, else by its view box", () => {
    const svg = (text: string) => readImage(new TextEncoder().encode(text));
    expect(svg('<?xml version="1.0"?>\n<!-- <svg width="1" height="1"> -->\n<svg xmlns="x" width="120px" height="40.4"></svg>')).toEqual({
      type: "svg",
      width: 120,
      height: 40,
    });
    expect(svg('\ufeff<svg viewBox="0 0 24 12" width="100%"></svg>')).toEqual({ type: "svg", width: 24, height: 12 });
    // One side alone follows the drawing's own proportions; a drawing has no pixels that could be too many, or parts of one.
    expect(svg('<svg viewBox="0 0 24 12" width="100"></svg>')).toEqual({ type: "svg", width: 100, height: 50 });
    expect(svg('<svg viewBox="0 0 24 12" height="30px"></svg>')).toEqual({ type: "svg", width: 60, height: 30 });
    expect(svg('<svg viewBox="0 0 16384 4096"></svg>')).toEqual({ type: "svg", width: 4_096, height: 1_024 });
    for (const text of [
      "<svg></svg>",
      '<svg width="2" height="2">',
      "<html><svg width='2' height='2'></svg>",
      '<!DOCTYPE svg [<!ENTITY a "b">]><svg width="2" height="2"></svg>',
    ])
      expect(svg(text)).toBeNull();
  });

  test("[LOOK-3] whatever is cut off or something else is no image, and never an error", () => {
    for (const whole of [PNG, JPEG, VP8X, VP8, VP8L]) for (let n = 0; n < 24; n++) readImage(whole.subarray(0, n));
    expect(readImage(PNG.subarray(0, 20))).toBeNull();
    expect(readImage(JPEG.subarray(0, 12))).toBeNull();
    expect(readImage(bytes("GIF89a", zeros(30)))).toBeNull();
    expect(readImage(bytes("<!doctype html><script>alert(1)</script>"))).toBeNull();
    expect(readImage(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0, 0xff, 0xe0]))).toBeNull();
  });
});

test("[LOOK-3] a logo has 1 to 4,096 pixels a side; what is wrong is said", () => {
  const png = (width: number) => PNG.map((byte, i) => (i === 18 ? width >> 8 : i === 19 ? width & 255 : byte));
  expect(readLogo(png(4_096))).toEqual({ type: "png", width: 4_096, height: 100 });
  expect(readLogo(png(4_097))).toBe("is 4097 × 100 pixels, but may have 1 to 4096 on a side");
  expect(readLogo(png(0))).toBe("is 0 × 100 pixels, but may have 1 to 4096 on a side");
  expect(readLogo(bytes("GIF89a", zeros(30)))).toContain("must be a PNG, JPEG, WebP or SVG file");
});

describe("names", () => {
  const HASH = "0123456789abcdef".repeat(4);

  test("[LOOK-3] say what is in the file, and nothing else is one", () => {
    const name = logoName({ type: "png", width: 300, height: LOGO_MAX_PX }, HASH);
    expect(name).toBe("logo-300x4096.0123456789abcdef01234567.png");
    expect(readLogoName(name)).toEqual({ type: "png", width: 300, height: 4_096 });
    expect(isTemplateName(templateName(HASH))).toBe(true);
    for (const text of [
      "",
      "logo.png",
      `${name}/..`,
      name.replace("300", "0"),
      name.toUpperCase(),
      templateName(HASH),
      `../${name}`,
      `${name}\n`,
    ])
      expect(readLogoName(text)).toBeNull();
  });

  test("[LOOK-3] a logo's place on the page fits its box, and photographs are not blown up", () => {
    const shown = (width: number, height: number, type: "png" | "svg") => {
      const logo = logoOf({ logo: logoName({ width, height, type }, HASH), logoAlt: "" }, "/api");
      return [logo?.width, logo?.height];
    };
    expect(shown(512, 128, "png")).toEqual([256, 64]);
    expect(shown(100, 1_000, "png")).toEqual([6, 64]);
    expect(shown(30, 20, "png")).toEqual([30, 20]);
    expect(shown(24, 12, "svg")).toEqual([128, 64]);
    expect(shown(4_096, 1, "png")).toEqual([256, 1]);
    expect(logoOf({ logo: null, logoAlt: "" }, "/api")).toBeNull();
  });
});
