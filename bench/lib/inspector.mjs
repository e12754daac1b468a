/** What V8's inspector tells of a Worker's isolate, by the DevTools protocol. Node 22: its own WebSocket. */

/** @param url `ws://127.0.0.1:port/…` */
export async function openInspector(url) {
  const socket = new WebSocket(url);
  const waiting = new Map();
  let last = 0;
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error(`the inspector at ${url} does not answer`)), { once: true });
  });
  socket.addEventListener("message", ({ data }) => {
    const { id, result, error } = JSON.parse(data);
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(`the inspector: ${error.message}`));
  });
  socket.addEventListener("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("the inspector has gone"));
  });
  const ask = (method, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return {
    /** JavaScript's objects and the bytes of typed arrays, when the garbage is gone. */
    async heapBytes() {
      // A snapshot collects the garbage first; workerd leaves `collectGarbage` unanswered. Twice: what typed arrays held goes after them.
      for (let times = 0; times < 2; times += 1) await ask("HeapProfiler.takeHeapSnapshot");
      const { usedSize, backingStorageSize } = await ask("Runtime.getHeapUsage");
      return usedSize + backingStorageSize;
    },
    close: () => socket.close(),
  };
}
