/** Guards of the API for clients made for AWS Virtual Waiting Room (AWS). Read by scripts/test-guards.mjs. */
import { guardsOf } from "../../scripts/lib/guard-list.mjs";

export const guards = [
  ...guardsOf("src/routes/aws-call.ts", "test/worker/cloudflare.test.ts", [
    [
      "aws: only rooms that have it",
      "AWS-1",
      "if (eventId === null || key === null) return notFound();",
      "if (key === null) return notFound();",
      "[AWS-1] are answered where",
    ],
    ["aws: its event alone", "AWS-1", "  if (wrong !== null) return toReply(wrong);\n", "", "[AWS-1] are answered where"],
    ["aws: no cookies for other sites' pages", "AWS-4", "  if (!isOwn) return { place: [], pass: [] };\n", "", "[AWS-2] [P5] each call"],
    [
      "aws: a pass of its own place",
      "AWS-4",
      "pass: isSame ? shown.pass : null",
      "pass: shown.pass",
      "[AWS-4] [P5] repeated with a young pass",
    ],
    [
      "aws: a look enters nobody",
      "AWS-3",
      'claimOf(visit, step.place, "look")',
      'claimOf(visit, step.place, "enter")',
      "[AWS-3] queue_pos_expiry by a look",
    ],
    [
      "aws: asked too often",
      "AWS-3",
      "return waitMs > 0 ? toReply(failed(429",
      "return waitMs < 0 ? toReply(failed(429",
      "[AWS-3] [GATE-60]",
    ],
    ["aws: nothing signed in vain", "AWS-3", "seen === null || isInVain", "seen === null", "[AWS-3] [KEYS-5]"],
    [
      "aws: no place in the name of another page's visitors",
      "AWS-5",
      'isForeign && c.req.method === "POST"',
      'isForeign && c.req.method === "PUT"',
      "[AWS-2] [P5] each call",
    ],
  ]),
  ...guardsOf("src/routes/aws.ts", "test/worker/cloudflare.test.ts", [
    [
      "aws: no place over another's cookie",
      "AWS-4",
      "setCookies: isOwn ? [ticketCookie(visit, id)] : []",
      "setCookies: [ticketCookie(visit, id)]",
      "[AWS-2] [P5] each call",
    ],
    [
      "aws: no pass over another's cookie",
      "AWS-4",
      "fresh === null || !isOwn ? []",
      "fresh === null ? []",
      "[AWS-4] generate_token claims",
    ],
    ["aws: no pass for a page's scripts", "AWS-4", "fresh === null || isOwn ? {}", "fresh === null ? {}", "[AWS-4] generate_token claims"],
    [
      "aws: no number lost by a network",
      "AWS-4",
      'if (outcome.as === "answered" && isQuestion(outcome.verdict)) outcome = await claimOf(visit, place, "continue");',
      "",
      "[AWS-4] [BIND-2] who is only asked",
    ],
    ["aws: tokens for who went in", "AWS-4", ' || outcome.verdict.as !== "entered")', ")", "[AWS-3] [P1] generate_token gives nothing"],
    [
      "aws: who asks is seen",
      "AWS-2",
      "  if (ticket !== null) visit.client.sight(ticket, visit.life);\n",
      "",
      "[AWS-2] who asks for the counter",
    ],
  ]),
  ...guardsOf("src/core/aws.ts", "test/core/aws.test.ts", [
    ["aws: a number is served by its turn", "AWS-2", "queue_number: slot + 1", "queue_number: slot", "[AWS-2] a number is served"],
    ["aws: hidden totals stay hidden", "AWS-2", "if (tail === null) return", "if (tail === undefined) return", "[AWS-2] waiting_num"],
    ["aws: tokens end with the pass", "AWS-4", "exp: expiresAtS }", "exp: expiresAtS + 3_600 }", "[AWS-4] three RS256 tokens"],
    ["aws: no ticket in a token", "AWS-4", "const sub = `${generation}.${slot}`;", "const sub = eventId;", "[AWS-4] three RS256 tokens"],
  ]),
  ...guardsOf("src/aws/tokens.ts", "test/core/aws.test.ts", [
    [
      "aws: no small key",
      "AWS-4",
      " || (read.algorithm as unknown as { readonly modulusLength: number }).modulusLength < LEAST_BITS",
      "",
      "[AWS-4] is read as PEM",
    ],
    ["aws: what a token is for", "AWS-4", ", token_use: use", ', token_use: "access"', "[AWS-4] three RS256 tokens"],
  ]),
  ...guardsOf("src/env.ts", "test/core/env.test.ts", [
    [
      "aws: the key must be there",
      "AWS-1",
      "settings.awsEventId !== null)?.[0];",
      "settings.awsEventId === undefined)?.[0];",
      "[AWS-4] [SET-9] a room with aws_event_id",
    ],
  ]),
];
