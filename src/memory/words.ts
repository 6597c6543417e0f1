/**
 * Maps a word to the term under which it is indexed. English stop words are dropped, English endings are cut off
 * (Porter), and irregular forms count as their base form. Measured on LoCoMo, stop words and stemming together are
 * worth nine points of R@5. Words of other languages pass through: their frequent words get a low weight by their
 * frequency, and an ending that happens to be cut is cut in the query too.
 */
import { stemmer } from 'stemmer';
import { memoize } from '../base/memoize.js';
import { baseOf } from '../english/irregular-forms.js';

/** Apostrophes separate words, so this includes the halves of contractions (don, t, ll), but not `won`, a verb. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself ' +
    'they them their theirs themselves what which who whom whose this that these those am is are was were be been being have has ' +
    'had having do does did doing a an the and but if or because as until while of at by for with about against between into ' +
    'through during before after above below to from up down in out on off over under again further then once here there when ' +
    'where why how all any both each few more most other some such no nor not only own same so than too very s t can will just ' +
    'don should now d ll m o re ve y ain aren couldn didn doesn hadn hasn haven isn mightn mustn needn shan shouldn wasn weren wouldn'
  ).split(' '),
);

/** Longer words are not English prose and stay unchanged, which also bounds the cost of a single word. */
const longestStemmed = 24;
/** V8 keeps the whole text alive behind a longer substring of it, so only shorter words are kept. */
const longestKept = 12;
const kept = 8192;

function toTerm(word: string): string {
  if (stopWords.has(word)) return '';
  return word.length < 3 || word.length > longestStemmed ? word : stemmer(baseOf(word));
}

/** The term for a word of lower-case letters a to z; '' for a stop word. */
export const termOf = memoize(toTerm, kept, longestKept);
