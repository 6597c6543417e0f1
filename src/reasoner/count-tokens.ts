/**
 * How many tokens a text has for a model, about. Vendors count differently; this is near what OpenAI's o200k_base says of
 * ordinary text, and needs no table of theirs. The estimate of a text is that of its parts together, rounded up.
 */
const part = /'(?:s|t|re|ve|m|ll|d)\b|[A-Za-z]+|\d{1,3}|[!-/:-@[-`{-~]+\n*|\s*\n\s*|[^\S\n]{2,}|[^\x00-\x7f]+/g;

export function countTokens(text: string): number {
  let tokens = 0;
  for (const [found] of text.matchAll(part)) tokens += tokensIn(found);
  return Math.ceil(tokens);
}

const longWord = 8;
const perLetter = 0.06;
const mark = 0.4;

function tokensIn(found: string): number {
  const code = found.charCodeAt(0);
  if (code > 0x7f) return beyondAscii(found);
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
  if (isLetter) return 1 + perLetter * Math.max(0, found.length - longWord);
  return found.length < 3 ? 1 : 1 + mark * (found.length - 2);
}

/** Tokens of a character, from this code point on. */
const scripts: readonly (readonly [from: number, tokens: number])[] = [
  [0x80, 0.5],
  [0x370, 0.35],
  [0x0e00, 0.5],
  [0x1100, 0.6],
  [0x2000, 1],
  [0x2e80, 0.75],
  [0xac00, 0.6],
  [0xd7b0, 1],
  [0xfe00, 0.75],
  [0x10000, 2],
];

function beyondAscii(found: string): number {
  let tokens = 0;
  for (const character of found) {
    const code = character.codePointAt(0) ?? 0;
    tokens += scripts.findLast(([from]) => code >= from)?.[1] ?? 1;
  }
  return tokens;
}
