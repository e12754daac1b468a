/**
 * Real applications from the registry, each started as a process of its own on a free port with fresh data. Node 22 only.
 * Knows nothing of Vestibule.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { send } from "../support/http";

export type AppName = "tiddlywiki" | "hads" | "droppy";
export const appNames: readonly AppName[] = ["tiddlywiki", "hads", "droppy"];

export interface App {
  readonly name: AppName;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly port: number;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

interface Recipe {
  /** Data it starts with: path → content. */
  readonly files: Readonly<Record<string, string | Buffer>>;
  /** Arguments to Node; paths in `dir` are the data's. */
  args(dir: string, port: number): string[];
}

const here = fileURLToPath(new URL(".", import.meta.url));
const inside = (path: string) => join(here, "node_modules", path);

export const PASSWORD = "correct horse";

/** Eight seconds of a quiet tone: a browser asks for it piece by piece. */
function tone(): Buffer {
  const samples = 8 * 44_100;
  const head = Buffer.from("RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0....\x88\x58\x01\0\x02\0\x10\0data....", "latin1");
  const wav = Buffer.concat([head, Buffer.alloc(2 * samples)]);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt32LE(44_100, 24);
  wav.writeUInt32LE(2 * samples, 40);
  for (let i = 0; i < samples; i++) wav.writeInt16LE(Math.round(2_000 * Math.sin(i / 16)), 44 + 2 * i);
  return wav;
}

/** The smallest PNG there is, near enough. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

const recipes: Readonly<Record<AppName, Recipe>> = {
  /** A notebook in one page of two megabytes, which saves by PUT and DELETE; writing wants HTTP Basic. */
  tiddlywiki: {
    files: {
      "tiddlywiki.info": JSON.stringify({
        plugins: ["tiddlywiki/tiddlyweb", "tiddlywiki/filesystem"],
        themes: ["tiddlywiki/vanilla", "tiddlywiki/snowwhite"],
      }),
      "files/a file.txt": "a file\n".repeat(1_000),
    },
    args: (dir, port) => [
      inside("tiddlywiki/tiddlywiki.js"),
      dir,
      ..."--listen host=127.0.0.1 readers=(anon) writers=alice username=alice gzip=yes use-browser-cache=yes".split(" "),
      `password=${PASSWORD}`,
      `port=${port}`,
    ],
  },
  /** A wiki of Markdown files: pages made on the server, forms, uploads of images, files with ranges. */
  hads: {
    files: {
      "readme.md": "# Garden\n\n![pixel](/images/pixel.png)\n\nSee [the roses](roses) and [the café](/caf%C3%A9.md).\n",
      "roses.md": "# Roses\n\n| name | colour |\n|---|---|\n| Peace | yellow |\n",
      "café.md": "# Café\n",
      "images/pixel.png": PIXEL,
    },
    args: (dir, port) => [inside("hads/bin/hads"), dir, "--host", "127.0.0.1", "--port", String(port)],
  },
  /** A file store: log-in by cookie, uploads, downloads with ranges, zip archives made on the way, a WebSocket for everything else. */
  droppy: {
    files: {
      "config/config.json": "{}",
      "files/hello.txt": "hello\n",
      "files/tone.wav": tone(),
      // A folder that is shared as an archive has one file: droppy stores several in the order in which it happens to find them.
      "files/folder/shared/one.txt": "one\n".repeat(50_000),
      "files/folder/zwei ü.txt": "zwei\n",
    },
    args: (dir, port) => [join(here, "start-droppy.cjs"), join(dir, "config"), join(dir, "files"), String(port)],
  },
};

/** Starts the application and waits until it answers. Rejects with what it printed when it ends or stays silent. */
export async function startApp(name: AppName): Promise<App> {
  const dir = await mkdtemp(join(tmpdir(), `vestibule-${name}-`));
  const recipe = recipes[name];
  for (const [path, content] of Object.entries(recipe.files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
    // Times show in validators, lists and archives.
    for (const dated of [path, dirname(path)]) await utimes(join(dir, dated), 1_767_225_600, 1_767_225_600);
  }
  const port = await freePort();
  const child = spawn(process.execPath, recipe.args(dir, port), {
    cwd: dir,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const stop = async () => {
    await ended(child);
    await rm(dir, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + 60_000; !(await answers(url)); ) {
    if (Date.now() > deadline || child.exitCode !== null) {
      await stop();
      throw new Error(`${name} did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { name, url, port, stop };
}

/** droppy answers 503 while it starts. */
async function answers(url: string): Promise<boolean> {
  const reply = await send(`${url}/favicon.ico`).catch(() => null);
  await reply?.arrayBuffer();
  return reply !== null && reply.status < 500;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.on("close", () => resolve());
    child.kill("SIGKILL");
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
