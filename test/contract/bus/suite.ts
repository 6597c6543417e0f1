/**
 * What every adapter of src/bus/port.ts has to pass. Delivery may take a moment, so a test waits for what has to come,
 * and what must not come is looked for after something that has.
 */
import { expect } from 'chai';
import type { Bus, Dismissal, RunTopic, TextPiece } from '../../../src/bus/port.js';
import type { RunEvent, WorkspaceEvent } from '../../../src/domain/model/model.js';
import { answer, change, topic as example } from '../../unit/bus/support.js';
import { patient } from '../../helpers/patience.js';
import { turn } from '../../helpers/turn.js';

export interface BusWorld {
  /** The bus of another process on the same network; on a bus of one process, the same. */
  bus(): Bus;
  close(): Promise<void>;
}

/** A listener that keeps what it is told; `lost` counts the []s. */
export class Ear<E> {
  readonly heard: E[] = [];
  lost = 0;
  leave: () => void = () => undefined;
  readonly listener = (events: readonly E[]): void => {
    if (events.length === 0) this.lost++;
    this.heard.push(...events);
  };
}

export async function until(holds: () => boolean, what: string, ms = 10_000): Promise<void> {
  for (const end = Date.now() + patient(ms); !holds();) {
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

/** Listens from when the bus says that nothing is missed. */
export async function hearRun(bus: Bus, topic: RunTopic): Promise<Ear<RunEvent>> {
  const ear = new Ear<RunEvent>();
  ear.leave = bus.subscribe('run', topic, ear.listener);
  if (bus.confirms) await until(() => ear.lost > 0, 'the first []');
  return ear;
}

export async function hearWorkspace(bus: Bus, workspace: string): Promise<Ear<WorkspaceEvent>> {
  const ear = new Ear<WorkspaceEvent>();
  ear.leave = bus.subscribe('workspace', { workspace }, ear.listener);
  if (bus.confirms) await until(() => ear.lost > 0, 'the first []');
  return ear;
}

let runs = 0;
export const freshTopic = (): RunTopic => ({ ...example, run: `run_${++runs}` });
export const seqs = (ear: Ear<RunEvent>): number[] => ear.heard.map((e) => e.seq);
export const ids = (ear: Ear<WorkspaceEvent>): unknown[] => ear.heard.map((e) => e.data['id']);

export function busContract(name: string, open: () => Promise<BusWorld>): void {
  describe(`bus contract: ${name}`, () => {
    let world: BusWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(async () => {
      await world.close();
    });

    it('tells every listener of the topic, in any process, what is published after it has begun to listen: all of it, in order, once', async () => {
      const here = world.bus();
      const there = world.bus();
      const topic = freshTopic();
      here.publish('run', topic, [answer(1)]);
      const ears = [await hearRun(here, topic), await hearRun(there, { ...topic }), await hearRun(there, topic)];
      here.publish('run', topic, [answer(2), answer(3)]);
      here.publish('run', topic, [answer(4)]);
      await turn();
      here.publish('run', topic, [answer(5)]);
      for (const ear of ears) {
        await until(() => seqs(ear).includes(5), 'all of it');
        // what was published before anybody listened may be heard, if it was still on its way
        expect(seqs(ear).filter((seq) => seq > 1)).to.deep.equal([2, 3, 4, 5]);
      }
    });

    it('events arrive as they were published, with whatever is in them', async () => {
      const topic = freshTopic();
      const ear = await hearRun(world.bus(), topic);
      const live = await hearWorkspace(world.bus(), 'ws_1');
      const event: RunEvent = {
        seq: 1,
        at: '2026-01-01T00:00:00.000Z',
        type: 'answer',
        content: '\u0000é\u2028𝄞"\\',
        parts: [{ kind: 'text', text: 'part' }],
      };
      const happened: WorkspaceEvent = { ...change(1), data: { id: 'x', deep: { list: [1, null, { a: 'b' }] } } };
      world.bus().publish('run', topic, [event]);
      world.bus().publish('workspace', { workspace: 'ws_1' }, [happened]);
      await until(() => ear.heard.length > 0 && live.heard.length > 0, 'both');
      expect([ear.heard, live.heard]).to.deep.equal([[event], [happened]]);
      expect(JSON.stringify(ear.heard[0]), 'in the same order of members').to.equal(JSON.stringify(event));
    });

    it("InProcessBus.B4: tells nobody what is another run's, agent's or workspace's", async () => {
      const bus = world.bus();
      const topic = freshTopic();
      const run = await hearRun(world.bus(), topic);
      const live = await hearWorkspace(world.bus(), 'ws_1');
      bus.publish('run', { ...topic, run: 'another' }, [answer(1)]);
      bus.publish('run', { ...topic, agent: 'another' }, [answer(2)]);
      bus.publish('run', { ...topic, workspace: 'another' }, [answer(3)]);
      bus.publish('workspace', { workspace: 'another' }, [change(1)]);
      bus.publish('run', topic, [answer(4)]);
      bus.publish('workspace', { workspace: 'ws_1' }, [change(2)]);
      await until(() => run.heard.length > 0 && live.heard.length > 0, 'their own');
      expect([seqs(run), ids(live)]).to.deep.equal([[4], ['mem_2']]);
    });

    it('InProcessBus.B3: who has left is told nothing more, and may come back', async () => {
      const bus = world.bus();
      const there = world.bus();
      const first = await hearWorkspace(there, 'ws_1');
      const stays = await hearWorkspace(there, 'ws_1');
      bus.publish('workspace', { workspace: 'ws_1' }, [change(1)]);
      await until(() => stays.heard.length === 1, 'the first');
      first.leave();
      first.leave();
      bus.publish('workspace', { workspace: 'ws_1' }, [change(2)]);
      await until(() => stays.heard.length === 2, 'the second');
      const again = await hearWorkspace(there, 'ws_1');
      bus.publish('workspace', { workspace: 'ws_1' }, [change(3)]);
      await until(() => again.heard.length === 1, 'the third');
      expect([ids(first), ids(again)]).to.deep.equal([['mem_1'], ['mem_3']]);
    });

    it('InProcessBus.B2: a listener that throws hurts no other', async () => {
      const bus = world.bus();
      const there = world.bus();
      there.subscribe('workspace', { workspace: 'ws_1' }, () => {
        throw new Error('broken');
      });
      const ear = await hearWorkspace(there, 'ws_1');
      bus.publish('workspace', { workspace: 'ws_1' }, [change(1)]);
      await until(() => ear.heard.length > 0, 'the other is told');
    });

    it('text that is being written is told to those who listen now, to them alone, and says whether anybody may listen', async () => {
      const here = world.bus();
      const there = world.bus();
      const topic = freshTopic();
      const piece = (from: number, text: string): TextPiece => ({ step: 1, attempt: 5, round: 0, from, text });
      expect(await here.publishText(topic, piece(0, 'nobody'))).to.equal(false);
      const [one, two, other]: TextPiece[][] = [[], [], []];
      const leave = here.subscribe('text', topic, (pieces) => one?.push(...pieces));
      there.subscribe('text', { ...topic }, (pieces) => two?.push(...pieces));
      there.subscribe('text', { ...topic, agent: 'another' }, (pieces) => other?.push(...pieces));
      const run = await hearRun(there, topic);
      await until(() => {
        void here.publishText(topic, piece(0, 'é\u2028𝄞'));
        return one?.length !== 0 && two?.length !== 0;
      }, 'both');
      expect(await here.publishText(topic, piece(4, ' more'))).to.equal(true);
      await until(() => one?.at(-1)?.from === 4 && two?.at(-1)?.from === 4, 'both again');
      expect([one?.[0], two?.at(-1), other]).to.deep.equal([piece(0, 'é\u2028𝄞'), piece(4, ' more'), []]);
      leave();
      leave();
      const before = one?.length;
      await here.publishText(topic, piece(9, '.'));
      await until(() => two?.at(-1)?.from === 9, 'who stayed');
      expect([one?.length, run.heard]).to.deep.equal([before, []]);
    });

    it('a question that nobody will answer is told to those who wait for its answer, in any process, to them alone', async () => {
      const [here, there] = [world.bus(), world.bus()];
      const topic = freshTopic();
      const listen = async (bus: Bus, to: RunTopic): Promise<Ear<Dismissal>> => {
        const ear = new Ear<Dismissal>();
        ear.leave = bus.subscribe('dismissal', to, ear.listener);
        if (bus.confirms) await until(() => ear.lost > 0, 'the first []');
        return ear;
      };
      const [own, others] = [await listen(here, topic), await listen(there, { ...topic })];
      const stranger = await listen(there, { ...topic, agent: 'another' });
      const run = await hearRun(there, topic);
      const dismissal: Dismissal = { question: 'run_1-7', action: 'decline' };
      here.publish('dismissal', topic, [dismissal]);
      await until(() => own.heard.length + others.heard.length === 2, 'both');
      own.leave();
      here.publish('dismissal', topic, [{ ...dismissal, action: 'cancel' }]);
      await until(() => others.heard.length === 2, 'who stayed');
      expect([own.heard, stranger.heard, run.heard]).to.deep.equal([[dismissal], [], []]);
    });

    it("no events are nobody's news", async () => {
      const bus = world.bus();
      const ear = await hearWorkspace(world.bus(), 'ws_1');
      const before = ear.lost;
      bus.publish('workspace', { workspace: 'ws_1' }, []);
      bus.publish('workspace', { workspace: 'ws_1' }, [change(1)]);
      await until(() => ear.heard.length > 0, 'what follows');
      expect(ear.lost).to.equal(before);
    });

    it('many runs and listeners at a time', async () => {
      const bus = world.bus();
      const there = world.bus();
      const topics = Array.from({ length: 100 }, () => freshTopic());
      const ears = await Promise.all(topics.map((topic) => hearRun(there, topic)));
      for (let seq = 1; seq <= 20; seq++) {
        for (const topic of topics) bus.publish('run', topic, [answer(seq)]);
        if (seq % 7 === 0) await turn();
      }
      await until(() => ears.every((ear) => ear.heard.length >= 20), 'all');
      for (const ear of ears) expect(seqs(ear)).to.deep.equal(Array.from({ length: 20 }, (_, i) => i + 1));
    });
  });
}
