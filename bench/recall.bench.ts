/**
 * What a search costs at 1,000, 100,000 and 1,000,000 memories of one agent, in sessions of their own and all in one,
 * and what recall finds. The text is made: words drawn from a Zipf distribution over a vocabulary that grows with the
 * space, 12 to 40 words a memory; queries are 8 words of which four stand together in one memory, two are drawn by
 * frequency and two are stop words. Single thread, CPU time. The quality is measured on conversations that are no part
 * of the repository (test/helpers/conversations.ts).
 */
import type { RecallDocument } from '../src/memory/port.js';
import { createRecall } from '../src/memory/recall.js';
import { encodeTime } from '../src/domain/shared/ids.js';
import { conversationsOf, qualityOf, qualityText } from '../test/helpers/conversations.js';
import { percentile, type Bench, type Row } from './harness.js';
import { pick, randomSource, stops, textOf, word } from './words.js';

const space = { workspace: 'bench', kind: 'agent', id: 'agent_bench' } as const;
const clock = { now: () => Date.now(), elapsed: () => performance.now(), after: () => () => undefined };

const idOf = (i: number): string => `mem_${encodeTime(1_790_000_000_000 + i)}${String(i).padStart(16, '0')}`;

function queryOf(texts: readonly string[], random: () => number): string {
  const words = pick(texts, random).split(' ');
  const content = words
    .slice(Math.floor(random() * (words.length - 6)))
    .filter((w) => !stops.includes(w))
    .slice(0, 4);
  const any = (): string => pick(pick(texts, random).split(' '), random);
  return ['what', 'did', ...content, any(), any()].join(' ');
}

const documentOf = (i: number, content: string, sessionId: string): RecallDocument => ({
  kind: 'memory',
  id: idOf(i),
  type: 'episodic',
  content,
  sessionId,
  position: i,
  expiresAt: null,
  occurredAt: null,
  speaker: null,
  validUntil: null,
  importance: null,
});

/** CPU of each call, in milliseconds. */
function cpuOf(calls: number, call: (i: number) => unknown): number[] {
  return Array.from({ length: calls }, (_, i) => {
    const before = process.cpuUsage();
    call(i);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
}

async function atSize(size: number, sessions: 'own' | 'one'): Promise<Row[]> {
  const random = randomSource(size);
  const recall = createRecall({ source: async function* () {}, clock, maxBytes: 8e9 });
  const search = (query: string) => recall.search({ query, spaces: [space], limit: 10, minRelevance: 0, now: 0 });
  await search('warm up');
  const kept: string[] = [];
  const began = process.cpuUsage();
  for (let i = 0; i < size; i++) {
    const text = textOf(size, random);
    if (i % Math.ceil(size / 1000) === 0) kept.push(text);
    recall.put(space, documentOf(i, text, sessions === 'one' ? 'one' : `s${i}`));
  }
  const put = process.cpuUsage(began).user / size;
  const asked = Array.from({ length: 500 }, () => queryOf(kept, random));
  for (const query of asked.slice(0, 200)) void search(query);
  const samples = cpuOf(asked.length * 2, (i) => search(asked[i % asked.length] ?? ''));
  const common = cpuOf(50, () => search([0, 1, 2, 3, 4, 5, 6, 7].map(word).join(' ')));
  const name = `${size.toLocaleString('en-US')} memories, ${sessions === 'one' ? 'one session' : 'own sessions'}`;
  const [p50, p99] = [percentile(samples, 0.5), percentile(samples, 0.99)];
  const most = size > 100_000 ? ([6, 20] as const) : ([3, 10] as const);
  return [
    {
      what: `search, ${name}, p50`,
      figure: p50,
      unit: 'ms CPU',
      target: `<= ${most[0]}`,
      met: p50 <= most[0],
      note: `the 8 commonest words: ${percentile(common, 0.5).toFixed(1)} ms`,
    },
    {
      what: `search, ${name}, p99`,
      figure: p99,
      unit: 'ms CPU',
      target: `<= ${most[1]}`,
      met: p99 <= most[1],
      note: `write ${put.toFixed(0)} us with making the text; ${(recall.stats().bytes / size).toFixed(0)} bytes a memory`,
    },
  ];
}

async function quality(): Promise<Row[]> {
  const rows: Row[] = [];
  const sets = [
    ['two people', conversationsOf('locomo-dev')],
    ['with an assistant', conversationsOf('beam-dev')],
    ['what users said', conversationsOf('beam-dev', true)],
  ] as const;
  for (const [name, conversations] of sets)
    for (const sessions of ['session', 'exchange', 'one', 'none'] as const) {
      if (conversations === null) {
        rows.push({ what: `R@10, ${name}`, figure: NaN, unit: '%', note: 'skipped: the data is not here' });
        break;
      }
      const found = await qualityOf(conversations, { sessions, times: true });
      rows.push({
        what: `R@10, ${name}, sessions: ${sessions}`,
        figure: found.r10,
        unit: '%',
        note: qualityText(found),
      });
    }
  return rows;
}

export const bench: Bench = {
  name: 'recall',
  async run() {
    const rows = await quality();
    for (const size of [1_000, 100_000, 1_000_000])
      for (const sessions of ['own', 'one'] as const) rows.push(...(await atSize(size, sessions)));
    return rows;
  },
};
