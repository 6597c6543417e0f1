/**
 * How much of what a question needs recall finds: LoCoMo, turn level, one conversation = one context, each turn one
 * memory. R@k is the mean share of a question's evidence among the first k hits; MRR the mean of one over the rank of
 * the first evidence. The data set is licensed for evaluation only and is not part of the project: without it the
 * suite is skipped.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { RecallDocument } from '../../src/memory/port.js';
import { createRecall } from '../../src/memory/recall.js';

interface Turn {
  speaker: string;
  dia_id: string;
  text: string;
  blip_caption?: string;
}
interface Conversation {
  sample_id: string;
  conversation: Record<string, string | Turn[]>;
  qa: { question: string; evidence?: string[] }[];
}

const file = fileURLToPath(new URL('../../../shared/data/locomo-dev.json', import.meta.url));
const agent = (id: string) => ({ workspace: 'locomo', kind: 'agent', id }) as const;

/** "1:56 pm on 8 May, 2023" */
function timeOf(text: string): number {
  const [, hour, minute, half, date] = /^(\d+):(\d+) (am|pm) on (.*)$/.exec(text) ?? [];
  return (
    Date.parse(`${date ?? ''} UTC`) + (((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * 60 + Number(minute)) * 60_000
  );
}

interface Given {
  sessions: boolean;
  times: boolean;
}

function documentsOf(conversation: Conversation['conversation'], given: Given): RecallDocument[] {
  const documents: RecallDocument[] = [];
  for (const [name, turns] of Object.entries(conversation)) {
    if (!/^session_\d+$/.test(name) || typeof turns === 'string') continue;
    turns.forEach((turn, position) =>
      documents.push({
        kind: 'memory',
        id: turn.dia_id,
        type: 'episodic',
        content: `${turn.speaker}: ${turn.text} ${turn.blip_caption ?? ''}`,
        sessionId: given.sessions ? name : null,
        position: given.sessions ? position : null,
        expiresAt: null,
        occurredAt: given.times ? timeOf(conversation[`${name}_date_time`] as string) : null,
        speaker: null,
        validUntil: null,
        importance: null,
      }),
    );
  }
  return documents;
}

/** "D8:6; D9:17" names two turns, "D:11:26" is D11:26, "D30:05" is D30:5; what names no turn is left out. */
function cleanEvidence(evidence: readonly string[], ids: ReadonlySet<string>): Set<string> {
  const found = evidence
    .flatMap((e) => [...e.matchAll(/D:?(\d+):(\d+)/g)])
    .map((m) => `D${Number(m[1])}:${Number(m[2])}`);
  return new Set(found.filter((id) => ids.has(id)));
}

async function evaluate(data: readonly Conversation[], given: Given) {
  let questions = 0;
  let at5 = 0;
  let at10 = 0;
  let reciprocal = 0;
  for (const { sample_id, conversation, qa } of data) {
    const documents = documentsOf(conversation, given);
    const ids = new Set(documents.map((d) => d.id));
    const recall = createRecall({
      source: async function* () {
        yield documents;
      },
      clock: { now: () => 0, elapsed: () => 0, after: () => () => undefined },
      maxBytes: 1e9,
    });
    for (const { question, evidence } of qa) {
      const wanted = cleanEvidence(evidence ?? [], ids);
      if (wanted.size === 0) continue;
      const hits = await recall.search({
        query: question,
        contexts: [agent(sample_id)],
        limit: 100,
        minRelevance: 0,
        now: 0,
      });
      const share = (k: number) => hits.slice(0, k).filter((h) => wanted.has(h.id)).length / wanted.size;
      const first = hits.findIndex((h) => wanted.has(h.id));
      questions++;
      at5 += share(5);
      at10 += share(10);
      reciprocal += first < 0 ? 0 : 1 / (first + 1);
    }
  }
  return { questions, r5: (100 * at5) / questions, r10: (100 * at10) / questions, mrr: reciprocal / questions };
}

describe('recall over LoCoMo', function () {
  this.timeout(60_000);
  let data: Conversation[];

  before(function () {
    if (!existsSync(file)) {
      process.stdout.write('    skipped: ../shared/data/locomo-dev.json is not here\n');
      this.skip();
    }
    data = JSON.parse(readFileSync(file, 'utf8')) as Conversation[];
  });

  it('finds the turns that answer, and better with the context of the session than without', async () => {
    const plain = await evaluate(data, { sessions: false, times: false });
    const untimed = await evaluate(data, { sessions: true, times: false });
    const full = await evaluate(data, { sessions: true, times: true });
    for (const [name, m] of [
      ['words alone', plain],
      ['with sessions', untimed],
      ['with sessions and times', full],
    ] as const) {
      process.stdout.write(
        `      ${name}: R@5 ${m.r5.toFixed(1)}, R@10 ${m.r10.toFixed(1)}, MRR ${m.mrr.toFixed(3)} (${m.questions} questions)\n`,
      );
    }
    expect(full.questions).to.be.above(900);
    expect(untimed.r5).to.be.above(plain.r5 + 5);
    expect(untimed.r10).to.be.above(82);
    expect(full.r10).to.be.above(84);
    expect(full.r5).to.be.above(75);
    expect(full.mrr).to.be.above(0.64);
  });
});
