/** The significant words of a text, used to decide which memory belongs to which of several questions. */

const common: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be been but by can could did do does for from had has have he her his how i if in into is it its ' +
    'know me my of on or our please remember recall she should so tell that the their them there they this to us was we were what when ' +
    'where which who whom whose why will with would you your'
  ).split(' '),
);

const longestLooked = 4000;

export function keywords(text: string): Set<string> {
  const out = new Set<string>();
  for (const [word] of text
    .slice(0, longestLooked)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu))
    if (!common.has(word)) out.add(stem(word));
  return out;
}

/** Handles plural and possessive only, because recall has found the memories already. */
const stem = (word: string): string => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word);

export function shared(a: ReadonlySet<string>, text: string): number {
  let n = 0;
  for (const word of keywords(text)) if (a.has(word)) n++;
  return n;
}
