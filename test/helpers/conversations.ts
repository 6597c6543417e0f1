/**
 * Conversations with questions and the turns that answer them (evidence), put through the recall index directly: how
 * much of what a question needs is found. The data sets are for evaluation only and no part of this repository; they
 * are looked for beside the checkout, in ../shared/data.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RecallDocument } from '../../src/memory/port.js';
import { createRecall } from '../../src/memory/recall.js';
import { encodeTime } from '../../src/domain/shared/ids.js';
import type { Scorer } from '../../src/memory/scorer.js';

interface Turn {
  text: string;
  session: string;
  /** A question with its answer, where the data says so. */
  exchange?: string;
  date?: string;
  speaker: string;
}

interface Question {
  q: string;
  category: string;
  /** Indexes of turns. */
  evidence: number[];
}

export interface Conversation {
  id: string;
  turns: Turn[];
  questions: Question[];
}

export interface Given {
  /** What a session is: as in the data, each question with its answer, all turns, or none. */
  sessions: 'session' | 'exchange' | 'one' | 'none';
  times: boolean;
  /** Whether it is told who is the assistant. */
  roles?: boolean;
}

export interface Quality {
  questions: number;
  r5: number;
  r10: number;
  mrr: number;
}

interface LocomoTurn {
  speaker: string;
  dia_id: string;
  text: string;
  blip_caption?: string;
}
interface Locomo {
  sample_id: string;
  conversation: Record<string, string | LocomoTurn[]>;
  qa: { question: string; category: number; evidence?: string[] }[];
}

const categories = ['', 'multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial'];

function fromLocomo({ sample_id, conversation, qa }: Locomo): Conversation {
  const turns: Turn[] = [];
  const at = new Map<string, number>();
  for (const [name, said] of Object.entries(conversation)) {
    if (!/^session_\d+$/.test(name) || typeof said === 'string') continue;
    const date = /(\d{1,2} \w+, \d{4})/.exec(conversation[`${name}_date_time`] as string)?.[1];
    for (const { speaker, dia_id, text, blip_caption } of said) {
      at.set(dia_id, turns.length);
      turns.push({
        text: `${speaker}: ${text}${blip_caption === undefined ? '' : ` [shares ${blip_caption}]`}`,
        session: name,
        speaker,
        ...(date !== undefined && { date: new Date(`${date} UTC`).toISOString() }),
      });
    }
  }
  // "D8:6; D9:17" names two turns, "D:11:26" is D11:26, "D30:05" is D30:5
  const indexes = (evidence: readonly string[]): number[] => [
    ...new Set(
      evidence
        .flatMap((e) => [...e.matchAll(/D:?(\d+):(\d+)/g)])
        .flatMap((m) => at.get(`D${Number(m[1])}:${Number(m[2])}`) ?? []),
    ),
  ];
  const questions = qa.map(({ question, category, evidence }) => ({
    q: question,
    category: categories[category] ?? '',
    evidence: indexes(evidence ?? []),
  }));
  return { id: sample_id, turns, questions: questions.filter(({ evidence }) => evidence.length > 0) };
}

/** Null if the data is not here. */
export function conversationsOf(name: 'locomo-dev' | 'beam-dev', users = false): Conversation[] | null {
  const file = fileURLToPath(new URL(`../../../shared/data/${name}.json`, import.meta.url));
  if (!existsSync(file)) return null;
  const data = JSON.parse(readFileSync(file, 'utf8')) as Conversation[] | Locomo[];
  const all = data.map((each) => ('conversation' in each ? fromLocomo(each) : each));
  return users ? all.map(ofUsers) : all;
}

/** Without what the assistant said. */
function ofUsers({ id, turns, questions }: Conversation): Conversation {
  const kept = turns.map(({ speaker }, i) => (speaker === 'assistant' ? -1 : i)).filter((i) => i >= 0);
  const place = new Map(kept.map((i, n) => [i, n]));
  return {
    id,
    turns: turns.filter(({ speaker }) => speaker !== 'assistant'),
    questions: questions
      .map((each) => ({ ...each, evidence: each.evidence.flatMap((e) => place.get(e) ?? []) }))
      .filter(({ evidence }) => evidence.length > 0),
  };
}

const idOf = (i: number): string => `mem_${encodeTime(1_790_000_000_000 + i)}${String(i).padStart(16, '0')}`;

function documentsOf(
  { id, turns }: Conversation,
  { sessions, times, roles = false }: Given,
  from: number,
): RecallDocument[] {
  return turns.map((turn, i): RecallDocument => {
    const session =
      sessions === 'one' ? 'all' : sessions === 'exchange' ? (turn.exchange ?? turn.session) : turn.session;
    return {
      kind: 'memory',
      id: idOf(from + i),
      type: 'episodic',
      content: turn.text.slice(0, 60_000),
      sessionId: sessions === 'none' ? null : `${id} ${session}`,
      position: sessions === 'none' ? null : i,
      expiresAt: null,
      occurredAt: times && turn.date !== undefined ? Date.parse(turn.date) : null,
      speaker: null,
      ...(roles && turn.speaker === 'assistant' && { byAssistant: true }),
      validUntil: null,
      importance: null,
    };
  });
}

/** All conversations as one agent, or each by itself. */
export async function qualityOf(
  conversations: readonly Conversation[],
  given: Given,
  { together = false, scorer }: { together?: boolean; scorer?: Scorer } = {},
): Promise<Quality & { byCategory: Map<string, Quality> }> {
  const byCategory = new Map<string, Quality>();
  const sum = emptyQuality();
  let first = 0;
  const starts = conversations.map(({ turns }) => (first += turns.length) - turns.length);
  for (const group of together ? [conversations] : conversations.map((each) => [each])) {
    const recall = createRecall({
      source: async function* () {
        for (const each of group) yield documentsOf(each, given, starts[conversations.indexOf(each)] ?? 0);
      },
      clock: { now: () => 0, elapsed: () => 0, after: () => () => undefined },
      maxBytes: 1e9,
      ...(scorer && { scorer }),
    });
    for (const each of group)
      for (const { q, category, evidence } of each.questions) {
        const hits = await recall.search({
          query: q,
          spaces: [{ workspace: 'w', kind: 'agent', id: 'a' }],
          limit: 20,
          minRelevance: 0,
          now: 1_790_000_000_000,
        });
        const wanted = new Set(evidence.map((e) => idOf((starts[conversations.indexOf(each)] ?? 0) + e)));
        const share = (k: number): number => hits.slice(0, k).filter((h) => wanted.has(h.id)).length / wanted.size;
        const found = hits.findIndex((h) => wanted.has(h.id));
        const of = byCategory.get(category) ?? emptyQuality();
        byCategory.set(category, of);
        for (const quality of [sum, of]) {
          quality.questions++;
          quality.r5 += share(5);
          quality.r10 += share(10);
          quality.mrr += found < 0 ? 0 : 1 / (found + 1);
        }
      }
  }
  for (const quality of [sum, ...byCategory.values()]) {
    quality.r5 *= 100 / quality.questions;
    quality.r10 *= 100 / quality.questions;
    quality.mrr /= quality.questions;
  }
  return { ...sum, byCategory };
}

const emptyQuality = (): Quality => ({ questions: 0, r5: 0, r10: 0, mrr: 0 });
export const qualityText = ({ r5, r10, mrr }: Quality): string =>
  `${r5.toFixed(1)} / ${r10.toFixed(1)} / ${mrr.toFixed(3)}`;
