/**
 * What an agent knows of its conversations does not depend on whether it was in memory (Conversation.V6): of two agents
 * to which the same is done, one is loaded anew between any two things.
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { listSessions } from '../../../src/commands/sessions.js';
import { ReasonerError } from '../../../src/reasoner/port.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import {
  answers,
  call,
  caller,
  does,
  eventually,
  testEngine,
  type Script,
  type TestEngine,
} from '../../helpers/engine.js';
import { newestFirst, oldestFirst } from './kit.js';
import { cancelRun, deleteRun, listRuns } from '../../../src/commands/runs.js';

type Does = 'answers' | 'asks' | 'acts' | 'fails' | 'hangs';
type Op =
  | { type: 'say'; does: Does; session: 'a' | 'b' }
  | { type: 'reply' | 'cancel' | 'delete'; nth: number }
  | { type: 'approve' | 'reject'; nth: number };

const nth = fc.nat(3);
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('say' as const),
      does: fc.constantFrom<Does>('answers', 'asks', 'acts', 'fails', 'hangs'),
      session: fc.constantFrom('a', 'b'),
    }),
  },
  fc.record({ type: fc.constantFrom('reply', 'cancel', 'cancel', 'delete', 'approve', 'reject'), nth }),
);

class World {
  readonly seen: string[] = [];
  private readonly askings = new Set<string>();
  readonly runs: string[] = [];
  private agent = '';
  private said = 0;
  private current!: TestEngine;

  constructor(
    private readonly unloads: boolean,
    private readonly store = new MemoryStore(),
  ) {}

  private readonly script: Script = (context, signal) => {
    const { run, turns, humanInputs, transcript } = context;
    // a step that is made again after a restart knows of what has happened since it was first made
    const asking = `${run.input} ${humanInputs.length}`;
    if ((transcript.length === 0 || humanInputs.length > 0) && !this.askings.has(asking)) {
      this.askings.add(asking);
      this.seen.push(
        `${run.input}: ${turns.map(({ role, content, became }) => `${role} ${content}${became ? ` (${became})` : ''}`).join(' | ')}`,
      );
    }
    if (humanInputs.length > 0 || transcript.length > 0) return answers(`${run.input} is done`);
    if (run.input.includes('asks')) return does(call('ask_human', { question: `${run.input}?` }));
    if (run.input.includes('acts')) return does(call('remember', { content: run.input }));
    if (run.input.includes('fails')) throw new ReasonerError('refused', 'no');
    if (!run.input.includes('hangs')) return answers(`${run.input} is answered`);
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  };

  private get service() {
    return this.current.engine.service;
  }

  async start(): Promise<void> {
    this.current = await testEngine(this.store, this.script);
    const config = { validation_gate: 'action' as const };
    this.agent = (await this.service.execute(caller, spawnAgent, {}, { name: 'Ada', config })).id;
  }

  async do(given: Op): Promise<void> {
    if (this.unloads) {
      await this.current.engine.stop(0);
      this.current = await testEngine(this.store, this.script);
    }
    if (given.type === 'say') await this.say(given);
    else await this.act(given).catch(() => undefined);
    await this.settled();
  }

  private async say({ does: what, session }: Extract<Op, { type: 'say' }>): Promise<void> {
    const input = `${++this.said} ${what}`;
    this.runs.push((await this.service.startRun(caller, this.agent, { input, sessionId: session })).id);
  }

  private async act({ type, nth: n }: Exclude<Op, { type: 'say' }>): Promise<void> {
    const { service, agent } = this;
    const id = this.runs[this.runs.length - 1 - n];
    if (id === undefined) return;
    if (type === 'cancel') await service.execute(caller, cancelRun, { id: agent, runId: id });
    else if (type === 'delete') await service.execute(caller, deleteRun, { id: agent, runId: id });
    else if (type === 'reply') await service.resumeRun(caller, agent, id, { input: 'so' });
    else await service.resumeRun(caller, agent, id, { decision: type });
  }

  /** Runs that hang, and those behind them, stay as they are. */
  private async settled(): Promise<void> {
    await eventually(async () => {
      const { items } = await this.service.execute(caller, listRuns, { id: this.agent }, { page: newestFirst });
      const hanging = items.filter(({ status, input }) => status === 'running' && input.includes('hangs'));
      return items.every(
        ({ status, sessionId, input }) =>
          !['pending', 'running'].includes(status) ||
          (hanging.some((run) => run.sessionId === sessionId) && (status === 'pending' || input.includes('hangs'))),
      );
    }, 'runs that have settled');
  }

  async end(): Promise<string> {
    const turns = await this.service.execute(caller, listSessions, { id: this.agent }, { page: oldestFirst });
    await this.current.engine.stop(0);
    return JSON.stringify(turns.items.map(({ opening }) => opening));
  }
}

describe('a conversation is one thing (property)', () => {
  it('Conversation.V6: an agent that is unloaded between any two things knows what one knows that is not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 2, maxLength: 12 }), async (ops) => {
        const worlds = [new World(false), new World(true)] as const;
        for (const world of worlds) {
          await world.start();
          for (const each of ops) await world.do(each);
          await world.do({ type: 'say', does: 'answers', session: 'a' });
          await world.end();
        }
        const [kept, unloaded] = worlds.map(({ seen }) => seen);
        expect(kept).to.deep.equal(unloaded);
      }),
      { numRuns: 40 },
    );
  });

  it('Conversation.V6: what was said in cancelled and waiting runs is told, with what became of it', async () => {
    for (const unloads of [false, true]) {
      const world = new World(unloads);
      await world.start();
      for (const what of ['asks', 'acts', 'hangs'] as const) await world.do({ type: 'say', does: what, session: 'a' });
      await world.do({ type: 'cancel', nth: 0 });
      await world.do({ type: 'say', does: 'fails', session: 'a' });
      await world.do({ type: 'say', does: 'answers', session: 'a' });
      await world.end();
      expect(world.seen.at(-1)).to.equal(
        '5 answers: user 1 asks | agent 1 asks? (waiting) | user 2 acts (waiting) | user 3 hangs (cancelled) | user 4 fails (failed)',
      );
    }
  });
});
