/** A site that costs next to nothing: the same reply to every request, on a bare socket in a process of its own. Loopback only. */
import { fork } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(import.meta.url);
const BODY = "<!doctype html><title>shop</title><p>in stock\n";
const REPLY = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: private, no-store\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
);

/** @returns { url, cpuMs, stop }; `cpuMs()` resolves with what its process has used of the processors, ms */
export async function startSite() {
  const child = fork(file);
  const answer = () => new Promise((resolve) => child.once("message", resolve));
  const { port } = await answer();
  return {
    url: `http://127.0.0.1:${port}`,
    cpuMs() {
      child.send("cpu");
      return answer();
    },
    stop: () => child.kill(),
  };
}

if (process.argv[1] === file) {
  const server = createServer((socket) => {
    let held = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      // Requests have no body here: each ends with its head.
      const heads = (held + chunk.toString("latin1")).split("\r\n\r\n");
      held = heads.pop();
      for (const _ of heads) socket.write(REPLY);
    });
  });
  server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send((user + system) / 1_000);
  });
  process.on("disconnect", () => process.exit());
}
