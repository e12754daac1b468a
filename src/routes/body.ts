/** Reads a body up to a limit, counted while it streams: a stated length may lie, and chunked bodies state none (C43, W11). */

/** The body as text; null if it is larger than `maxBytes` or not UTF-8. What is too large is not read to its end. */
export async function bodyText(message: { readonly body: ReadableStream | null }, maxBytes: number): Promise<string | null> {
  if (message.body === null) return "";
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
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
