/** Answers challenges of work as a plain program does: node:crypto alone, none of the Worker's code. */
import { pbkdf2Sync } from "node:crypto";
import type { Altcha, PowAnswer } from "../../src/core/proof";

/** The counter that a challenge asks for, by trying one after the other. */
export function solve({ parameters }: Altcha): PowAnswer["solution"] {
  const { nonce, salt, cost, keyLength, keyPrefix } = parameters;
  const password = Buffer.concat([Buffer.from(nonce, "hex"), Buffer.alloc(4)]);
  for (let counter = 0; ; counter++) {
    password.writeUInt32BE(counter, 16);
    const derivedKey = pbkdf2Sync(password, Buffer.from(salt, "hex"), cost, keyLength, "sha256").toString("hex");
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey };
  }
}

/** The header `Vestibule-Proof` with the answer to a challenge. */
export function answerTo(altcha: Altcha): string {
  return `pow ${Buffer.from(JSON.stringify({ challenge: altcha, solution: solve(altcha) })).toString("base64")}`;
}
