export function numberOf(
  values: Readonly<Record<string, string | undefined>>,
  name: string,
  fallback: number,
  least: number,
  most: number,
): number;
export function decimalOf(text: string | undefined): number;
