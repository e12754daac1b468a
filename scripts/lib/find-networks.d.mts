export function findNetworks(hashOf: (network: string) => number, wanted: number, from?: number, below?: number): string[];
