/**
 * Starts droppy as a module, as its README shows for use inside other servers. It is from 2018: a request said `close` only when it was
 * cut off then, and under today's Node an upload would be taken for one that was. Nothing else of it is touched.
 */
const { createServer } = require("node:http");

const [configdir, filesdir, port] = process.argv.slice(2);
const { onRequest, setupWebSocket } = require("droppy")({ configdir, filesdir });
const server = createServer((request, response) => {
  const on = request.on.bind(request);
  request.on = (event, listener) => on(event === "close" ? "aborted" : event, listener);
  onRequest(request, response);
});
setupWebSocket(server);
server.listen(Number(port), "127.0.0.1");
