/**
 * Takes apart what is to be remembered where it lists several things: "Remember two things: the gate closes at 8 and
 * the code is 1234", numbered or bulleted items, and what "and that" joins. Items that are no statements by
 * themselves ("milk and bread") stay one text.
 */

/** "Two things: ", "the following facts: ", as the words after "remember". */
export const announcement =
  /^(?:\s+(?:these|both|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|a few|some|several|a couple of|(?:a|my|this) list of|the following))?\s+(?:the following|things?|facts?|points?|items?|notes?|details?)\s*[:：]\s*/i;

const mostItems = 20;
const longestList = 2000;
const bullet = /^\s{0,8}(?:[-*•]|\(?\d{1,2}[.):])\s{1,8}/;
const numbered = /(?:^|[\s,;])\(?(\d{1,2})[.):]\s{1,8}/g;
const between = /\s{0,8};\s{1,8}|,?\s{1,8}and\s{1,8}(?:that\s{1,8})?|,\s{1,8}(?:that\s{1,8})?/g;
const clause =
  /^(?:\S+\s+){1,12}?(?:is|are|am|was|were|will|has|have|had|can|must|should|lives?|likes?|works?|moved|needs?|wants?|opens|closes|starts|begins|ends|leaves|arrives|costs?|prefers?|hates?|loves?|speaks?|owns?|means?|goes|comes|takes|runs|happens)\s+\S|^(?:I|you|we|they|he|she|it|that|there)['’](?:m|re|s|ve|ll)\s/i;

/** The items of a content; `announced`: that there are several was said before. A single item is the content itself. */
export function itemsIn(content: string, announced: boolean): string[] {
  if (content.length > longestList) return [content];
  const found = inLines(content) ?? byNumber(content) ?? (announced ? byClause(content) : null);
  return found !== null && found.length > 1 && found.length <= mostItems ? found : [content];
}

/** The statements that one sentence joins by "and that"; else the content itself. */
export function joinedIn(content: string): string[] {
  const apart = content.split(/,?\s{1,8}and that\s{1,8}/i);
  return apart.length > 1 && apart.length <= mostItems && apart.every(says) ? apart : [content];
}

/** Three words at least: a list of shorter ones is a list of things, and kept as it is. */
const says = (item: string): boolean => /^\S+\s+\S+\s+\S/.test(item.trim());

function inLines(content: string): string[] | null {
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || !lines.every((line) => bullet.test(line))) return null;
  const items = lines.map((line) => line.replace(bullet, '').trim());
  return items.every(says) ? items : null;
}

/** "1. the gate closes at 8 2. the code is 1234", where the numbers count from 1. */
function byNumber(content: string): string[] | null {
  const places: { start: number; from: number }[] = [];
  for (const match of content.matchAll(numbered))
    if (Number(match[1]) === places.length + 1)
      places.push({ start: match.index, from: match.index + match[0].length });
  if (places.length < 2 || places[0]?.start !== 0) return null;
  const items = places.map(({ from }, i) => tidy(content.slice(from, places[i + 1]?.start)));
  return items.every(says) ? items : null;
}

/** Divided where a clause ends and another begins. */
function byClause(content: string): string[] | null {
  const items: string[] = [];
  let from = 0;
  for (const match of content.matchAll(between)) {
    const next = match.index + match[0].length;
    if (!clause.test(content.slice(from, match.index)) || !clause.test(content.slice(next, next + 80))) continue;
    items.push(tidy(content.slice(from, match.index)));
    from = next;
  }
  return items.length === 0 ? null : [...items, tidy(content.slice(from))];
}

const tidy = (item: string): string => item.trim().replace(/(?:[,;]|,?\s+and)$/, '');
