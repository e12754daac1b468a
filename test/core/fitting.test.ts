/** How much one reply of the Room may carry. */
import { expect, test } from "vitest";
import { fitting } from "../../durable/fitting";

test("[ADMIN-13] a page ends before it is too much for one reply, but never empty; what does not fit is not read", () => {
  const read: number[] = [];
  function* rows(...lengths: number[]) {
    for (const length of lengths) {
      read.push(length);
      yield length;
    }
  }
  const lengthOf = (length: number) => length;
  expect(fitting(rows(1, 2, 3), lengthOf)).toEqual([1, 2, 3]);
  expect(fitting(rows(), lengthOf)).toEqual([]);
  read.length = 0;
  expect(fitting(rows(2_000_000, 2_000_000, 1, 5, 5), lengthOf)).toEqual([2_000_000, 2_000_000]);
  expect(read).toEqual([2_000_000, 2_000_000, 1]);
  expect(fitting(rows(40_000_000, 1), lengthOf)).toEqual([40_000_000]);
});
