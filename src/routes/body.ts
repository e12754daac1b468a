/** Reads a body up to a limit, counted while it streams: a stated length may lie, and chunked bodies state none (C43, W11). */

/** The body as it is; null if it is larger than `maxBytes`. What is too large is not read to its end. */
export async function bodyBytes(
  message: { readonly body: ReadableStream | null },
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (message.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = message.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** The body as text; null if it is larger than `maxBytes` or not UTF-8. */
export async function bodyText(message: { readonly body: ReadableStream | null }, maxBytes: number): Promise<string | null> {
  const bytes = await bodyBytes(message, maxBytes);
  return bytes === null ? null : textOf(bytes);
}

/** null = not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
