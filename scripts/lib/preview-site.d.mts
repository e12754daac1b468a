/** Types of preview-site.mjs, for its tests. */
export interface PreviewCode {
  readonly KINDS: readonly string[];
}
export interface ReadRoom {
  readonly room: string;
  readonly logo: { readonly name: string } | null;
}
interface Shown {
  readonly lang: string;
  readonly theme: "auto" | "light" | "dark";
}
export function loadPreview(root: string): Promise<PreviewCode>;
export function readRoom(
  code: PreviewCode,
  given: { config: string; room?: string; settings?: string; template?: string; logo?: string },
): Promise<ReadRoom>;
export function stateReply(
  root: string,
  code: PreviewCode,
  read: ReadRoom,
  shown: Shown & { state: string; now: number },
): Promise<Response>;
export function indexPage(code: PreviewCode, read: ReadRoom, shown: Shown & { width: string }): string;
