/** How much one reply of the Room may carry. Pure. */

/** Characters of the texts in one page; a call of a Durable Object carries 32 MB at most, and nobody reads as much. */
const PAGE_CHARACTERS = 4_000_000;

/** The first of these rows, as far as a page carries them, and one at least; those that do not fit are not even read. */
export function fitting<Row>(rows: Iterable<Row>, lengthOf: (row: Row) => number): Row[] {
  const page: Row[] = [];
  let length = 0;
  for (const row of rows) {
    length += lengthOf(row);
    if (page.length > 0 && length > PAGE_CHARACTERS) break;
    page.push(row);
  }
  return page;
}
