/**
 * Typed arrays that grow: columns over the slots of documents or sessions.
 *
 * Columns of one table start at different lengths (`first`), so that their doublings fall on different writes and none
 * pays for all: at 131,072 slots a column of 8 bytes takes well under a millisecond, ten of them would not.
 */

/** Shared by all columns that hold nothing yet: an empty typed array of one's own takes 200 bytes. */
export const noFloats = new Float64Array(0);
export const noIntegers = new Int32Array(0);
export const noBytes = new Uint8Array(0);

type Column = Float64Array | Int32Array | Uint8Array;

/** The column itself if it has the slot, else a copy of twice the length; what is new is filled with `fill`. */
export function withRoom<T extends Column>(column: T, slot: number, first: number, fill: number): T {
  if (slot < column.length) return column;
  const larger = new (column.constructor as new (length: number) => T)(Math.max(first, slot + 1, column.length * 2));
  larger.set(column);
  if (fill !== 0) larger.fill(fill, column.length);
  return larger;
}
