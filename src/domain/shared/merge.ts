import { jsonBytes } from './bounded.js';
import { invalid } from './errors.js';
import { limits } from './input-fields.js';

type JsonObject = Record<string, unknown>;

const isObject = (v: unknown): v is JsonObject => typeof v === 'object' && v !== null && !Array.isArray(v);

/** JSON Merge Patch (RFC 7396): objects merge key by key, null removes a key, everything else replaces. */
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

/** Metadata as a patch leaves it; null removes all. Throws VALIDATION_ERROR if it has become too large. */
export function patchedMetadata(before: JsonObject, patch: JsonObject | null): JsonObject {
  const merged = patch === null ? {} : mergePatch(before, patch);
  if (jsonBytes(merged) > limits.metadata)
    throw invalid({ path: 'metadata', message: `must be at most ${limits.metadata} bytes as JSON once merged` });
  return merged;
}
