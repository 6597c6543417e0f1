/** Reads when something is: a date, a weekday, or an hour. */
import { anyOf, wordsOf } from './patterns.js';

const month = `${wordsOf(
  'january february march april may june july august september october november december',
  'jan feb mar apr jun jul aug sept? oct nov dec',
)}\\.?`;
const nth = '\\d{1,2}(?:st|nd|rd|th)?';
const clock = /^(?:\d{1,2}(?:[:.]\d{2})?\s?(?:am|pm|a\.m\.|p\.m\.|o['’]clock|h)?|noon|midnight|half past \w+)$/;
const weekday = /^(?:next |this |the coming )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/;
const partOf = anyOf(
  `(?:the )?${anyOf('beginning', 'start', 'middle', 'end', 'first week', 'last week')} of `,
  'early ',
  'late ',
  'mid[- ]?',
  'next ',
  'this ',
);
const date = new RegExp(
  `^${partOf}?(?:the )?${anyOf(
    `(?:${nth}(?: of)? )?${month}(?: ${nth})?(?:,? \\d{4})?`,
    '\\d{4}-\\d{2}(?:-\\d{2})?',
    '\\d{1,2}[./]\\d{1,2}(?:[./]\\d{2,4})?',
    '(?:19|20)\\d{2}',
    'q[1-4](?: \\d{4})?',
    nth,
    `${wordsOf('week month year spring summer autumn fall winter')}(?: \\d{4})?`,
    'tomorrow|today|tonight',
  )}$`,
);
export const times = ['when:date', 'when:weekday', 'when:clock'] as const;

/** The kind of time that a text in lower case tells, and nothing beside; null for any other. */
export function timeOf(value: string): (typeof times)[number] | null {
  if (/^(?:19|20)\d{2}$/.test(value)) return 'when:date';
  if (clock.test(value)) return 'when:clock';
  if (weekday.test(value)) return 'when:weekday';
  return date.test(value) ? 'when:date' : null;
}
