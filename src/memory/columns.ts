/** Typed arrays that grow: columns over the slots of documents or sessions. */
type Column = Float64Array | Int32Array | Uint8Array;

/** A larger copy; what is new is filled with `fill`. */
export function grown<T extends Column>(column: T, capacity: number, fill: number): T {
  const larger = new (column.constructor as new (length: number) => T)(capacity);
  larger.set(column);
  if (fill !== 0) larger.fill(fill, column.length);
  return larger;
}

/** The capacity after `needed` slots did not fit. */
export const nextCapacity = (capacity: number, needed: number): number => Math.max(16, needed, capacity * 2);
