/** Learning from many people: side by side, behind a bounded line, and giving way to runs (Learner.Q1, Learnt.N4). */
import { expect } from 'chai';
import { spawnAgent } from '../../../src/commands/agents.js';
import { createMetrics } from '../../../src/telemetry/metrics.js';
import type { Extraction, SaidToLearn } from '../../../src/reasoner/port.js';
import { answers, caller, eventually, skippingClock, type Script } from '../../helpers/engine.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import { overStores, type Running } from './kit.js';

const config = { model: 'one/test', memory: { context_tokens: 0 } };
const usage = { requests: 1, inputTokens: 20, cachedInputTokens: 0, outputTokens: 5 };
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
/** A model server with one place, which a run finds taken by learning or not. */
class OneSlot {
  learning = 0;
  runs = 0;
  mostLearning = 0;
  /** Runs that found the place taken by learning. */
  waited = 0;
  gaveWay = 0;
  asked: string[] = [];
  gate: Promise<unknown> = Promise.resolve();
  readonly script: Script = async () => {
    if (this.learning > 0) this.waited++;
    this.runs++;
    await turn();
    this.runs--;
    return answers('so');
  };
  readonly extract = async (
    said: readonly SaidToLearn[],
    _known: unknown,
    signal: AbortSignal,
  ): Promise<Extraction> => {
    this.mostLearning = Math.max(this.mostLearning, ++this.learning);
    // the server is free as soon as the connection is gone
    const gone = new Promise<void>((resolve) => {
      signal.addEventListener(
        'abort',
        () => {
          this.learning--;
          resolve();
        },
        { once: true },
      );
    });
    await Promise.race([this.gate.then(turn).then(turn), gone]);
    if (signal.aborted) this.gaveWay++;
    signal.throwIfAborted();
    this.learning--;
    this.asked.push(...said.map(({ content }) => content));
    return { spans: said.map(({ content }, at) => ({ turn: at, quote: content })), usage };
  };
}

overStores('Learning from many', (bed) => {
  const spawn = async (e: Running, more: object = {}): Promise<string> =>
    (await e.service.execute(caller, spawnAgent, {}, { name: 'Desk', config: { ...config, ...more } })).id;
  const fact = (n: number): string => `I live at number ${n}, Harbour Street.`;
  const tell = (e: Running, agent: string, n: number) =>
    e.service.messageAgent(caller, agent, { content: fact(n), subject: `person ${n}` });
  const head = async (agent: string) => (await bed.store.head({ workspace: 'default', kind: 'agent', id: agent }))!;
  const isOver = async (agent: string): Promise<boolean> => {
    const { snapshot } = await head(agent);
    return snapshot['toLearn'] === undefined && snapshot['learnLater'] === undefined;
  };
  const whoIsKnown = async (e: Running, agent: string, people: number): Promise<number> => {
    let known = 0;
    for (let n = 0; n < people; n++) {
      const { items } = await e.service.listMemories(
        caller,
        { agent_id: agent, subject: `person ${n}` },
        { sort: 'created_at', order: 'asc', limit: 5 },
      );
      if (items.length === 1 && items[0]?.content.includes(`number ${n},`)) known++;
    }
    return known;
  };

  it('learns hundreds of people on a server with one place, and no run waits behind that', async function scale() {
    this.timeout(120_000);
    const people = bed.store instanceof MemoryStore ? 500 : 100;
    const clock = skippingClock();
    const slot = new OneSlot();
    const metrics = createMetrics();
    const learning = { atOnce: 4, servers: new Map([['one', 1]]) };
    const e = await bed.start(slot.script, { extract: slot.extract, clock, learning, metrics });
    const agent = await spawn(e);
    for (let n = 0; n < people; n += 5) {
      await Promise.all([0, 1, 2, 3, 4].map((more) => tell(e, agent, n + more)));
      // a while in which nobody speaks
      if (n % 50 === 0) {
        clock.skip(1100);
        await turn();
        await turn();
      }
    }
    await eventually(() => {
      clock.skip(1100);
      return isOver(agent);
    }, 'the end of learning');
    expect(await whoIsKnown(e, agent, people)).to.equal(people);
    expect([slot.waited, slot.mostLearning]).to.deep.equal([0, 1]);
    const text = await metrics.text();
    expect(text).to.match(/^hivekeep_learning_waiting_runs 0$/m);
    expect(text).to.include(`hivekeep_learning_runs_total{outcome="learnt"} ${people}\n`);
  });

  it('gives way to a run in the middle of a request, and asks again', async () => {
    const clock = skippingClock();
    const slot = new OneSlot();
    let open: () => void = () => undefined;
    slot.gate = new Promise<void>((resolve) => (open = resolve));
    const learning = { servers: new Map([['one', 1]]) };
    const e = await bed.start(slot.script, { extract: slot.extract, clock, learning });
    const agent = await spawn(e);
    await tell(e, agent, 1);
    await eventually(() => Promise.resolve(slot.learning === 1));
    await tell(e, agent, 2);
    expect([slot.gaveWay, slot.runs, slot.asked]).to.deep.equal([1, 0, []]);
    open();
    await eventually(() => {
      clock.skip(1100);
      return isOver(agent);
    });
    expect(await whoIsKnown(e, agent, 3)).to.equal(2);
  });

  it('asks about several subjects side by side, of each once at a time, within the bound', async () => {
    const slot = new OneSlot();
    let open: () => void = () => undefined;
    slot.gate = new Promise<void>((resolve) => (open = resolve));
    const e = await bed.start(slot.script, { extract: slot.extract, learning: { atOnce: 3 } });
    const agent = await spawn(e);
    for (let n = 0; n < 8; n++) await tell(e, agent, n);
    for (let n = 0; n < 3; n++)
      await e.service.messageAgent(caller, agent, { content: `${fact(0)} And ${n}.`, subject: 'person 0' });
    await eventually(() => Promise.resolve(slot.learning === 3));
    open();
    await eventually(async () => (await whoIsKnown(e, agent, 8)) >= 7);
    expect(slot.mostLearning).to.equal(3);
  });

  it('loses nobody of a line that is too long, through kill -9 and deletion', async function line() {
    this.timeout(60_000);
    const clock = skippingClock();
    const closed = new OneSlot();
    closed.gate = new Promise(() => undefined);
    let e = await bed.start(closed.script, { extract: closed.extract, clock, learning: { atOnce: 2 } });
    const agent = await spawn(e);
    for (let n = 0; n < 230; n += 10) await Promise.all(Array.from({ length: 10 }, (_, i) => tell(e, agent, n + i)));
    const { snapshot } = await head(agent);
    expect([(snapshot['toLearn'] as string[]).length, snapshot['learnLater']]).to.deep.equal([100, 130]);
    e.kill();
    const open = new OneSlot();
    e = await bed.start(open.script, { extract: open.extract, clock, learning: { atOnce: 2 } });
    await eventually(() => Promise.resolve(open.asked.length > 60));
    e.kill();
    const last = new OneSlot();
    e = await bed.start(last.script, { extract: last.extract, clock, learning: { atOnce: 2 } });
    await tell(e, agent, 230);
    await eventually(() => {
      clock.skip(1100);
      return isOver(agent);
    }, 'the end of learning');
    expect(await whoIsKnown(e, agent, 231)).to.equal(231);
  });

  it('stops where the budget of the month is used up (Budgets.C2)', async () => {
    const clock = skippingClock();
    const slot = new OneSlot();
    let open: () => void = () => undefined;
    slot.gate = new Promise<void>((resolve) => (open = resolve));
    const metrics = createMetrics();
    const e = await bed.start(slot.script, { extract: slot.extract, clock, learning: { atOnce: 1 }, metrics });
    const agent = await spawn(e, { budget: { tokens_per_month: 40 } });
    for (let n = 0; n < 4; n++) await tell(e, agent, n);
    await eventually(() => Promise.resolve(slot.learning === 1));
    open();
    await eventually(() => {
      clock.skip(11_000);
      return isOver(agent);
    });
    // the second request has used it up
    expect(slot.asked).to.have.length(2);
    expect(await metrics.text()).to.match(/^hivekeep_learning_runs_total\{outcome="left"\} 2$/m);
  });
});
