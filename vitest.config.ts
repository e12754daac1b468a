/**
 * The four kinds of tests and how they run. `npm test` starts them all under Node 22.
 * core: pure code in Node. durable: the Room inside workerd. worker: the built Worker on miniflare, driven from Node.
 * e2e: a real Chromium. Two cores are enough: what computes runs two files at a time; what mostly waits for real time to pass, six.
 * Files share what they import, Miniflare and Playwright above all, and those of `durable` their workerd: loading it anew for each took as
 * long as many of the tests. So nothing that a test leaves behind may be in another's way: each has a room of its own.
 */
import { createHash } from "node:crypto";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { PATIENCE } from "./test/support/patience.ts";

/** Set by `.ci/run`: where vitest's own JSON report goes. */
const report = process.env["VESTIBULE_TEST_REPORT"];

/** In CI a failed test of real processes is tried once more, and `ci-report` names it if that passes. What is pure and seeded is not. */
const retry = report ? 1 : 0;

/** Several waits after each other. */
const PATIENT = { testTimeout: 5 * PATIENCE.timeout, hookTimeout: 2 * PATIENCE.timeout, expect: { poll: PATIENCE } };

/** 32 bytes that look random and are the same in every run. */
const secret = (of: string) => createHash("sha256").update(`vestibule tests: ${of}`).digest("base64url");

/**
 * Begun first, the longest before the others, so that no core idles at the end. Files of one project follow each other: a process is kept
 * for the next file only if that is of the same project. Only the two that wait longest of all begin before the browser's. By the
 * beginnings of their names.
 */
const LONG = [
  ...["sim/throughput", "sim/soak", "sim/once", "line/recent-joins", "core/shuffle", "line/histories"],
  ...["worker/crowd.", "worker/draw-kill"],
  ...["e2e/page", "e2e/site", "e2e/console", "e2e/demo", "e2e/lobby", "e2e/browser", "e2e/"],
  ...["worker/client", "worker/journey", "worker/checkout", "worker/deploy", "worker/start", "worker/versions", "worker/readme"],
  ...["worker/hostile", "worker/isolates", "worker/slow-down", "worker/cache", "worker/drill", "worker/draw", "worker/bench"],
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.includes(`/test/${name}`));
      return at < 0 ? LONG.length : at;
    };
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const byName = (a: TestSpecification, b: TestSpecification) =>
      a.project.name < b.project.name ? -1 : a.project.name > b.project.name ? 1 : 0;
    return (await super.sort(files)).sort((a, b) => groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b) || byName(a, b));
  }
}

/** Wrangler would tell every test file where it found its secrets. */
process.env["WRANGLER_LOG"] ??= "error";

export default defineConfig({
  test: {
    reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
    allowOnly: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "core",
          environment: "node",
          isolate: false,
          include: ["test/{core,line,sim}/**/*.test.ts"],
          testTimeout: 120_000,
          maxWorkers: 2,
          // Simulations make much that is soon forgotten.
          execArgv: ["--max-semi-space-size=64"],
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            // Never the developer's own secrets of .dev.vars.
            miniflare: { bindings: { VESTIBULE_KEYS: `t1:${secret("keys")}`, ADMIN_TOKEN: secret("admin") } },
          }),
        ],
        test: {
          name: "durable",
          isolate: false,
          include: ["test/durable/**/*.test.ts"],
          testTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "worker",
          environment: "node",
          isolate: false,
          retry,
          include: ["test/worker/**/*.test.ts"],
          globalSetup: ["test/support/bundle.ts"],
          ...PATIENT,
          maxWorkers: 6,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "e2e",
          environment: "node",
          isolate: false,
          retry,
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/support/bundle.ts"],
          ...PATIENT,
          maxWorkers: 6,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "sites",
          environment: "node",
          retry,
          include: ["test/sites/**/*.test.ts"],
          globalSetup: ["test/support/bundle.ts"],
          ...PATIENT,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
