/**
 * Takes politeness off a request, so that "Could you please remember that ..., thanks?" reads like "remember that ...".
 * Every pattern is anchored or looks at the end of a text only.
 */

const opening =
  /(?:please|pls|plz|kindly|okay|ok|hey|hi|hello|so|now|then|and|also|next|first|finally|just|(?:i (?:was wondering|wonder|would be grateful|['’]d be grateful) if you (?:can|could|would)|(?:can|could|would|will) you(?: be so kind as to| be able to)?|(?:is|would) it (?:be )?possible (?:for you )?to)|be so kind(?: as to| and)|i want you to|i need you to|i(?: would|['’]d) like you to|you should|you must|make sure (?:that you|you|to)|do me a favou?r(?: and|:)?|if you (?:don['’]t mind|can|could|would)|if possible)\b[\s,!]*/iy;
const asksWhether = /^(?:(?:can|could|would|will|do) you|i wonder|i was wondering|is it|would it)\b/i;
export interface Plain {
  /** The sentence from its verb on. */
  text: string;
  /** It was put as a question: "Could you ...?" */
  asked: boolean;
}

/** Strips what stands before the verb of a request. */
export function withoutOpening(sentence: string): Plain {
  let at = 0;
  let asked = false;
  for (opening.lastIndex = 0; opening.test(sentence) && opening.lastIndex > at;) {
    asked ||= asksWhether.test(sentence.slice(at, opening.lastIndex));
    at = opening.lastIndex;
  }
  if (at >= sentence.length) return { text: sentence, asked: false };
  return { text: sentence.slice(at), asked };
}

/** How far from its end a content is searched. */
const lookedAt = 60;
const closing =
  /(?:,\s*|\s+)(?:please|thanks|thank you|thx|cheers|ok|okay|alright|will you|would you|can you|could you|if you (?:can|could|would|don['’]t mind))(?:\s+(?:so much|very much|a lot))?\s*[.!?]*$/i;
const forMe = /\s+for me(?=\s*[.!?]*$)/i;
const questions =
  /^(?:who|whom|whose|what|when|where|why|which|how|whether|if|is|are|do|does|did|can|could|will|would)\b/i;

/** The content of a polite request as a statement: "the gate closes at 8, please?" is "the gate closes at 8". */
export function asStatement(content: string, asked: boolean): string {
  const at = Math.max(0, content.length - lookedAt);
  const before = content.slice(0, at);
  let end = content.slice(at).replace(closing, '');
  if (asked) {
    end = end.replace(forMe, '');
    if (!questions.test(content)) end = end.replace(/\s*\?+$/, '');
  }
  const kept = `${before}${end}`.trimEnd();
  return kept === '' ? content : kept;
}
