/** A site that costs next to nothing: the same reply to every request, on a bare socket. A process of `startServer`; loopback only. */
import { createServer } from "node:net";

const BODY = "<!doctype html><title>shop</title><p>in stock\n";
const REPLY = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: private, no-store\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
);

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
process.on("disconnect", () => process.exit());
