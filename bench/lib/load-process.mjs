/** Autocannon in a process of its own: one order comes as a message, one result goes back. Knows nothing of Vestibule. */
import autocannon from "autocannon";

process.once("message", async (wanted) => {
  const found = await fire(wanted).catch((error) => ({ error: error.stack ?? String(error) }));
  process.send(found, () => process.exit(0));
});

async function fire({ url, connections, seconds, amount, requests, source, expect }) {
  const made = source && (await (await import(source.file)).default(source.options));
  let dealt = 0;
  let firstAt = null;
  let lastAt = 0;
  const result = await autocannon({
    url,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    timeout: 60,
    ...(made && { requests: [{ setupRequest: made.next, ...(made.onResponse && { onResponse: made.onResponse }) }] }),
    setupClient(client) {
      // Autocannon's own duration has the making of thousands of connections in it, and is in whole seconds where an amount is asked for.
      client.on("response", () => {
        lastAt = performance.now();
        firstAt ??= lastAt;
      });
      if (made) return;
      // Each connection goes round a part of its own, so that none asks for one visitor more often than another.
      const own = requests.filter((_, i) => i % connections === dealt % connections);
      client.setRequests(own.length > 0 ? own : [requests[dealt % requests.length]]);
      dealt += 1;
    },
  });
  const statuses = Object.entries(result.statusCodeStats).map(([status, { count }]) => `${count} × ${status}`);
  const count = result.statusCodeStats[expect]?.count ?? 0;
  const other = result.requests.total - count;
  if (count === 0 || other > 0 || result.errors > 0)
    throw new Error(`expected nothing but ${expect}, and got ${statuses.join(", ") || "nothing"}, ${result.errors} errors`);
  const lasted = (lastAt - firstAt) / 1_000;
  return {
    count,
    seconds: lasted,
    rate: (count - 1) / lasted,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    collected: made?.collected?.() ?? null,
  };
}
