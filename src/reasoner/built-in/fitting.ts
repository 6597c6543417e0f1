/**
 * Whether a memory fits a question: recall finds what shares words with it, or stands beside what does, and not all of
 * that answers it. What does not fit is not quoted, because an honest "I know nothing about that" beats the birthday of
 * somebody else.
 *
 *  Fitting.F1 A memory fits only if it has a word that the question is about, or another wording of it (wordings.ts).
 *  Fitting.F2 A question about somebody ("my sister", "Ana's") is answered by what mentions that person, or by what only
 *     says "she"; one about the client itself not by what is told of somebody else.
 *  Fitting.F3 "What is my email?" is answered by what says email, not by anything else about "my".
 */
import { followsUp, lookedFor } from '../../domain/conversation.js';
import { opener } from '../../domain/facts.js';
import { answersTo, asksForAForm, mentions, namesATopic } from '../../memory/wordings.js';
import type { StepContext } from '../port.js';

const people =
  'wife|husband|spouse|girlfriend|boyfriend|fianc[eé]e?|mother|mum|mom|father|dad|parents?|(?:mother|father|sister|brother)-in-law|sisters?|brothers?|siblings?|sons?|daughters?|kids?|child|children|baby|uncles?|aunts?|cousins?|nieces?|nephews?|grand(?:mother|father|ma|pa|parents?|son|daughter)|grann?y|boss|manager|supervisor|neighbou?rs?|colleagues?|coworkers?|teammates?|friends?|flatmate|roommate|landlord|landlady|doctor|dentist|lawyer|teacher|coach|assistant|dogs?|cats?|horses?|parrot|rabbit|hamster';
/** Whose something is: "my sister's", "Ana's", "the dog's". */
const possessor =
  /(?<![\p{L}\p{N}])(?!(?:what|who|where|when|how|that|it|he|she|there|here|let|today|tomorrow|yesterday)['’])([\p{L}][\p{L}-]+)['’]s?(?= \p{L})/giu;
const person = new RegExp(`\\b(?:my|our|the|his|her|their) (?:\\w+ )?(${people})\\b`, 'gi');
/** A name in mid-sentence. After "in" and the like it is that of a place. */
const name = /(?<!\b(?:in|at|to|from|near) )(?<=[\p{L}\p{N},;:] )\p{Lu}\p{Ll}+/gu;
const noName =
  /^(?:I|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:day)?s?$|^(?:January|February|March|April|May|June|July|August|September|October|November|December|English|German|French|Spanish|Christmas|Easter|OK)$/;
const pronoun = /\b(?:he|him|his|she|her|hers|it|its|they|them|their|theirs|there)\b/i;
const personal = /\b(?:he|him|his|she|hers?)\b/i;
const several = /[.!?]\s+\S|\n/;
const shouted = /^[^\p{Ll}]*$/u;
const firstPerson = /\b(?:i|me|my|mine|we|our|us|i['’]\w+)\b/i;
const thirdPerson = /^(?:and |but )?(?:he|she|it|they|his|her|its|their)\b/i;
/** What is told of somebody else begins with that person. */
const ofAnother = new RegExp(
  `^(?:[Mm]y|[Oo]ur) (?:\\w+ )?(${people})\\b|^(?:([\\p{L}-]+)['’]s \\p{L}|(?!We\\b|They\\b|I\\b|It\\b|She\\b|He\\b)(\\p{Lu}[\\p{L}-]+) (?:lives|works|likes|loves|hates|prefers|speaks|plays|drives|studies|was born|moved|is (?:an?|the|allergic|married|from|\\d))\\b)`,
  'u',
);
/** The person whom a text is told of, if that is not its speaker. */
function toldOf(content: string): string | null {
  const found = ofAnother.exec(content.replace(opener, ''));
  return found ? (found[1] ?? found[2] ?? found[3] ?? null) : null;
}

/** What "What is my email address?" asks for. */
const asksFor =
  /^(?:.{0,30}?\b)?(?:what|who|when|where|which)(?:['’]?s| is| are| was| were) (?:(?:my|our|his|her|their|the) )?(?:[\p{L}-]+['’]s? )?([\p{L}\d-]+(?: [\p{L}\d-]+){0,3})[\s?.!]*$/iu;

/** Whoever a text is about. Of "my sister's birthday" that is the sister, of "Is my sister in Rome?" she is, too. */
function peopleIn(text: string): string[] {
  const possessors = Array.from(text.matchAll(possessor), ([, who = '']) => who);
  const capitals = shouted.test(text) ? [] : Array.from(text.matchAll(name), ([word]) => word);
  const named = [...possessors, ...capitals.filter((word) => !noName.test(word))];
  return named.length > 0 ? named : Array.from(text.matchAll(person), ([, who = '']) => who);
}

type Test = (content: string) => boolean;

/** Longer texts, and those of several sentences, leave open what in them a memory would answer. */
const longestQuestion = 300;

/** A test of memories for one question. */
export function fitting(question: string, turns: StepContext['turns'] = []): Test {
  const asked = question.trim();
  if (asked.length > longestQuestion || several.test(asked)) return answersTo(asked);
  const followUp = followsUp(asked) && (pronoun.test(asked) || !namesATopic(asked));
  // a follow-up is understood with what was said before
  const text = followUp ? lookedFor(asked, turns) : asked;
  const tests = [answersTo(text), ofThePeople(asked, text, turns)];
  const attribute = followUp || asksForAForm(asked) ? undefined : asksFor.exec(asked)?.[1];
  if (attribute !== undefined) tests.push(answersTo(attribute));
  return (content) => tests.every((test) => test(content));
}

/** Fitting.F2. */
function ofThePeople(question: string, text: string, turns: StepContext['turns']): Test {
  let about = peopleIn(question);
  if (about.length === 0 && personal.test(question))
    about = turns.slice(-2).flatMap(({ content }) => peopleIn(content.slice(0, longestQuestion)));
  const people = about.join(' ');
  if (people !== '') return (content) => thirdPerson.test(content) || mentions(content, people);
  if (!firstPerson.test(question)) return () => true;
  return (content) => {
    const other = toldOf(content);
    return other === null || mentions(text, other);
  };
}
