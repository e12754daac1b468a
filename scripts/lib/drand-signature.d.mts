/** Types of drand-signature.mjs, for its test. */
export function verifySignature(round: number, signature: string): Promise<boolean | null>;
