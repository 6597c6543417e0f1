/**
 * Answers mostly repeat the texts of their request: what is remembered, asked or set. The record of a command leaves
 * those out, because whoever repeats the command sends them again, and no storage limit counts records.
 *
 *  Echoes.E1 `withEchoes(withoutEchoes(answer, request), request)` is the answer.
 *  Echoes.E2 What is kept of an answer has no text of the request of `longText` characters or more.
 */
import { hash } from 'node:crypto';

const longText = 128;
/** The one field of what stands for a text: its hash. No name that clients choose has NUL in it. */
const mark = '\0echo';

export function withoutEchoes(answer: unknown, request: unknown): unknown {
  const texts = new Map([...textsOf(request)].map(([name, text]) => [text, name]));
  return texts.size === 0
    ? answer
    : mapped(answer, (value) => {
        const name = typeof value === 'string' && value.length >= longText ? texts.get(value) : undefined;
        return name === undefined ? value : { [mark]: name };
      });
}

export function withEchoes(kept: unknown, request: unknown): unknown {
  const texts = textsOf(request);
  return texts.size === 0
    ? kept
    : mapped(kept, (value) => texts.get(String((value as Record<string, unknown> | null)?.[mark])) ?? value);
}

/** The long texts of the request, by their hashes. */
function textsOf(request: unknown): Map<string, string> {
  const texts = new Map<string, string>();
  mapped(request, (value) => {
    if (typeof value === 'string' && value.length >= longText) texts.set(hash('sha256', value, 'base64url'), value);
    return value;
  });
  return texts;
}

/** Each value in it, the outer ones first, replaced by what `change` makes of it. */
function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  const made = change(value);
  if (made !== value || typeof value !== 'object' || value === null) return made;
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapped(item, change)]));
}
