/**
 * Parses what one English sentence asks for. Every pattern is anchored and without nested repetition, so it runs in
 * linear time. A sentence that matches nothing is a question or a statement and is never refused: it is answered from
 * memory.
 */
import { asksForAll, endsAsQuestion } from '../../english/sentences.js';
import { withoutClosing } from '../../domain/memory/identities.js';
import { anyOf, wordsOf } from '../../english/patterns.js';
import { announcement } from './listed.js';
import { asStatement, withoutOpening } from './politeness.js';
import { smallTalk } from './small-talk.js';

export type Unit =
  /** `listed`: how its content may hold several memories (listed.ts). */
  | { kind: 'remember'; text: string; type: string; listed?: 'announced' | 'joined' }
  /** Word for word. */
  | { kind: 'forget'; text: string }
  /** `content` word for word, and what is so instead. */
  | { kind: 'correct'; content: string; to: string }
  /** To forget what is not named word for word. */
  | { kind: 'forgetAbout'; text: string }
  | { kind: 'send'; to: string; text: string }
  /** `hive` is null for the agent's only hive; 'all' means each of them. */
  | { kind: 'share'; text: string; hive: string | null }
  | { kind: 'ask'; text: string }
  /** A question or a topic. */
  | { kind: 'recall'; text: string }
  | { kind: 'say'; text: string }
  /** Small talk, with the answer to it. */
  | { kind: 'chat'; reply: string }
  /** What was said before in this conversation. */
  | { kind: 'said' }
  | { kind: 'identity' }
  | { kind: 'help' }
  | { kind: 'steps'; steps: number; rest: string }
  /** An order that nothing here carries out. */
  | { kind: 'cannot'; text: string }
  | { kind: 'statement'; text: string };

export interface Parsed {
  unit: Unit;
  /** The content after a colon extends to the end of the line, which the caller passes. */
  takesLine: boolean;
}

/** Strips polite and imperative words before the verb. */
export const plain = (sentence: string): string => withoutOpening(sentence).text;

const strongRemember = /^(?:remember|memori[sz]e|keep in mind|bear in mind|do(?: not|n['’]t) forget|never forget)\b/i;
const weakRemember = /^(?:note|take note|make a note|for the record|save|store|write down)\b/i;
const asType = /^\s+(?:this\s+)?as\s+(?:an?\s+)?([a-z][\w.-]{0,63})(?:\s+memory)?(?=\s*:|\s+that\b)/i;
const colon = /^(?:\s+this)?\s*[:：]\s*/;
const that = /^(?:\s*,)?\s+that\b\s*/i;

function remember(s: string): Parsed | null {
  const verb = strongRemember.exec(s) ?? weakRemember.exec(s);
  if (!verb) return null;
  let rest = s.slice(verb[0].length).replace(/^\s+for me\b(?=\s*:|\s*,?\s+that\b)/i, '');
  let type = 'semantic';
  const typed = asType.exec(rest);
  if (typed) {
    type = (typed[1] ?? type).toLowerCase();
    rest = rest.slice(typed[0].length);
  }
  const announced = announcement.exec(rest);
  const marked = announced ?? colon.exec(rest) ?? that.exec(rest);
  // "Remember when we met?" is a question; "remember that it rained?" is not.
  if (!marked && (!strongRemember.test(s) || endsAsQuestion(s) || !/^\s/.test(rest))) return null;
  const content = rest.slice(marked?.[0].length ?? 0).trim();
  if (content === '' && !marked?.[0].includes(':')) return null;
  const takesLine = announced !== null || colon.test(rest);
  const listed = announced ? { listed: 'announced' as const } : takesLine ? {} : { listed: 'joined' as const };
  return { unit: { kind: 'remember', text: content, type, ...listed }, takesLine };
}

/** "Forget that the launch is in May", "forget: ...", "forget about the launch". */
function forget(s: string): Parsed | null {
  const found = /^(?:forget|unlearn)\b/i.exec(s);
  if (!found) return null;
  const rest = s.slice(found[0].length);
  const marked = colon.exec(rest) ?? that.exec(rest);
  const content = withoutClosing(rest.slice(marked?.[0].length ?? 0)).trim();
  if (marked) return content === '' ? null : { unit: { kind: 'forget', text: content }, takesLine: false };
  const query = content.replace(/^about\s/i, '');
  return /^\s/.test(rest) && query !== '' ? { unit: { kind: 'forgetAbout', text: query }, takesLine: false } : null;
}

/** "Correct that the gate is B2 to the gate is C3": both as whole statements, which begin alike. */
function correct(s: string): Parsed | null {
  const found = /^correct(?:\s+that\b|\s*[:：])\s*/i.exec(s);
  if (!found) return null;
  const [content = '', to] = inTwo(s.slice(found[0].length));
  const unit: Unit = to === undefined ? { kind: 'cannot', text: s } : { kind: 'correct', content, to };
  return { unit, takesLine: false };
}

const firstWord = (text: string): string => (/^\S+/.exec(text)?.[0] ?? '').toLowerCase();
function inTwo(text: string): string[] {
  for (let at = text.indexOf(' to '); at > 0; at = text.indexOf(' to ', at + 1))
    if (firstWord(text.slice(at + 4)) === firstWord(text)) return [text.slice(0, at), text.slice(at + 4).trim()];
  return [];
}

const hivePart =
  /^\s+with\s+(?:(?:hive\s+)?(hive_[0-9a-z]+)|((?:all|every|each)\b[\w ]{0,20}\bhives?|(?:my|the|our)\s+hives)|(?:my|the|our)\s+hive|hive)\b/i;
const hiveAtEnd =
  /\s+with\s+(?:(?:hive\s+)?(hive_[0-9a-z]+)|((?:all|every|each)\b[\w ]{0,20}\bhives?|(?:my|the|our)\s+hives)|(?:my|the|our)\s+hive)\s*[.!]?$/i;
const hiveOf = (match: RegExpExecArray): string | null => match[1] ?? (match[2] ? 'all' : null);

function share(s: string): Parsed | null {
  if (!/^share\b/i.test(s)) return null;
  const rest = s.slice('share'.length);
  const hive = hivePart.exec(rest);
  const after = hive ? rest.slice(hive[0].length) : rest;
  const marked = colon.exec(after) ?? that.exec(after);
  if (marked)
    return {
      unit: { kind: 'share', text: after.slice(marked[0].length).trim(), hive: hive ? hiveOf(hive) : null },
      takesLine: colon.test(after),
    };
  // A hive's name is short: searching the end alone keeps the search bounded.
  const cutAt = Math.max(0, rest.length - 120);
  const end = hiveAtEnd.exec(rest.slice(cutAt));
  const content = end
    ? rest
        .slice(0, cutAt + end.index)
        .replace(that, '')
        .trim()
    : '';
  return end && content !== '' ? { unit: { kind: 'share', text: content, hive: hiveOf(end) }, takesLine: false } : null;
}

const human = /^(?:ask|check with|consult)\s+(?:an?|the|my|some)\s+(?:human|person|operator)\b(?:\s+being\b)?/i;

function askHuman(s: string): Parsed | null {
  const who = human.exec(s);
  if (!who) return null;
  const rest = s.slice(who[0].length);
  const marked = colon.exec(rest);
  const question = rest.slice(marked?.[0].length ?? 0).trim();
  return question === '' && !marked ? null : { unit: { kind: 'ask', text: question }, takesLine: marked !== null };
}

const sendVerb = /^(?:tell|ask|(?:write|send)\s+(?:(?:a\s+)?message\s+)?to)\s+/i;
const separator = /[:：]|\s(?=(?:that|to|whether|if|when|where|who|what|why|how|which|about)\s)/i;
const longestName = 200;
const nobody: ReadonlySet<string> = new Set(
  'him her them it everyone everybody anyone somebody someone people yourself myself'.split(' '),
);

/**
 * The recipient at the start of `rest`, and where the sentence continues. A single bare word is accepted after "tell"
 * only.
 */
function recipient(rest: string, bare: boolean): { to: string; after: string } | null {
  const quoted = /^["“]([^"”]{1,200})["”]/.exec(rest);
  const id = /^agent_[0-9a-z]+/i.exec(rest);
  if (quoted) return { to: (quoted[1] ?? '').trim(), after: rest.slice(quoted[0].length) };
  if (id) return { to: id[0], after: rest.slice(id[0].length) };
  const found = separator.exec(rest.slice(0, longestName)) ?? (bare ? /\s/.exec(rest.slice(0, longestName)) : null);
  if (!found) return null;
  const to = rest
    .slice(0, found.index)
    .replace(/^the agent\s+/i, '')
    .trim();
  return to === '' ? null : { to, after: rest.slice(found.index) };
}

/** The content for the recipient: verbatim, but without a leading "that" or "to", and "about X" becomes a question. */
function saidTo(after: string): { content: string } | null {
  const content = after
    .replace(/^\s*[:：]\s*|^(?:\s*,)?\s+(?:that|to)\b\s*/i, '')
    .replace(/^\s*about\s+/i, 'what do you know about ')
    .trim();
  return content === '' && !colon.test(after) ? null : { content };
}

function send(s: string): Parsed | null {
  const verb = sendVerb.exec(s);
  if (!verb) return sendTo(s);
  const who = recipient(s.slice(verb[0].length), /^tell\b/i.test(s));
  const said = who && saidTo(who.after);
  if (!who || !said) return sendTo(s);
  const takesLine = colon.test(who.after);
  const to = who.to.toLowerCase();
  const asQuestion = { kind: 'recall' as const, text: said.content.replace(/^what do you know about /, '') };
  if (to === 'me' || to === 'us') return { unit: asQuestion, takesLine };
  if (/^(?:the|my|our) hive$/.test(to))
    return { unit: /^ask/i.test(s) ? asQuestion : { kind: 'share', text: said.content, hive: null }, takesLine };
  return nobody.has(to) ? null : { unit: { kind: 'send', to: who.to, text: said.content }, takesLine };
}

/** "Send hello to Ana". */
function sendTo(s: string): Parsed | null {
  const at = /^send\s/i.test(s) ? s.lastIndexOf(' to ') : -1;
  const content = s.slice(5, Math.max(5, at)).trim();
  const to = s
    .slice(at + 4)
    .replace(/[.!]$/, '')
    .replace(/^["“]|["”]$/g, '')
    .trim();
  return at < 0 ||
    content === '' ||
    !/^[^\s:]+(?:\s[^\s:]+){0,3}$/.test(to.slice(0, longestName + 1)) ||
    to.length > longestName ||
    nobody.has(to.toLowerCase())
    ? null
    : { unit: { kind: 'send', to, text: content }, takesLine: false };
}

const topic =
  /^(?:recall|look up|search (?:your |my )?memor(?:y|ies) for|(?:do|can) you (?:know|remember) (?:anything|something) about|what (?:do|can) (?:you|i|we) (?:know|remember|recall)(?: about| of)?|(?:what (?:did|have)|did|have) (?:i|we|you) (?:ever |just |already )?(?:say|said|tell you|told you|tell me|told me|mention(?:ed)?|write|written|wrote)(?: to you)?(?: (?:anything|something))?(?: (?:earlier|before|yesterday|today))? (?:about|of|on))(?:\s*:\s*|\s+)/i;
const saidBefore =
  /^(?:what (?:did|have) (?:i|we|you) (?:just |last )?(?:say|said|tell you|told you|tell me|told me|ask(?:ed)?(?: you)?|talk(?:ed)? about|discuss(?:ed)?)|repeat (?:that|what (?:i|you) said)|what was (?:my|your) last (?:message|question|answer))(?: (?:before|earlier|so far|just now|last|again|to you))*[\s?.!]*$/i;
const numbers: readonly string[] = 'one two three four five six seven eight nine ten'.split(' ');
const inSteps = new RegExp(
  `^(?:work|think|reason|go on|take)\\b[a-z ]{0,30}?\\b(\\d{1,3}|${anyOf(...numbers)})\\s+steps?\\b`,
  'i',
);
const asking =
  /^(?:(?:who|what|when|where|how)s?|whom|whose|why|which|is|are|was|were|do|does|did|has|have|had|may|might|can|could|will|would|should)\b/i;

/** A number in digits, or in words up to ten. */
export const numberOf = (text: string): number => numbers.indexOf(text.toLowerCase()) + 1 || Number(text);

/** Nesting ends here: the caller parses `rest` as a line of its own. */
export function stepsOf(s: string): { steps: number; rest: string } | null {
  const found = inSteps.exec(s);
  const steps = numberOf(found?.[1] ?? '');
  if (!found || !(steps >= 1)) return null;
  const rest = s.slice(found[0].length);
  const about = /^\s+(?:about|on)\s+/i.exec(rest);
  return {
    steps: Math.min(100, steps),
    rest: about
      ? `recall ${rest.slice(about[0].length)}`
      : rest
          .replace(/^\s*[:,–-]\s*/, '')
          .replace(/^\s+to\s+/i, '')
          .trim(),
  };
}

function said(s: string): Parsed | null {
  const match = /^(?:say|answer|echo)\s*[:：]\s*/i.exec(s);
  return match ? { unit: { kind: 'say', text: s.slice(match[0].length).trim() }, takesLine: true } : null;
}

/** "Remind me what the wifi password is", "show me the door code" */
const lookUp =
  /^(?:remind|show|give|find)\s+(?:me|us)\s+(?:(?:of|about)\s+)?(?!(?:to|that|at|in|on|an?|if|when|every|tomorrow|later|again|tonight|next)\b(?!.*\?$))/i;
/** Orders that only somebody with hands, a clock or other programs could carry out. */
const order = new RegExp(
  `^(?:${anyOf(
    wordsOf('remind wake share'),
    `${wordsOf(
      'add book bring buy calculate cancel check close compute convert create delete draft email explain fetch',
      'find fix forward give google inform invite message notify order open pay play post print publish read remove rename run schedule',
      'search send set show start stop summari[sz]e switch text translate turn update write',
    )}(?!.*\\b${wordsOf('is are was were has had will')}\\b)`,
  )})\\s+(?:${wordsOf(
    'me us him her them it this that these those the an? my our your all some everyone everybody up on off for to with',
  )}\\b|\\p{Lu}|\\d)`,
  'iu',
);

function asked(s: string): Parsed | null {
  if (/^who are you\b|^what(?:['’]s| is) your name\b/i.test(s)) return { unit: { kind: 'identity' }, takesLine: false };
  if (
    /^(?:help(?: me)?|i need help|what can you do|how (?:do|can|should) i (?:use|talk to|ask) (?:you|this)|how do(?:es)? (?:you|this|it) work)[\s?.!]*$/i.test(
      s,
    )
  )
    return { unit: { kind: 'help' }, takesLine: false };
  const looked = lookUp.exec(s);
  if (looked && s.length > looked[0].length && !asksForAll(s))
    return { unit: { kind: 'recall', text: s.slice(looked[0].length).trim() }, takesLine: false };
  if (asksForAll(s)) return { unit: { kind: 'recall', text: s }, takesLine: false };
  if (saidBefore.test(s)) return { unit: { kind: 'said' }, takesLine: false };
  const about = topic.exec(s);
  const query = about
    ? s
        .slice(about[0].length)
        .trim()
        .replace(/[?.!]$/, '')
    : '';
  return query === '' ? null : { unit: { kind: 'recall', text: query }, takesLine: false };
}

type Reader = (s: string) => Parsed | null;
const steps: Reader = (s) => {
  const found = stepsOf(s);
  return found && { unit: { kind: 'steps', ...found }, takesLine: true };
};

/** Readers by first word, so that most sentences are tested against few patterns. */
const readers: ReadonlyMap<string, readonly Reader[]> = new Map(
  Object.entries({
    'remember memorise memorize keep bear don never note make for save store': [remember],
    do: [remember, asked],
    take: [steps, remember],
    write: [remember, send],
    'go work think reason': [steps],
    share: [share],
    ask: [askHuman, send],
    'check consult': [askHuman],
    'tell send': [asked, send],
    'say answer echo': [said],
    'forget unlearn': [forget],
    correct: [correct],
    'who what help recall look search did have can list show give find remind recite summarize summarise everything repeat how i':
      [asked],
  }).flatMap(([words, list]) => words.split(' ').map((word) => [word, list] as const)),
);

function instruction(s: string): Parsed | null {
  for (const read of readers.get(/^[a-z]{2,12}/i.exec(s)?.[0].toLowerCase() ?? '') ?? []) {
    const found = read(s);
    if (found) return found;
  }
  return null;
}

/** "Can you remember my birthday is in May?" tells something, "can you remember my birthday?" asks for it. */
function toldInPassing(s: string): Parsed | null {
  const told =
    /^remember\s+(?!(?:who|whom|whose|what|when|where|why|which|how|if|whether)\b)(.{2,}\s(?:is|are|was|were)\s.+)$/i.exec(
      s,
    );
  return told ? { unit: { kind: 'remember', text: told[1] ?? '', type: 'semantic' }, takesLine: false } : null;
}

/** Takes politeness off what is to be kept or passed on. */
function asStatements(unit: Unit, asked: boolean): Unit {
  return unit.kind === 'remember' || unit.kind === 'send' || unit.kind === 'share'
    ? { ...unit, text: asStatement(unit.text, asked) }
    : unit;
}

/**
 * Parses what a sentence asks for. `continues` means that it follows an instruction on the same line, so that without a
 * question mark it may belong to that instruction.
 * `asked`: it is a part of a sentence that began with "can you".
 */
export function parseSentence(sentence: string, continues: boolean, asked = false): Parsed {
  const reply = smallTalk(sentence);
  if (reply !== null) return { unit: { kind: 'chat', reply }, takesLine: false };
  const { text: s, asked: askedHere } = withoutOpening(sentence);
  const askedTo = asked || askedHere;
  const found = instruction(s) ?? (askedTo ? toldInPassing(s) : null);
  if (found) return found.takesLine ? found : { unit: asStatements(found.unit, askedTo), takesLine: false };
  if (!continues && !endsAsQuestion(s) && order.test(s))
    return { unit: { kind: 'cannot', text: sentence }, takesLine: false };
  const isQuestion = endsAsQuestion(s) || (!continues && asking.test(s));
  return {
    unit: isQuestion ? { kind: 'recall', text: sentence } : { kind: 'statement', text: sentence },
    takesLine: false,
  };
}
