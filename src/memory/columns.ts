/**
 * Growable typed arrays, used as columns with one element for each document or session.
 *
 * The columns of one table start at different lengths (`first`), so that they double on different writes and no single
 * write pays for all of them. At 131,072 slots, growing one column of 8 bytes takes well under a millisecond; growing
 * ten of them at once would not.
 */

/** Shared by all columns that are still empty, because each empty typed array takes 200 bytes. */
export const noFloats = new Float64Array(0);
export const noIntegers = new Int32Array(0);
export const noBytes = new Uint8Array(0);

export type Integers = Int32Array<ArrayBuffer>;
export type Unsigned = Uint32Array<ArrayBuffer>;
type Column = Float64Array | Int32Array | Uint32Array | Uint8Array;

/** Returns the column itself if it has the slot, else a copy of twice the length; new elements are set to `fill`. */
export function withRoom<T extends Column>(column: T, slot: number, first: number, fill: number): T {
  if (slot < column.length) return column;
  const larger = new (column.constructor as new (length: number) => T)(Math.max(first, slot + 1, column.length * 2));
  larger.set(column);
  if (fill !== 0) larger.fill(fill, column.length);
  return larger;
}
