/**
 * Forwarding Workers (`proxy-worker.ts`) in one workerd, each with its own configuration and socket. Node 22 only.
 */
import { build } from "esbuild";
import { root } from "./bundle";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "./miniflare";
import type { ProxyConfig } from "./proxy-worker";

export interface ProxyRig<Name extends string> {
  /** Where each Worker listens. */
  readonly urls: Readonly<Record<Name, URL>>;
  stop(): Promise<void>;
}

export interface RigWorker extends ProxyConfig {
  /** Zone route: `host:port` of the server that every outgoing request reaches, whatever host it names. */
  readonly zone?: string;
}

export async function startProxies<Name extends string>(workers: Readonly<Record<Name, RigWorker>>): Promise<ProxyRig<Name>> {
  const built = await build({ entryPoints: [`${root}test/support/proxy-worker.ts`], bundle: true, format: "esm", write: false });
  const script = built.outputFiles[0]?.text ?? "";
  const named = Object.entries(workers) as [Name, RigWorker][];
  const zones = [...new Set(named.flatMap(([, { zone }]) => zone ?? []))];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.ERROR),
      workers: [
        ...named.map(([name, { zone, ...config }]) => ({
          ...module("proxy-worker.js", script),
          name,
          bindings: { CONFIG: config },
          ...(zone === undefined ? {} : { outboundService: zoneName(zone) }),
          unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
        })),
        ...zones.map((zone) => ({
          ...module("zone.js", "export default { fetch: (request, env) => env.SITE.fetch(request) }"),
          name: zoneName(zone),
          serviceBindings: { SITE: { external: { address: zone, http: {} } } },
        })),
      ],
    } as never),
  );
  await miniflare.ready;
  const urls = await Promise.all(named.map(async ([name]) => [name, await miniflare.unsafeGetDirectURL(name)] as const));
  return { urls: Object.fromEntries(urls) as Record<Name, URL>, stop: () => miniflare.dispose() };
}

/** Plays the zone's DNS: whatever host a request names, it goes to one address, Host unchanged. */
const zoneName = (zone: string) => `zone-${zone.replace(/\W/g, "-")}`;

const module = (path: string, contents: string) => ({
  modules: [{ type: "ESModule" as const, path, contents }],
  compatibilityDate: "2026-11-01",
});
