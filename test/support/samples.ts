/**
 * The samples of docs/integrate.md, taken from the page and run, each in its own language: requests and passes in, what it thinks of them out.
 * Node only.
 */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./bundle";

/** A request as the site sees it; `host` as visitors write it, names of headers in lower case. */
export interface Shown {
  readonly method: string;
  readonly host: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Keys {
  readonly requests: string;
  readonly passes: string;
}

export interface Question {
  readonly shown?: readonly Shown[];
  readonly passes?: readonly (readonly [pass: string, room: string])[];
  readonly keys: Keys;
}

export interface Answer {
  /** Did it come through the room? */
  readonly came: readonly boolean[];
  /** Whose pass is it? */
  readonly visits: readonly (string | null)[];
}

export interface Sample {
  readonly language: string;
  /** What this machine lacks to run it, and what brings it; null = nothing. */
  readonly lacks: string | null;
  /** Runs it once, with files in `dir`. Rejects with what it printed when it does not run. */
  ask(dir: string, question: Question): Promise<Answer>;
}

/** What `npm run origin-key` prints. */
export function printedKeys(ring: string): Keys {
  const print = (...args: string[]) =>
    execFileSync(process.execPath, ["scripts/origin-key.mjs", ...args], {
      cwd: root,
      env: { ...process.env, VESTIBULE_KEYS: ring },
      encoding: "utf8",
    });
  return { requests: print("--requests"), passes: print() };
}

const NODE = `
import { readFileSync } from "node:fs";
const { shown, passes } = JSON.parse(readFileSync(0, "utf8"));
const came = shown.map(({ headers, method, target, host }) => cameThroughTheRoom({ headers, method, url: target }, host));
console.log(JSON.stringify({ came, visits: await Promise.all(passes.map(([pass, room]) => visitOf(pass, room))) }));
`;

const PYTHON = `
import json, sys
asked = json.load(sys.stdin)
came = [came_through_the_room(each["method"], each["host"], each["target"], each["headers"]) for each in asked["shown"]]
print(json.dumps({"came": came, "visits": [visit_of(token, room) for token, room in asked["passes"]]}))
`;

const PHP = `
error_reporting(E_ALL);
set_error_handler(function ($level, $message) { throw new ErrorException($message); });
$asked = json_decode(file_get_contents('php://stdin'), true);
$came = array_map(fn ($each) => came_through_the_room($each['method'], $each['host'], $each['target'], $each['headers']), $asked['shown']);
echo json_encode(['came' => $came, 'visits' => array_map(fn ($each) => visit_of(...$each), $asked['passes'])]);
`;

const GO = `package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	var asked struct {
		Shown []struct {
			Method, Host, Target string
			Headers              map[string]string
		}
		Passes [][2]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		panic(err)
	}
	came, visits := []bool{}, []*string{}
	for _, each := range asked.Shown {
		request := &http.Request{Method: each.Method, RequestURI: each.Target, Header: http.Header{}}
		for name, value := range each.Headers {
			request.Header.Set(name, value)
		}
		came = append(came, cameThroughTheRoom(request, each.Host))
	}
	for _, each := range asked.Passes {
		var visit *string
		if found := visitOf(each[0], each[1]); found != "" {
			visit = &found
		}
		visits = append(visits, visit)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]interface{}{"came": came, "visits": visits})
}
`;

/** Where Debian keeps the library of the Go sample. */
const GO_JWT = "/usr/share/gocode/src/github.com/golang-jwt/jwt";
const GO_MOD = `module sample\n\nrequire github.com/golang-jwt/jwt/v4 v4.0.0\n\nreplace github.com/golang-jwt/jwt/v4 => ${GO_JWT}\n`;

const python = ["python3", "/usr/bin/python3"].find((each) => runs(each, ["-c", "import jwt"]));

export const samples: readonly Sample[] = [
  {
    language: "Node",
    lacks: null,
    ask: (dir, question) => answer(dir, question, process.execPath, { "sample.mjs": block("js") + NODE }, ["sample.mjs"]),
  },
  {
    language: "Python",
    lacks: python ? null : "no python3 with PyJWT; Debian: python3-jwt",
    ask: (dir, question) => answer(dir, question, python ?? "python3", { "sample.py": block("python") + PYTHON }, ["sample.py"]),
  },
  {
    language: "PHP",
    lacks: runs("php", ["--version"]) ? null : "no php; Debian: php-cli",
    ask: (dir, question) => answer(dir, question, "php", { "sample.php": block("php") + PHP }, ["sample.php"]),
  },
  {
    language: "Go",
    lacks:
      runs("go", ["version"]) && existsSync(GO_JWT)
        ? null
        : "no go with golang-jwt; Debian: golang-go and golang-github-golang-jwt-jwt-dev",
    ask: (dir, question) => answer(dir, question, "go", { "go.mod": GO_MOD, "sample.go": block("go"), "main.go": GO }, ["run", "."]),
  },
];

function block(language: string): string {
  const page = readFileSync(join(root, "docs/integrate.md"), "utf8");
  const found = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/integrate.md has no sample in ${language}`);
  return found;
}

function runs(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

async function answer(
  parent: string,
  { shown = [], passes = [], keys }: Question,
  command: string,
  files: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Answer> {
  const cwd = await mkdtemp(join(parent, "sample-"));
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(cwd, name), text)));
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"] ?? cwd,
    VESTIBULE_REQUEST_KEYS: keys.requests,
    VESTIBULE_PASS_KEYS: keys.passes,
    // Nothing is fetched: what the module names is on this disk.
    GOFLAGS: "-mod=mod",
    GOPROXY: "off",
  };
  return new Promise((resolve, reject) => {
    const child = execFile(command, [...args], { cwd, env }, (error, output, complaint) =>
      error ? reject(new Error(`${command}: ${complaint || output || error.message}`)) : resolve(JSON.parse(output) as Answer),
    );
    child.stdin?.end(JSON.stringify({ shown, passes }));
  });
}
