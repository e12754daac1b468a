/**
 * Files of the waiting page that the operator uploads: the logo and the template. Their names say everything that the edge needs to know of
 * them: what they are, how large, and the hash of what is in them, so that a name never means anything else. Pure.
 */
import type { LookSettings, RoomSettings } from "./settings-types";

export const LOGO_MAX_BYTES = 102_400;
/** As at Cloudflare. */
export const TEMPLATE_MAX_BYTES = 1_048_576;
/** Longest side of a logo, pixels. */
export const LOGO_MAX_PX = 4_096;

export type PageFileKind = "logo" | "template";

export const LOGO_TYPES = { png: "image/png", jpg: "image/jpeg", webp: "image/webp", svg: "image/svg+xml" } as const;
export type LogoType = keyof typeof LOGO_TYPES;

export interface LogoFile {
  readonly width: number;
  readonly height: number;
  readonly type: LogoType;
}

const LOGO = /^logo-([1-9]\d{0,3})x([1-9]\d{0,3})\.[0-9a-f]{24}\.(png|jpg|webp|svg)$/;
const TEMPLATE = /^template\.[0-9a-f]{24}\.html$/;

/** What a name says; null = it is no logo's. */
export function readLogoName(name: string): LogoFile | null {
  const [, width, height, type] = LOGO.exec(name) ?? [];
  return type === undefined ? null : { width: Number(width), height: Number(height), type: type as LogoType };
}

export function isTemplateName(name: string): boolean {
  return TEMPLATE.test(name);
}

/** @param hash SHA-256 of the file, hex */
export function logoName({ width, height, type }: LogoFile, hash: string): string {
  return `logo-${width}x${height}.${hash.slice(0, 24)}.${type}`;
}

export function templateName(hash: string): string {
  return `template.${hash.slice(0, 24)}.html`;
}

/** Is it a file that the room shows, now or during one of its events? */
export function namesFile({ look, events }: Pick<RoomSettings, "look" | "events">, name: string): boolean {
  return [look, ...events.map(({ overrides }) => overrides.look)].some((each) => each?.logo === name || each?.template === name);
}

/** Path of a logo under the room's own endpoints. @param api prefix of those */
export function logoPath(api: string, name: string): string {
  return `${api}/files/${name}`;
}

/** The box that logos fit into, CSS pixels. */
const SHOWN_PX = { width: 256, height: 64 };

/** The logo as pages show it; the size is that of its place on the page, which is there before the picture is. */
export interface ShownLogo {
  readonly src: string;
  readonly width: number;
  readonly height: number;
  /** "" = it stands beside the title; else in its place. */
  readonly alt: string;
}

/** @param api prefix of the room's endpoints */
export function logoOf({ logo, logoAlt }: Pick<LookSettings, "logo" | "logoAlt">, api: string): ShownLogo | null {
  const file = logo === null ? null : readLogoName(logo);
  if (logo === null || file === null) return null;
  const fit = Math.min(SHOWN_PX.width / file.width, SHOWN_PX.height / file.height);
  // Drawings fill the box; photographs are not blown up.
  const scale = file.type === "svg" ? fit : Math.min(1, fit);
  const px = (side: number) => Math.max(1, Math.round(side * scale));
  return { src: logoPath(api, logo), width: px(file.width), height: px(file.height), alt: logoAlt };
}
