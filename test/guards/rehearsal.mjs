/** Guards of what comes before a sale, rehearsals and plans (SET-11): where a crowd may be sent (CROWD-7, CROWD-8), and the Worker's word for it (CROWD-9). */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

const command = "test/worker/rehearsal.test.ts";

export const guards = [
  ...guardsOf("scripts/lib/rehearsal.mjs", command, [
    [
      "rehearsal: another host's proof is none",
      "CROWD-7",
      '["vestibule-rehearsal-1", nonce, target.host].join("\\n")',
      '["vestibule-rehearsal-1", nonce, "staging.example.com"].join("\\n")',
      "[CROWD-7] another host's proof, passed on proves nothing",
    ],
    [
      "rehearsal: an old proof is none",
      "CROWD-7",
      'const nonce = randomBytes(32).toString("base64url");',
      'const nonce = "A".repeat(43);',
      "[CROWD-7] an old proof proves nothing",
    ],
    [
      "rehearsal: a token that was taken away ends it",
      "CROWD-7",
      "if (error instanceof NotProven) return",
      "if (error instanceof RangeError) return",
      "[CROWD-7] a host that does not prove any more ends it",
    ],
    [
      "rehearsal: elsewhere only by https",
      "CROWD-7",
      '(url?.protocol === "http:" && isThisComputer(url))',
      '(url?.protocol === "http:")',
      "[CROWD-7] --target http://staging.example.com is refused by name",
    ],
    [
      "rehearsal: requests are a pace apart",
      "CROWD-8",
      "nextAt += 1_000 / perSecond;",
      "nextAt += 0;",
      "[CROWD-8] requests are a pace apart",
    ],
    [
      "rehearsal: a clock that tells whole milliseconds may be further ahead",
      "CROWD-8",
      "Number(theirs) + 1 - from || 0",
      "Number(theirs) - from || 0",
      "[CROWD-7] the host's clock is ahead",
    ],
  ]),
  ...guardsOf("scripts/crowd.mjs", command, [
    [
      "rehearsal: nothing is sent before the proof",
      "CROWD-7",
      "({ aheadMs } = await prove({ target, token }));",
      "aheadMs = 0;",
      "[CROWD-7] a Worker without the secret, and one with another, is refused",
    ],
    [
      "rehearsal: the crowd keeps the pace",
      "CROWD-8",
      "signal, pace: honest.pace, aheadMs }",
      "signal, aheadMs }",
      "[CROWD-7] [CROWD-8] the token is in nothing that is sent",
    ],
  ]),
  ...guardsOf("scripts/lib/crowd-options.mjs", command, [
    [
      "rehearsal: the admin token of .dev.vars goes nowhere else",
      "CROWD-7",
      "const isRead = isThisComputer(target) && existsSync(file);",
      "const isRead = existsSync(file);",
      "[CROWD-7] [CROWD-8] what was asked for is what is done",
    ],
  ]),
  ...guardsOf("src/routes/rehearsal.ts", command, [
    [
      "rehearsal: the proof names the host",
      "CROWD-9",
      "rehearsalText(nonce, url.authority)",
      'rehearsalText(nonce, c.req.header("X-Host") ?? "any")',
      "[CROWD-9] it proves for the host that was asked",
    ],
    [
      "rehearsal: only nonces are signed",
      "CROWD-9",
      "if (!isNonce(nonce)) return problem(400,",
      "if (nonce === null) return problem(400,",
      "[CROWD-9] it proves for the host that was asked",
    ],
  ]),
  ...guardsOf("scripts/lib/crowd-diary.mjs", "test/core/crowd-judge.test.ts", [
    [
      "rehearsal: the host's clock is not ours",
      "CROWD-8",
      "passEnds: exp * 1_000 - this.#aheadMs",
      "passEnds: exp * 1_000",
      "[CROWD-8] a host whose clock is ahead",
    ],
  ]),
  ...guardsOf("src/core/plan-needs.ts", "test/core/plan-needs.test.ts", [
    [
      "plan: a paid one is enough",
      "SET-11",
      'if (settings.workersPlan === "paid") return [];',
      "",
      "[SET-11] what Workers Free does not carry is warned of",
    ],
    [
      "plan: what is over is not warned of",
      "SET-11",
      "cancelled === null && now < endMs",
      "cancelled === null && now > 0",
      "[SET-11] an event's own number counts for it",
    ],
  ]),
];
