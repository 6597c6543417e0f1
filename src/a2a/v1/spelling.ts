/**
 * ProtoJSON allows field names in camelCase or, as in the .proto file, in snake_case; the conformance kit of 1.0 uses
 * the latter. This converts params to camelCase, but only in messages of the protocol: the contents of metadata and
 * data keep their names.
 */
import { isObject } from '../fields.js';

/**
 * Fields that hold a message of the protocol, or an array of them; the values of all other fields are left unchanged.
 */
export interface Shape {
  readonly [field: string]: Shape | readonly [Shape];
}

export function camelCased(value: unknown, shape: Shape): unknown {
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    // match only from the first _ of a run: matching from each of them would take quadratic time
    const name = key.includes('_')
      ? key.replace(/(?<!_)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
      : key;
    const inner = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const next = inner === undefined ? value[key] : innerCamelCased(value[key], inner);
    if (name === key && next === value[key]) continue;
    copy ??= { ...value };
    if (name !== key) delete copy[key];
    copy[name] = next;
  }
  return copy ?? value;
}

function innerCamelCased(value: unknown, shape: Shape | readonly [Shape]): unknown {
  if (!isMany(shape)) return camelCased(value, shape);
  if (!Array.isArray(value)) return value;
  const items = value.map((item) => camelCased(item, shape[0]));
  return items.every((item, i) => item === value[i]) ? value : items;
}

const isMany = (shape: Shape | readonly [Shape]): shape is readonly [Shape] => Array.isArray(shape);
