/** Types of demo-shop.mjs, for its test. */
export function startShop(port?: number): Promise<{ readonly url: string; stop(): Promise<void> }>;
