/**
 * Random schedules against the invariants of system.ts: asks, tells, turns of the loop, settled promises, time,
 * crashes, restarts and passivations in any order. What each message does is part of the message, so the answers are
 * known.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { HivekeepError } from '../../../../src/domain/shared/errors.js';
import type { ActorContext, Asked, Behavior } from '../../../../actors/runtime/port.js';
import { Scheduler } from '../../../../actors/runtime/scheduler.js';
import { ActorSystem } from '../../../../actors/runtime/system.js';
import { agent, flush, ManualClock, ManualLoop, settle } from './kit.js';

type Deed =
  'answer' | 'slow' | 'defer' | 'refuse' | 'throw' | 'reject' | 'restart' | 'slow restart' | 'forget and restart';
interface Message {
  n: number;
  deed: Deed;
  told: boolean;
}

/** What all actors of a run share: the promises that the schedule settles, and what was seen. */
class World {
  readonly gates: { open: () => void; fail: () => void }[] = [];
  readonly deferred = new Set<Asked<Message>>();
  /** Messages that a restart has had handled again: they are answered then. */
  readonly again = new Set<number>();
  readonly handled: { actor: string; n: number }[] = [];
  readonly inside = new Map<string, number>();
  overlaps = 0;
  wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.gates.push({
        open: resolve,
        fail: () => {
          reject(new Error('gate'));
        },
      });
    });
  }
  enter(actor: string): void {
    const n = (this.inside.get(actor) ?? 0) + 1;
    this.inside.set(actor, n);
    if (n > 1) this.overlaps++;
  }
  leave(actor: string): void {
    this.inside.set(actor, (this.inside.get(actor) ?? 0) - 1);
  }
}

class Actor implements Behavior<Message> {
  private readonly kept = new Set<Asked<Message>>();
  private context!: ActorContext<Message>;
  private over = false;
  constructor(
    private readonly id: string,
    private readonly world: World,
    private readonly slowLoads: boolean,
  ) {}

  activate(context: ActorContext<Message>): void | Promise<void> {
    this.context = context;
    return this.call(() => (this.slowLoads ? this.world.wait() : undefined));
  }
  passivate(): void | Promise<void> {
    return this.call(() => (this.slowLoads ? this.world.wait() : undefined));
  }
  idle(): boolean {
    return true;
  }
  dropped(): void {
    this.over = true;
    for (const e of this.kept) this.world.deferred.delete(e);
  }

  receive(asked: Asked<Message>): void | Promise<void> {
    this.world.handled.push({ actor: this.id, n: asked.message.n });
    return this.call(() => this.act(asked));
  }

  private act(asked: Asked<Message>): void | Promise<void> {
    const { message } = asked;
    const { context } = this;
    const again = (): Asked<Message> => {
      this.world.again.add(message.n);
      return asked;
    };
    const deed = this.world.again.has(message.n) ? 'answer' : message.deed;
    switch (deed) {
      case 'answer':
        asked.resolve(message.n);
        return;
      case 'refuse':
        asked.reject(new Error(`refused ${message.n}`));
        return;
      case 'slow':
        return this.world.wait().then(() => {
          asked.resolve(message.n);
        });
      case 'defer':
        this.kept.add(asked);
        this.world.deferred.add(asked);
        return;
      case 'throw':
        throw new Error(`thrown ${message.n}`);
      case 'reject':
        return this.world.wait().then(() => {
          throw new Error(`thrown ${message.n}`);
        });
      case 'restart':
        context.restart(new Error('stale'), [...this.unanswered(), again()]);
        return;
      case 'slow restart':
        return this.world.wait().then(() => {
          context.restart(new Error('stale'), [...this.unanswered(), again()]);
        });
      case 'forget and restart':
        context.restart(new Error('stale'), this.unanswered());
        return;
      default:
        deed satisfies never;
    }
  }

  /** In the order of their coming, as a decided and uncommitted batch would be. */
  private unanswered(): Asked<Message>[] {
    return [...this.kept].filter((e) => this.world.deferred.has(e));
  }

  private call(step: () => void | Promise<void>): void | Promise<void> {
    if (this.over) this.world.overlaps++;
    this.world.enter(this.id);
    let result: void | Promise<void>;
    try {
      result = step();
    } catch (error) {
      this.world.leave(this.id);
      throw error;
    }
    if (result === undefined) {
      this.world.leave(this.id);
      return;
    }
    return result.finally(() => {
      this.world.leave(this.id);
    });
  }
}

const deeds: Deed[] = [
  'answer',
  'answer',
  'answer',
  'slow',
  'defer',
  'refuse',
  'throw',
  'reject',
  'restart',
  'slow restart',
  'forget and restart',
];
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('send' as const),
      actor: fc.nat(2),
      deed: fc.constantFrom(...deeds),
      told: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('turn' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('gate' as const),
      which: fc.nat(5),
      fails: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('commit' as const), which: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('time' as const), ms: fc.constantFrom(1, 50, 400, 1_500, 61_000) }),
  },
);

const inboxLimit = 6;

describe('actor runtime: model', () => {
  it('any schedule answers every ask exactly once with its own answer, in order, one handler at a time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.boolean(),
        fc.boolean(),
        async (steps, slowLoads, stopsEarly) => {
          const clock = new ManualClock();
          const loop = new ManualLoop();
          const world = new World();
          const system = new ActorSystem({
            clock,
            scheduler: new Scheduler({ loop, burst: 2, budgetMs: 1 }),
            idleMs: 1_000,
            queueLimit: inboxLimit,
            behaviorFor: ({ id }) => new Actor(id, world, slowLoads),
          });
          const answers = new Map<number, string[]>();
          const sent: { actor: string; n: number; deed: Deed }[] = [];
          const accepted = new Set<number>();
          let n = 0;
          const note = (id: number, what: string): void => {
            answers.get(id)!.push(what);
          };
          const send = (actor: number, deed: Deed, told: boolean): void => {
            const message: Message = { n: ++n, deed, told };
            const to = agent(`agent_${actor}`, `ws_${actor % 2}`);
            if (told) {
              try {
                system.tell(to, message);
                accepted.add(message.n);
              } catch (error) {
                expect((error as HivekeepError).code).to.equal('UNAVAILABLE');
              }
            } else {
              answers.set(message.n, []);
              system.ask(to, message).then(
                (v) => {
                  note(message.n, `ok ${String(v)}`);
                },
                (e: Error & { code?: string }) => {
                  note(message.n, e.code ?? e.message);
                },
              );
            }
            sent.push({ actor: to.id, n: message.n, deed });
          };
          const commit = (which: number): void => {
            const e = [...world.deferred][which % Math.max(1, world.deferred.size)];
            if (e) {
              world.deferred.delete(e);
              e.resolve(e.message.n);
            }
          };
          for (const s of steps) {
            switch (s.type) {
              case 'send':
                send(s.actor, s.deed, s.told);
                break;
              case 'turn':
                loop.turn();
                break;
              case 'gate': {
                const [gate] = world.gates.splice(s.which % Math.max(1, world.gates.length), 1);
                if (s.fails) gate?.fail();
                else gate?.open();
                await flush();
                break;
              }
              case 'commit':
                commit(s.which);
                await flush();
                break;
              case 'time':
                clock.advance(s.ms);
                break;
              default:
                s satisfies never;
            }
            loop.time += 0.4;
          }
          const finish = async (): Promise<void> => {
            for (let i = 0; i < 400; i++) {
              await settle(loop);
              world.gates.splice(0).forEach((gate) => {
                gate.open();
              });
              while (world.deferred.size > 0) commit(0);
              await flush();
              if (world.gates.length === 0 && !loop.busy && system.stats().queued === 0) break;
              clock.advance(1_500);
            }
            await settle(loop);
          };
          if (!stopsEarly) await finish();
          let drained: boolean | undefined;
          void system.stop({ graceMs: 10_000_000 }).then((result) => {
            drained = result;
          });
          await finish();

          expect(world.overlaps, 'A2: one method at a time, none of a dropped incarnation').to.equal(0);
          for (const [id, got] of answers) {
            expect(got, `A1: answers to ${id}`).to.have.length(1);
            const { deed } = sent.find((x) => x.n === id)!;
            if (got[0] !== 'UNAVAILABLE' && got[0] !== 'gate')
              expect(got[0]).to.equal(
                deed === 'refuse'
                  ? `refused ${id}`
                  : deed === 'throw' || deed === 'reject'
                    ? `thrown ${id}`
                    : `ok ${id}`,
              );
          }
          if (!stopsEarly)
            for (const id of accepted)
              expect(
                world.handled.some((h) => h.n === id),
                `A1: tell ${id} was handled`,
              ).to.equal(true);
          for (const actor of ['agent_0', 'agent_1', 'agent_2']) {
            const first = world.handled
              .filter((h, i, all) => h.actor === actor && all.findIndex((o) => o.n === h.n) === i)
              .map((h) => h.n);
            expect(first, `A3: order at ${actor}`).to.deep.equal([...first].sort((a, b) => a - b));
          }
          expect(drained, 'A9: drained').to.equal(true);
          expect(system.stats(), 'A8: nothing is left').to.include({ active: 0, queued: 0 });
          expect([clock.waiting, world.gates.length]).to.deep.equal([0, 0]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
