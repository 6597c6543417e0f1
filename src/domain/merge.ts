/** JSON Merge Patch (RFC 7396): objects merge key by key, null removes a key, everything else replaces. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type JsonObject = Record<string, unknown>;

const isObject = (v: unknown): v is JsonObject => typeof v === 'object' && v !== null && !Array.isArray(v);

export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const out = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const old = out.get(key);
    if (value === null) out.delete(key);
    else out.set(key, isObject(value) ? mergePatch(isObject(old) ? old : {}, value) : value);
  }
  // fromEntries defines keys instead of assigning them, so that __proto__ is a key like any other
  return Object.fromEntries(out);
}
