/** The states of an actor's slot: each change of the transition table, and none that is not in it. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { ActorSlot, type SlotHost } from '../../../../actors/runtime/actor-slot.js';
import { type SlotState, transitions } from '../../../../actors/runtime/slot-state.js';
import { QueuedMessage } from '../../../../actors/runtime/message-queue.js';
import type { ActorContext, Behavior, ChildRef, Reply } from '../../../../actors/runtime/port.js';
import { Lane, Scheduler } from '../../../../actors/runtime/scheduler.js';
import { SupervisionTree } from '../../../../actors/runtime/supervision-tree.js';
import { flush, ManualClock, ManualLoop } from './kit.js';

const states = Object.keys(transitions) as SlotState[];

/** A slot that notes its changes of state. */
class ObservedSlot extends ActorSlot {
  readonly changes: [SlotState, SlotState][] = [];
  now: SlotState = 'down';
  protected override enter(next: SlotState): void {
    super.enter(next);
    this.changes.push([this.now, next]);
    this.now = next;
  }
}

/** A behaviour whose methods end when the test says so. */
class Actor implements Behavior<string> {
  context: ActorContext<string> | null = null;
  child: ChildRef<string> | null = null;
  isIdle = true;
  private ends: { resolve: () => void; reject: (error: Error) => void }[] = [];

  private method(how: string): void | Promise<void> {
    if (how === 'throw') throw new Error('a defect');
    if (how !== 'wait') return undefined;
    return new Promise((resolve, reject) => {
      this.ends.push({ resolve, reject });
    });
  }

  constructor(
    private readonly activating: string,
    private readonly passivating: string,
  ) {}

  activate(context: ActorContext<string>): void | Promise<void> {
    this.context = context;
    return this.method(this.activating);
  }
  receive(message: string, reply: Reply): void | Promise<void> {
    if (message === 'restart') this.context?.restart(new Error('conflict'), []);
    reply.resolve(null);
    return this.method(message);
  }
  idle(): boolean {
    return this.isIdle;
  }
  passivate(): void | Promise<void> {
    return this.method(this.passivating);
  }
  dropped(): void {}

  end(error?: Error): void {
    const last = this.ends.shift();
    if (error) last?.reject(error);
    else last?.resolve();
  }
}

interface World {
  slot: ObservedSlot;
  actor: Actor;
  clock: ManualClock;
  host: { draining: boolean };
  tell(message: string): void;
  settle(): Promise<void>;
}

function world({ activate = 'now', passivate = 'now', limit = 5, held = false } = {}): World {
  const clock = new ManualClock();
  const loop = new ManualLoop();
  const tree = new SupervisionTree('slots');
  const host = {
    clock,
    scheduler: new Scheduler(loop, 64, 1000),
    tree,
    crashes: { windowMs: 60_000, limit, firstMs: 50 },
    queueLimit: 100,
    draining: false,
    counters: { processed: 0, queued: 0, active: 0, restarts: 0 },
    place: (slot: ActorSlot) => tree.place('ws', [], slot.address.kind, slot.address.id),
    fault: () => undefined,
    outageOf: () => null,
    interrupted: () => undefined,
    slotAdded: () => undefined,
    slotRemoved: () => undefined,
  } satisfies SlotHost;
  const actor = new Actor(activate, passivate);
  const address = { workspace: 'ws', kind: 'agent', id: 'a' } as const;
  const make = (): Actor => actor;
  const before = held ? new ObservedSlot(address, new Lane(), host, make) : undefined;
  const slot = new ObservedSlot(address, new Lane(), host, make, undefined, before);
  if (held) slot.now = 'held';
  return {
    slot,
    actor,
    clock,
    host,
    tell: (message) => {
      slot.push(new QueuedMessage('tell', message, slot));
    },
    async settle() {
      do {
        loop.turn();
        await flush();
      } while (loop.busy);
    },
  };
}

/** Brings a fresh slot into a state. */
const into: Record<SlotState, () => Promise<World>> = {
  held: async () => world({ held: true }),
  down: async () => world(),
  async backoff() {
    const w = world({ activate: 'throw' });
    w.tell('now');
    await w.settle();
    w.tell('now');
    await w.settle();
    return w;
  },
  async activating() {
    const w = world({ activate: 'wait' });
    w.tell('now');
    await w.settle();
    return w;
  },
  async ready() {
    const w = world();
    w.tell('now');
    await w.settle();
    return w;
  },
  async retiring() {
    const w = await into.ready();
    w.slot.retire();
    return w;
  },
  async handling() {
    const w = world();
    w.tell('wait');
    await w.settle();
    return w;
  },
  async passivating() {
    const w = world({ passivate: 'wait' });
    w.tell('now');
    await w.settle();
    w.slot.retire();
    await w.settle();
    return w;
  },
  async halting() {
    const w = await into.handling();
    w.slot.halt(new Error('stop'));
    return w;
  },
  async gone() {
    const w = await into.down();
    w.slot.abandon(new Error('stop'));
    return w;
  },
};

const halt = (w: World): void => {
  w.slot.halt(new Error('stop'));
};
const abandon = (w: World): void => {
  w.slot.abandon(new Error('stop'));
};
const end = (w: World): void => {
  w.actor.end();
};
const fail = (w: World): void => {
  w.actor.end(new Error('a defect'));
};

const table: [SlotState, string, (w: World) => void, SlotState][] = [
  ['held', 'is halted', halt, 'halting'],
  ['held', 'is abandoned', abandon, 'gone'],
  [
    'down',
    'gets a message',
    (w) => {
      w.tell('now');
    },
    'ready',
  ],
  [
    'down',
    'gets a message that takes a while',
    (w) => {
      w.tell('wait');
    },
    'handling',
  ],
  [
    'down',
    'is found idle',
    (w) => {
      w.slot.retire();
    },
    'gone',
  ],
  ['down', 'is halted', halt, 'gone'],
  [
    'backoff',
    'gets a message',
    (w) => {
      w.tell('now');
    },
    'backoff',
  ],
  [
    'backoff',
    'is found idle',
    (w) => {
      w.slot.retire();
    },
    'backoff',
  ],
  ['backoff', 'is abandoned', abandon, 'gone'],
  ['activating', 'is activated', end, 'ready'],
  ['activating', 'fails', fail, 'backoff'],
  ['activating', 'is halted', halt, 'halting'],
  ['activating', 'is abandoned', abandon, 'gone'],
  [
    'ready',
    'gets a message that takes a while',
    (w) => {
      w.tell('wait');
    },
    'handling',
  ],
  [
    'ready',
    'gets a message that crashes it',
    (w) => {
      w.tell('throw');
    },
    'down',
  ],
  [
    'ready',
    'asks for a restart',
    (w) => {
      w.tell('restart');
    },
    'down',
  ],
  [
    'ready',
    'is found idle',
    (w) => {
      w.slot.retire();
    },
    'gone',
  ],
  [
    'ready',
    'drains',
    (w) => {
      w.host.draining = true;
      w.slot.wake();
    },
    'gone',
  ],
  ['ready', 'is halted', halt, 'gone'],
  [
    'retiring',
    'gets a message first',
    (w) => {
      w.tell('now');
    },
    'ready',
  ],
  [
    'retiring',
    'is not idle',
    (w) => {
      w.actor.isIdle = false;
    },
    'ready',
  ],
  ['retiring', 'is idle', () => undefined, 'gone'],
  ['handling', 'has handled', end, 'ready'],
  ['handling', 'crashes', fail, 'down'],
  [
    'handling',
    'asks for a restart, then has handled',
    (w) => {
      w.actor.context?.restart(new Error('conflict'), []);
      w.actor.end();
    },
    'down',
  ],
  [
    'handling',
    'gets another message',
    (w) => {
      w.tell('now');
    },
    'handling',
  ],
  ['handling', 'is halted', halt, 'halting'],
  ['handling', 'is abandoned', abandon, 'gone'],
  [
    'passivating',
    'gets a message',
    (w) => {
      w.tell('now');
    },
    'passivating',
  ],
  ['passivating', 'has passivated', end, 'gone'],
  [
    'passivating',
    'gets a message, then has passivated',
    (w) => {
      w.tell('now');
      w.actor.end();
    },
    'ready',
  ],
  ['passivating', 'fails', fail, 'down'],
  ['passivating', 'is halted', halt, 'halting'],
  ['halting', 'ends its method', end, 'gone'],
  ['halting', 'fails', fail, 'gone'],
  ['halting', 'is abandoned', abandon, 'gone'],
  [
    'gone',
    'gets a message',
    (w) => {
      w.tell('now');
    },
    'gone',
  ],
];

describe('the states of an actor slot', () => {
  for (const [from, event, act, to] of table)
    it(`${from}, ${event}: ${to}`, async () => {
      const w = await into[from]();
      expect(w.slot.now).to.equal(from);
      act(w);
      await w.settle();
      expect(w.slot.now).to.equal(to);
      for (const [before, after] of w.slot.changes) expect(transitions[before]).to.include(after);
    });

  it('goes on after a backoff, when its time has come or the system hurries', async () => {
    for (const wake of [
      (w: World) => {
        w.clock.advance(60);
      },
      (w: World) => {
        w.slot.hurry();
      },
    ]) {
      const w = await into.backoff();
      wake(w);
      await w.settle();
      expect(w.slot.changes.slice(3)).to.deep.include(['backoff', 'down']);
    }
  });

  it('leaves when the system stops, though it was asked before and stayed for work of its own (System.A9)', async () => {
    const w = await into.ready();
    w.actor.isIdle = false;
    w.slot.retire();
    await w.settle();
    expect(w.slot.now, 'it stays while the system runs').to.equal('ready');
    w.host.draining = true;
    w.slot.hurry();
    await w.settle();
    expect(w.slot.now).to.equal('gone');
  });

  it('has its table in the header of its file', () => {
    const header = readFileSync(new URL('../../../../actors/runtime/slot-state.ts', import.meta.url), 'utf8').split(
      '*/',
    )[0];
    const rows = [...(header ?? '').matchAll(/^ \* \| (\w+) +\| [^|]+\| ([^|]*)\|$/gm)].slice(1);
    const inHeader: Record<string, string[]> = Object.fromEntries(
      rows.map(([, state, to]): [string, string[]] => [
        state ?? '',
        (to ?? '')
          .split(',')
          .map((s) => s.trim())
          .filter(Boolean),
      ]),
    );
    expect(inHeader).to.deep.equal(transitions);
  });

  it('takes no change that is not in its table, whatever happens', async () => {
    const events: ((w: World) => void)[] = [
      (w) => {
        w.tell('now');
      },
      (w) => {
        w.tell('wait');
      },
      (w) => {
        w.tell('throw');
      },
      (w) => {
        w.tell('restart');
      },
      (w) => {
        w.slot.retire();
      },
      (w) => {
        w.slot.hurry();
      },
      (w) => {
        w.clock.advance(100);
      },
      (w) => {
        w.actor.isIdle = !w.actor.isIdle;
      },
      (w) => {
        w.host.draining = true;
      },
      (w) => {
        w.actor.context?.restart(new Error('conflict'), []);
      },
      end,
      fail,
      halt,
      abandon,
    ];
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('now', 'wait', 'throw'),
        fc.constantFrom('now', 'wait', 'throw'),
        fc.array(fc.tuple(fc.nat(events.length - 1), fc.boolean()), { maxLength: 12 }),
        async (activate, passivate, steps) => {
          const w = world({ activate, passivate, limit: 3 });
          for (const [event, turn] of steps) {
            events[event]?.(w);
            if (turn) await w.settle();
          }
          await w.settle();
          for (const [from, to] of w.slot.changes) {
            expect(transitions[from], `${from} to ${to}`).to.include(to);
            seen.add(`${from} ${to}`);
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(seen.size).to.be.greaterThan(states.length);
  });
});
