/**
 * `npm run doctor`: what stands in the way of a sale. Reads wrangler.toml and, if one is given, asks a deployed address; changes nothing.
 * Exit code: 0 = no problem (warnings and notes may be), 1 = problems, 2 = called wrongly.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { environment, installIfNeeded, node22, root } from "./setup.mjs";

const usage = `npm run doctor [-- [URL] [options]]: looks for what would spoil a sale, and changes nothing
  URL                   of a page with a room, as visitors open it: https://shop.example.com/checkout. At most 12 requests, to that host only
  --secrets-file FILE   your own copy of the deployment's secrets, JSON or NAME=value (without it: .dev.vars, for this computer)
  --list-secrets        ask Cloudflare by wrangler which secrets the deployment has (their names)
  --json                the findings as JSON
With ADMIN_TOKEN in the environment or in that file, what holds live is compared with the file.`;

const options = readOptions();
installIfNeeded();
// Only now: these import installed packages.
const [{ examine }, { loadReaders }, { loadSource }] = [
  await import("./lib/doctor-run.mjs"),
  await import("./lib/deploy-config.mjs"),
  await import("./lib/load-source.mjs"),
];
try {
  const more = await Promise.all(["src/core/room-table.ts", "src/core/canonical-url.ts"].map((file) => loadSource(root, file)));
  const readers = Object.assign({}, await loadReaders(root), ...more);
  const findings = await examine(options, { root, readers, fetch, now: Date.now, listSecrets });
  const problems = findings.filter(({ severity }) => severity === "problem").length;
  console.log(options.json ? JSON.stringify({ url: options.url, ok: problems === 0, findings }, null, 2) : textOf(findings, problems));
  process.exitCode = problems === 0 ? 0 : 1;
} catch (error) {
  console.error(`Not examined: ${error.message}`);
  process.exitCode = 2;
}

function textOf(findings, problems) {
  const lines = findings.map(({ severity, what, why, fix }) => `${severity}: ${what}\n  ${why}\n  → ${fix}\n`);
  const others = findings.length - problems;
  return [...lines, `${problems} ${problems === 1 ? "problem" : "problems"}, ${others} other ${others === 1 ? "remark" : "remarks"}.`].join(
    "\n",
  );
}

/** Names only; Cloudflare gives no value back. */
function listSecrets() {
  const args = ["node_modules/wrangler/bin/wrangler.js", "secret", "list", "--format", "json"];
  const { status, stdout, stderr } = spawnSync(node22(), args, { cwd: root, env: environment(), encoding: "utf8", timeout: 60_000 });
  if (status !== 0) throw new Error(`wrangler could not list the secrets: ${stderr.trim().split("\n")[0]}`);
  return JSON.parse(stdout).map(({ name }) => name);
}

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        "secrets-file": { type: "string" },
        "list-secrets": { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean" },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    if (positionals.length > 1) throw new Error(`one address at a time, not ${positionals.join(" and ")}`);
    const [url] = positionals;
    if (url !== undefined && !/^https?:\/\//i.test(url)) throw new Error(`${url} must be an address with https://`);
    if (url !== undefined && !URL.canParse(url)) throw new Error(`${url} is no address`);
    const parsed = url === undefined ? null : new URL(url);
    if (parsed !== null && (parsed.username !== "" || parsed.password !== ""))
      throw new Error("the address must not hold a user name or password");
    if (parsed !== null) parsed.hash = "";
    return {
      url: parsed?.href ?? null,
      secretsFile: values["secrets-file"] ?? null,
      listSecrets: values["list-secrets"],
      json: values.json,
      adminToken: process.env["ADMIN_TOKEN"] ?? null,
    };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}
