/** Numbers of a command line. Digits alone: of "", "0x10", "1e3" and "Infinity" Number makes what nobody asked for. */

/** One of util.parseArgs' `values` as a whole number within bounds. Throws an Error that names the option and what was given. */
export function numberOf(values, name, fallback, least, most) {
  const text = values[name];
  const number = text === undefined ? fallback : decimalOf(text);
  if (!Number.isInteger(number) || number < least || number > most)
    throw new Error(`--${name} must be a whole number from ${least} to ${most}, not "${text}"`);
  return number;
}

/** NaN = it is none. */
export function decimalOf(text) {
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
}
