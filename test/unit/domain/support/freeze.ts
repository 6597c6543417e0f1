/** Decisions must not change the state they are made on: what is frozen throws when somebody tries. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map) {
    for (const [k, v] of value) {
      deepFreeze(k);
      deepFreeze(v);
    }
    // Object.freeze does not reach what a Map holds
    const refuse = (): never => {
      throw new Error('a decision changed a map of the state that went in');
    };
    Object.assign(value, { set: refuse, delete: refuse, clear: refuse });
    return Object.freeze(value);
  }
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
