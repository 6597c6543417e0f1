/**
 * Small talk, and languages that the grammar does not know. Neither is answered from memory, because a memory that
 * shares a word with "how are you" has nothing to do with it.
 */
import { anyOf, wordsOf } from '../../english/patterns.js';

/** A whole remark, in lower case and without marks. */
const whole = (...alternatives: readonly string[]): RegExp => new RegExp(`^${anyOf(...alternatives)}$`);
const is = '(?: is|s)';

const addressed = `(?: ${wordsOf('there again all everyone everybody friend buddy bot')})?`;
const greeting = whole(
  `${wordsOf('hi hello hey hiya howdy yo greetings welcome')}${addressed}`,
  `good ${wordsOf('morning afternoon evening day')}${addressed}`,
);
const thanks = whole(
  '(?:many |ok(?:ay)? |great |perfect )?(?:thanks|thank you|thx|ty|cheers|much appreciated|i appreciate it)' +
    '(?: (?:so much|a lot|very much|again|for (?:that|this|your help|the help|everything)|buddy|friend))?',
);
const goodbye = whole(
  'good ?bye|bye(?: bye)?|see you(?: (?:later|soon|tomorrow|then))?|see ya|good night|farewell|take care',
  'talk to you later',
);
const howAreYou = whole(
  `(?:so )?${anyOf(
    'how are you(?: (?:doing|feeling))?',
    `how${is} it going|how${is} life|how${is} your day|how was your (?:day|weekend)|how do you (?:do|feel)`,
    'what ?s up|whats new|sup|how are things',
    `are you ${wordsOf('ok okay well happy sad tired bored hungry')}`,
  )}(?: today| going)?`,
);
const acknowledgement = whole(
  'ok(?:ay)?|k|kk|cool|nice(?: one)?|great|good|fine|sure|al ?right|all right|perfect|awesome|amazing|wow|lol|rofl',
  'ha(?:ha)+|hehe|hm+|uh huh|yes|no|yep|yup|nope|yeah|nah|right|exactly|got it|i see|makes sense|never ?mind|sorry',
  'my bad|oops|no problem|no worries|sounds good|fair enough|whatever|interesting|really|nothing|forget it',
  'forget about it|nice to meet you|pleased to meet you|well done|good job|good bot|bad bot|not bad|test|testing|ping',
);
const amusement = whole(
  `(?:(?:can|could) you )?(?:please )?${anyOf(
    'tell (?:me )?(?:a|another) (?:joke|story|fairy tale|riddle)|make me laugh',
    '(?:sing|rap|dance)(?: .{1,40})?',
    `(?:write|compose) (?:me )?an? ${wordsOf('poem story song haiku essay joke')}(?: .{1,80})?`,
    'surprise me|entertain me|i am bored|im bored',
  )}`,
);
const replies: readonly (readonly [RegExp, string])[] = [
  [greeting, 'Hello. Ask me about what I was told, or tell me something to remember.'],
  [thanks, 'You are welcome.'],
  [goodbye, 'Goodbye.'],
  [howAreYou, 'I am a program without moods, and ready. What would you like to know?'],
  [acknowledgement, 'All right.'],
  [amusement, 'I make nothing up: I answer with what I was told.'],
];

const longest = 100;

/** The answer to small talk; null for anything else. */
export function smallTalk(sentence: string): string | null {
  if (sentence.length > longest) return null;
  const said = sentence
    .toLowerCase()
    .replace(/['’]/g, ' ')
    .replace(/\bwhat s\b/g, 'whats')
    .replace(/\bhow s\b/g, 'hows')
    .replace(/\byou re\b/g, 'youre')
    .replace(/\bi m\b/g, 'im')
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (said === '') return /\p{Extended_Pictographic}/u.test(sentence) ? 'All right.' : null;
  return replyTo(said) ?? (opening.test(said) ? replyTo(said.replace(opening, '')) : null);
}

const replyTo = (said: string): string | null => replies.find(([pattern]) => pattern.test(said))?.[1] ?? null;
/** "No, thanks" is thanks. */
const opening = /^(?:no|nope|nah|yes|yeah|yep|ok|okay|oh|well|alright|all right) (?=\S)/;

/** Common words of other languages in Latin script that are no English words. */
const foreignWords: ReadonlySet<string> = new Set(
  (
    'der das ist nicht und ich du wie wo wer ein eine einen mein meine dein ihr wir sie mir dir geht bist hast heißt ' +
    'heisst heisse kannst kann bitte danke guten wann warum auf mit für von zum zur dass oder auch noch wird sind ' +
    'weiß weißt weiss weisst über hallo tschüss ' +
    'le les une est je tu vous nous il elle où qui quel quelle quand comment pourquoi mon ma mes ton ta avec pas dans ' +
    'sur bonjour salut merci oui très suis êtes avez ' +
    'el los las una es está estás cómo qué dónde quién cuándo cuál mi su por para pero muy hola gracias buenos ' +
    'buenas días tengo soy eres ' +
    'gli che è sono dove chi quando come perché mio tuo della nel ciao grazie buongiorno stai ' +
    'não é você onde quem meu minha obrigado olá bom tudo bem uma dos ' +
    'het een niet waar wie mijn jij ben hoi dank ' +
    'är och inte jag hur var vad heter hej jest nie gdzie kto jak moje cześć dziękuję nerede merhaba teşekkürler ' +
    'nasılsın benim'
  ).split(' '),
);

const mayBeInAnotherScript = /[^\x00-\u024f]/;
/** Whether a text is in another language than English, as far as its letters and its common words tell. */
export function isForeign(text: string): boolean {
  const read = text.slice(0, 400);
  if (mayBeInAnotherScript.test(read)) {
    const letters = read.match(/\p{L}/gu) ?? [];
    const latin = letters.filter((c) => /\p{Script=Latin}/u.test(c)).length;
    if (letters.length >= 2 && latin < letters.length / 2) return true;
  }
  const words = read.toLowerCase().match(/\p{L}+/gu) ?? [];
  let foreign = 0;
  for (const word of words) if (foreignWords.has(word)) foreign++;
  return foreign > 0 && foreign * 3 >= words.length;
}

export const onlyEnglish = 'I understand English; in other languages I only look for the words.';
