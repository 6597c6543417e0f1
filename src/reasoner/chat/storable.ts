/** What models send, read and made storable: lone surrogates and NUL have been seen, and JSON in prose. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

const deepest = 64;

/** The value with all of its texts storable; undefined if it is nested too deeply. */
export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return undefined;
  const whole = Array.isArray(value) ? value.map((item) => ['', item] as const) : Object.entries(value);
  const made = whole.map(([key, item]) => [storable(key), storableJson(item, depth + 1)] as const);
  if (made.some(([, item]) => item === undefined)) return undefined;
  return Array.isArray(value) ? made.map(([, item]) => item) : Object.fromEntries(made);
}

/** Undefined if the text is no JSON. A wrong escape counts as the characters that it has. */
export function parsedJson(text: string): unknown {
  const whole = parsed(text);
  return whole === undefined && text.includes('\\') ? parsed(text.replace(escape, repaired)) : whole;
}

const escape = /\\(?:u(?![0-9a-fA-F]{4})|[^"/bfnrtu])/g;
const repaired = (said: string): string => (said === '\\\\' ? said : `\\${said}`);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** So many beginnings of what is no JSON are looked at. */
const mostMisses = 50;

/** What is JSON in a text, which may stand in prose or in a code block: the whole first, then the last of them. */
export function* jsonIn(text: string, opening = /[[{]/g): Generator {
  const whole = parsedJson(text);
  if (whole !== undefined) {
    yield whole;
    return;
  }
  const found: unknown[] = [];
  const looks = new RegExp(opening, 'g');
  for (let misses = 0, begin = looks.exec(text); begin && misses < mostMisses; begin = looks.exec(text)) {
    const end = endOf(text, begin.index);
    const value = end < 0 ? undefined : parsedJson(text.slice(begin.index, end));
    if (value === undefined) {
      misses++;
      continue;
    }
    found.push(value);
    looks.lastIndex = end;
  }
  yield* found.reverse();
}

/** Where the value that begins there ends; -1 if it does not. */
function endOf(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const one = text[at];
    if (quoted) {
      if (one === '\\') at++;
      else if (one === '"') quoted = false;
    } else if (one === '"') quoted = true;
    else if (one === '{' || one === '[') depth++;
    else if ((one === '}' || one === ']') && --depth === 0) return at + 1;
  }
  return -1;
}
