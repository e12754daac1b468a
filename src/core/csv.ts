/**
 * Rows as CSV (RFC 4180) that a spreadsheet opens without running anything: text that would begin a formula is led by an apostrophe. Pure.
 */

/**
 * Before what spreadsheets take for a formula (OWASP, "CSV Injection"): at the beginning of a cell, and where those that part cells otherwise
 * (by semicolons, in many countries) begin one.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/g;

/** @param columns in order; a value that is no text, number, truth or null is written as JSON */
export function toCsv(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const harmless = text.replace(FORMULA, "'");
  return /[",;\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
