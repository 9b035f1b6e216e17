// The first of `count` numbers from 0 for which `is` holds, if it holds for all behind it, too; count: for none.
export function firstWhere(count: number, is: (i: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Index of the last number in an ascending list that is less than `limit`; -1: none.
export const lastBefore = (list: ArrayLike<number>, limit: number): number =>
  firstWhere(list.length, (i) => (list[i] ?? 0) >= limit) - 1;
