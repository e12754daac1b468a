/** Numbers of a command line: one of util.parseArgs' `values` as a whole number within bounds. */

/** Throws an Error that names the option and what was given. */
export function numberOf(values, name, fallback, least, most) {
  const text = values[name];
  const number = text === undefined ? fallback : Number(text);
  if (text?.trim() === "" || !Number.isInteger(number) || number < least || number > most)
    throw new Error(`--${name} must be a whole number from ${least} to ${most}, not "${text}"`);
  return number;
}
