/**
 * Exact facts are found among 10,000 and among 100,000 memories, whatever else is talked about (docs/recall.md, the
 * gate): 200 facts of four kinds, asked for in words of their own, among made conversations that use the same everyday
 * words.
 */
import { expect } from 'chai';
import type { RecallDocument } from '../../src/memory/port.js';
import { createRecall } from '../../src/memory/recall.js';

const here = { workspace: 'w', kind: 'agent', id: 'a' } as const;
const people = ['Marlow', 'Priya', 'Tobias', 'Ingrid', 'Kwame', 'Soledad', 'Anselm', 'Yuki', 'Bettina', 'Farid'];
const things = ['locker', 'bicycle', 'garage', 'safe', 'cabin', 'suitcase', 'boat', 'studio', 'archive', 'mailbox'];
const colours = ['teal', 'maroon', 'ochre', 'violet', 'amber'];
const talk = (
  'when did you go there what time is it now yesterday I went to the lake with my sister and we had a great day how many ' +
  'friends came last week my code did not work the number was wrong who owns this house where do you keep your old key ' +
  'it belongs to our neighbour under the stairs next month we will paint the kitchen again seven of us want a new plan'
).split(' ');

function randomSource(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T;

function fact(i: number): { content: string; query: string } {
  const who = pick(people, i);
  const thing = pick(things, Math.floor(i / 10));
  const colour = pick(colours, Math.floor(i / 4));
  const number = 1000 + ((i * 7919) % 9000);
  return pick(
    [
      { content: `${who}'s ${thing} code is ${number}.`, query: `When was ${number} used as ${who}'s ${thing} code?` },
      { content: `Ticket ABC-${number} is about the ${colour} ${thing}.`, query: `What is ABC-${number} about?` },
      { content: `Room ${number} belongs to ${who}.`, query: `Who does room ${number} belong to?` },
      {
        content: `${who} keeps key ${number} in the ${thing}.`,
        query: `How many times did I keep key ${number} there?`,
      },
    ],
    i,
  );
}

function conversations(size: number, random: (below: number) => number): RecallDocument[] {
  return Array.from({ length: size }, (_, i) => {
    const words = Array.from({ length: 6 + random(14) }, () => pick(talk, random(talk.length)));
    // Each conversation goes on about one person's thing, so that as a whole it says much of a question about them.
    const session = Math.floor(i / 25);
    const about = `${pick(people, session)} ${pick(things, Math.floor(session / 10))} ${pick(colours, session)} code key room`;
    const subject = random(3) > 0 ? `${about} ${about}` : '';
    return {
      kind: 'memory',
      id: `m${i}`,
      type: 'episodic',
      content: `${pick(people, random(10))}: ${words.join(' ')} ${subject}${random(3) === 0 ? '?' : '.'}`,
      sessionId: `s${session}`,
      position: i % 25,
      expiresAt: null,
      occurredAt: Date.UTC(2023, Math.floor(i / 900)),
      speaker: null,
      validUntil: null,
      importance: i % 2,
    };
  });
}

describe('exact facts among many memories', function () {
  this.timeout(120_000);

  for (const [size, where, place] of [
    [10_000, 'without a session', () => ({ sessionId: null, position: null })],
    [100_000, 'without a session', () => ({ sessionId: null, position: null })],
    [100_000, 'as turns of a conversation', (i: number) => ({ sessionId: `s${i}`, position: 12.5 })],
    [100_000, 'all in one session', (i: number) => ({ sessionId: 'facts', position: i })],
  ] as const)
    it(`200 of 200 are among the first ten of ${size}, ${where}`, async () => {
      const documents = conversations(size - 200, randomSource(9800));
      for (let i = 0; i < 200; i++)
        documents.push({ ...(documents[0] as RecallDocument), ...place(i), id: `fact${i}`, content: fact(i).content });
      const recall = createRecall({
        source: async function* () {
          yield documents;
        },
        clock: { now: () => 0, elapsed: () => 0, after: () => () => undefined },
        maxBytes: 1e9,
      });
      const missed: string[] = [];
      for (let i = 0; i < 200; i++) {
        const { query } = fact(i);
        const hits = await recall.search({ query, spaces: [here], limit: 10, minRelevance: 0, now: 0 });
        if (!hits.some((hit) => hit.id === `fact${i}`)) missed.push(query);
      }
      expect(missed).to.deep.equal([]);
    });
});
