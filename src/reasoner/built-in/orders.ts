/**
 * Standing orders: lines of `config.instructions` that the built-in reasoner understands. Other lines (a persona, a
 * style) are ignored, so that the same instructions can serve a language model.
 */
import { sentenceEnd } from '../../english/sentences.js';
import { numberOf, plain, stepsOf } from './grammar.js';

export interface Orders {
  /** Store every input and message, verbatim, as an episodic memory. */
  rememberAll: boolean;
  /** Share stored memories with the hive. */
  shareLearned: boolean;
  /** Agents to which every input and message is forwarded. */
  forwardTo: readonly string[];
  replyToSender: boolean;
  askFirst: boolean;
  /** The maximum number of quoted memories and reports in an answer. */
  sentences: number | null;
  steps: number | null;
}

const whenever =
  /^(?:when|whenever|if|each time|every time)\s+you\s+(?:get|receive|read|are sent)\s+(?:a|an|any)\s+(?:message|mail)\s*,?\s*/i;
const always = /^(?:always|never fail to)\s+/i;
const remembers =
  /^(?:remember|keep|store|save|note)\s+(?:everything|(?:every|all|each)(?:\s+\w+)?\s+(?:messages?|inputs?)|what you are told)\b/i;
const shares = /^share\s+(?:what(?:ever)?\s+you\s+learn|everything(?:\s+you\s+learn)?|what\s+you\s+remember)\b/i;
const forwards =
  /^(?:forward|pass on)\s+(?:everything|(?:every|all|each)\s+messages?)\s+(?:on\s+)?to\s+["“]?([^"”]{1,200})["”]?$/i;
const replies =
  /^(?:reply|answer|write back|respond)\s+(?:to\s+)?(?:the\s+sender|senders|every\s+(?:message|sender)|all\s+messages)\b/i;
const asks =
  /^(?:ask|check with|consult)\s+(?:an?|the|my)\s+(?:human|person|operator)\s+before\s+(?:answering|you\s+answer|every\s+answer)\b/i;
const lengths =
  /^(?:answer|reply|respond)\s+(?:briefly|in\s+(?:at most\s+)?(?:a single|(\d|one|two|three))\s+sentences?)\b/i;

const longestOrder = 300;
const mostForwards = 10;

export function parseOrders(instructions: string): Orders {
  const orders = {
    rememberAll: false,
    shareLearned: false,
    forwardTo: [] as string[],
    replyToSender: false,
    askFirst: false,
    sentences: null as number | null,
    steps: null as number | null,
  };
  for (const line of instructions.split(/\r?\n/)) {
    const text = line.trim().replace(/^(?:[-*•]|\d{1,3}[.)])\s+/, '');
    for (let at = 0; at < text.length;) {
      const end = sentenceEnd(text, at);
      if (end - at <= longestOrder) addOrder(orders, text.slice(at, end).trim().replace(/[.!]$/, ''));
      at = end;
    }
  }
  return orders;
}

function addOrder(
  orders: { -readonly [K in keyof Orders]: K extends 'forwardTo' ? string[] : Orders[K] },
  sentence: string,
): void {
  const s = plain(plain(sentence).replace(whenever, '').replace(always, ''));
  const forward = forwards.exec(s);
  const length = lengths.exec(s);
  if (remembers.test(s)) orders.rememberAll = true;
  else if (shares.test(s)) orders.shareLearned = true;
  else if (forward && orders.forwardTo.length < mostForwards) orders.forwardTo.push((forward[1] ?? '').trim());
  else if (replies.test(s)) orders.replyToSender = true;
  else if (asks.test(s)) orders.askFirst = true;
  else if (length) orders.sentences = Math.max(1, numberOf(length[1] ?? '1'));
  else orders.steps = stepsOf(s)?.steps ?? orders.steps;
}
