/**
 * Answers mostly repeat the texts of their request: what is remembered, asked or set. An idempotency record
 * leaves those out, because whoever repeats the request sends them again, and no storage limit counts records.
 *
 *  - `withEchoes(withoutEchoes(answer, request), request)` is the answer.
 *  - What is kept of an answer has no text of the request of `longText` characters or more.
 */
import { hash } from 'node:crypto';

const longText = 128;
/** The one field of what stands for a text: its hash. No name that clients choose has NUL in it. */
const mark = '\0echo';

export function withoutEchoes(answer: unknown, request: unknown): unknown {
  if (!hasLongText(answer)) return answer; // as that of a message, whose record names a run
  const texts = new Map([...textsOf(request)].map(([name, text]) => [text, name]));
  return mapped(answer, (value) => {
    const name = typeof value === 'string' ? texts.get(value) : undefined;
    return name === undefined ? value : { [mark]: name };
  });
}

export function withEchoes(kept: unknown, request: unknown): unknown {
  const texts = textsOf(request);
  return texts.size === 0
    ? kept
    : mapped(kept, (value) => texts.get(String((value as Record<string, unknown> | null)?.[mark])) ?? value);
}

const hasLongText = (value: unknown): boolean =>
  typeof value === 'string' ? value.length >= longText : isContainer(value) && Object.values(value).some(hasLongText);

/** The long texts of the request, by their hashes. */
function textsOf(request: unknown, texts = new Map<string, string>()): Map<string, string> {
  if (typeof request === 'string') {
    if (request.length >= longText) texts.set(hash('sha256', request, 'base64url'), request);
  } else if (isContainer(request)) for (const item of Object.values(request)) textsOf(item, texts);
  return texts;
}

/** Each value in it, the outer ones first, replaced by what `change` makes of it. */
function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  const made = change(value);
  if (made !== value || !isContainer(made)) return made;
  if (Array.isArray(made)) return made.map((item) => mapped(item, change));
  return Object.fromEntries(Object.entries(made).map(([name, item]) => [name, mapped(item, change)]));
}

/** An array or a plain object. */
const isContainer = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);
