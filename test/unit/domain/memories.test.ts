/** Memories of an agent: numbers, quota, expiry, positions (docs/api.md 2.2, 8.4). */
import { expect } from 'chai';
import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import type { ResolvedCall, StepReport } from '../../../src/domain/agent/agent-state.js';
import type { Memory } from '../../../src/domain/model/model.js';
import { showMemory } from '../../../src/domain/memory/stored-memory.js';
import { isUnexpired, normalizeTime } from '../../../src/domain/memory/memories.js';
import { AgentWorld, type Command } from './support/agent-world.js';
import { cancel, note, recall, resume, share, start, step, store } from './support/commands.js';
import { noon } from './support/env.js';
import { given } from './support/given.js';

const later = (ms: number): string => new Date(noon + ms).toISOString();
const day = 86_400_000;
const nth = (w: AgentWorld, n: number) => w.docs.all('memory')[n]!;
const forget =
  (n = 0): Command =>
  (w) => ({ type: 'forget', memory: nth(w, n) });
const patch =
  (change: object, n = 0): Command =>
  (w) => ({ type: 'patchMemory', memory: nth(w, n), patch: change });
const made = (command: Command, w: AgentWorld): AgentCommand => (typeof command === 'function' ? command(w) : command);
const expire = (w: AgentWorld) =>
  ({ type: 'expire', memories: w.docs.all('memory').filter((m) => !isUnexpired(m, w.env.now)), next: null }) as const;
const numbers = (w: AgentWorld): Record<string, number> =>
  Object.fromEntries(Object.entries(w.state.counts).filter(([k]) => /^(memories|lasting|type:|used:)/.test(k)));
/** The command, at this time. */
const at =
  (now: number, command: Command): Command =>
  (w) => {
    w.env.now = now;
    return made(command, w);
  };
const counts =
  (expected: Record<string, number>) =>
  (w: AgentWorld): void => {
    expect(numbers(w)).to.deep.equal(expected);
  };

describe('domain: memories', () => {
  it('one is stored, counted, indexed and told', () => {
    given()
      .when(
        store({
          type: 'episodic',
          content: 'c',
          importance: 0.5,
          metadata: { a: 1 },
          expires_at: '2026-04-01T02:00:00+02:00',
        }),
      )
      .then((w, { result, effects }) => {
        expect(result).to.deep.equal(showMemory(nth(w, 0)));
        expect(result)
          .to.deep.include({
            type: 'episodic',
            content: 'c',
            agent_id: 'agent_1',
            hive_id: null,
            shared_by: null,
            sessionId: null,
            position: null,
            importance: 0.5,
            speaker: null,
            metadata: { a: 1 },
            expires_at: '2026-04-01T00:00:00.000Z',
          })
          .and.satisfy((m: Memory) => m.occurred_at === m.created_at);
        expect(effects.map((e) => e.type)).to.deep.equal(['index', 'announce']);
      });
  });

  describe('counts', () => {
    it('of all, of those without expiry, by type, and by month', () => {
      given({}, store(), store({ type: 'episodic' }), store({ expires_at: later(day) })).then(
        counts({
          memories: 3,
          lasting: 2,
          'type:semantic': 2,
          'type:episodic': 1,
          'used:2026-03:live': 2,
        }),
      );
    });
    it('what is deleted is subtracted; 0 is left out', () => {
      given({}, store(), store())
        .when(forget())
        .then(counts({ memories: 1, lasting: 1, 'type:semantic': 1, 'used:2026-03:live': 1 }))
        .when(forget())
        .then(counts({}));
    });
    it('one with an expiry uses no quota, neither when it comes nor when it goes', () => {
      given({}, store(), store({ expires_at: later(1000) }))
        .when((w) => {
          w.env.now += 2000;
          return expire(w);
        })
        .then(counts({ memories: 1, lasting: 1, 'type:semantic': 1, 'used:2026-03:live': 1 }));
    });
    it('a new month begins at 0; the one before is kept, older ones are forgotten', () => {
      given({}, store())
        .when(at(Date.UTC(2026, 3, 1), store()))
        .then(
          counts({
            memories: 2,
            lasting: 2,
            'type:semantic': 2,
            'used:2026-03:live': 1,
            'used:2026-04:live': 1,
          }),
        )
        .when(at(Date.UTC(2026, 4, 1), store()))
        .then(
          counts({
            memories: 3,
            lasting: 3,
            'type:semantic': 3,
            'used:2026-04:live': 1,
            'used:2026-05:live': 1,
          }),
        );
    });
    it('what is deleted in a later month gives nothing back to that', () => {
      given({}, store(), store())
        .when(at(Date.UTC(2026, 3, 1), store()), forget(0))
        .then(
          counts({
            memories: 2,
            lasting: 2,
            'type:semantic': 2,
            'used:2026-03:live': 1,
            'used:2026-04:live': 1,
          }),
        )
        .when(at(Date.UTC(2026, 6, 1), store()), forget(0))
        .then(
          counts({
            memories: 2,
            lasting: 2,
            'type:semantic': 2,
            'used:2026-04:live': 1,
            'used:2026-07:live': 1,
          }),
        );
    });
    it('changed in a later month it stays where it counts', () => {
      given({}, store())
        .when(at(Date.UTC(2026, 6, 1), patch({ content: 'other', type: 'episodic' })))
        .then(counts({ memories: 1, lasting: 1, 'type:episodic': 1, 'used:2026-03:live': 1 }));
    });
    it('one that comes to last in a later month counts in that, and gives back there', () => {
      given({}, store({ expires_at: later(29 * day) }))
        .when(at(Date.UTC(2026, 3, 1), patch({ expires_at: null })))
        .then(counts({ memories: 1, lasting: 1, 'type:semantic': 1, 'used:2026-04:live': 1 }))
        .when(patch({ content: 'x' }), forget())
        .then(counts({}));
    });
    it("the month is the clock's, also where the entity's own has run ahead into the next", () => {
      given()
        .when(at(Date.UTC(2026, 3, 1), store({ expires_at: later(40 * day) })), at(Date.UTC(2026, 3, 1) - 5, store()))
        .then((w) => {
          expect(nth(w, 1).created_at.slice(0, 7)).to.equal('2026-04');
          expect(numbers(w)).to.include({ 'used:2026-03:live': 1 }).and.not.have.property('used:2026-04:live');
        })
        .when(forget(1))
        .then((w) => {
          expect(numbers(w)).to.not.have.any.keys('used:2026-03:live', 'used:2026-04:live');
        });
    });
    it('a clock that was a year ahead leaves neither its months nor its timestamps behind; ids keep their order', () => {
      const year = 365 * day;
      given({}, store())
        .when(at(noon + year, store()), at(noon + 1000, store()), store())
        .then((w) => {
          expect(w.docs.all('memory').map((m) => m.created_at)).to.deep.equal([
            '2026-03-15T12:00:00.001Z',
            '2027-03-15T12:00:00.000Z',
            '2026-03-15T12:00:01.000Z',
            '2026-03-15T12:00:01.010Z',
          ]);
          const ids = w.docs.all('memory').map((m) => m.id);
          expect(ids).to.deep.equal([...ids].sort());
          expect(w.state.agent.last_active_at).to.equal('2026-03-15T12:00:01.010Z');
          expect(numbers(w)).to.include({ 'used:2026-03:live': 3, 'used:2027-03:live': 1 });
        });
    });
    it('the last millisecond of a month is still of that month', () => {
      given()
        .when(at(Date.UTC(2026, 3, 1) - 1, store()))
        .then((w) => {
          expect(w.state.counts).to.include({ 'used:2026-03:live': 1 });
        });
    });
    it('one that expires after more than 30 days counts like one that lasts, and gives its place back', () => {
      const counted = { memories: 1, lasting: 1, 'type:semantic': 1, 'used:2026-03:live': 1 };
      given({}, store({ expires_at: later(30 * day + 1000) }))
        .then(counts(counted))
        .when(patch({ content: 'changed' }))
        .then(counts(counted))
        .when(forget())
        .then(counts({}));
      given({}, store({ expires_at: later(30 * day) })).then(counts({ memories: 1, 'type:semantic': 1 }));
    });
    it('an expiry that is moved past 30 days of its creation counts from then on, and one moved back does not', () => {
      given({}, store({ expires_at: later(29 * day) }))
        .when(at(noon + 28 * day, patch({ expires_at: later(58 * day) })))
        .then((w) => {
          expect(numbers(w)).to.include({ lasting: 1, 'used:2026-04:live': 1 });
        })
        .when(patch({ expires_at: later(30 * day) }))
        .then(counts({ memories: 1, 'type:semantic': 1 }));
      given({}, store())
        .when(patch({ expires_at: later(31 * day) }))
        .then((w) => {
          expect(numbers(w)).to.include({ lasting: 1, 'used:2026-03:live': 1 });
        });
    });
    it('a change of type moves it', () => {
      given({}, store())
        .when(patch({ type: 'episodic' }))
        .then(counts({ memories: 1, lasting: 1, 'type:episodic': 1, 'used:2026-03:live': 1 }));
    });
    it('lasting becomes expiring and back', () => {
      given({}, store())
        .when(patch({ expires_at: later(day) }))
        .then((w) => {
          expect(numbers(w)).to.deep.equal({ memories: 1, 'type:semantic': 1 });
          expect(w.state.agent.nextExpiry).to.equal(noon + day);
        })
        .when(patch({ expires_at: null }))
        .then(counts({ memories: 1, lasting: 1, 'type:semantic': 1, 'used:2026-03:live': 1 }));
    });
  });

  describe('memory_quota', () => {
    const full = (input = {}) => given({ memory_quota: 1 }, store(input));
    it('caps those that last', () => {
      full()
        .when(store())
        .refused('QUOTA_EXCEEDED', (e) => {
          expect(e.details).to.deep.equal({ limit: 1, used: 1, cycle: null, scope: 'agent' });
        });
    });
    it('not those that expire', () => {
      full()
        .when(store({ expires_at: later(day) }))
        .then((w) => {
          expect(w.docs.all('memory')).to.have.length(2);
        });
    });
    it('0 lets none in', () => {
      given({ memory_quota: 0 }).when(store()).refused('QUOTA_EXCEEDED');
    });
    it('a delete makes room', () => {
      full()
        .when(forget(), store())
        .then((w) => {
          expect(w.docs.all('memory')).to.have.length(1);
        });
    });
    it('an expiring one cannot be made to last past it', () => {
      full()
        .when(store({ expires_at: later(day) }), patch({ expires_at: null }, 1))
        .refused('QUOTA_EXCEEDED');
    });
    it('a lasting one at the limit can be changed', () => {
      full()
        .when(patch({ content: 'other', expires_at: null }))
        .then((w) => {
          expect(nth(w, 0).content).to.equal('other');
        });
    });
    it("a run's remember is refused to the reasoner, and the run goes on", () => {
      full()
        .when(start(), step([note('x')]))
        .then((w) => {
          expect(w.running.transcript[0]?.[0]).to.include({
            ok: false,
            result: "the agent's memory_quota of 1 is reached",
          });
          expect(w.docs.all('memory')).to.have.length(1);
        });
    });
  });

  describe('a month that is full', () => {
    const full = { month: '2026-03', limit: 1000, used: 1000 };
    const details = {
      limit: 1000,
      used: 1000,
      cycle: { start: '2026-03-01T00:00:00.000Z', end: '2026-04-01T00:00:00.000Z' },
      scope: 'workspace',
    };
    const remember =
      (input: object = {}): Command =>
      (w) => ({ ...(made(store(input), w) as Extract<AgentCommand, { type: 'remember' }>), full });
    const change =
      (input: object): Command =>
      (w) => ({ ...(made(patch(input), w) as Extract<AgentCommand, { type: 'patchMemory' }>), full });
    it('refuses what would count', () => {
      given()
        .when(remember())
        .refused('QUOTA_EXCEEDED', (e) => {
          expect(e.details).to.deep.equal(details);
        });
    });
    it('refuses one that expires late, and an expiry that is moved late', () => {
      given()
        .when(remember({ expires_at: later(31 * day) }))
        .refused('QUOTA_EXCEEDED');
      given({}, store({ expires_at: later(day) }))
        .when(change({ expires_at: later(31 * day) }))
        .refused('QUOTA_EXCEEDED');
    });
    it('not what expires within 30 days', () => {
      given()
        .when(remember({ expires_at: later(day) }))
        .then((w) => {
          expect(w.docs.all('memory')).to.have.length(1);
        });
    });
    it('refuses that one comes to last, and lets all other changes pass', () => {
      given({}, store({ expires_at: later(day) }))
        .when(change({ expires_at: null }))
        .refused('QUOTA_EXCEEDED', (e) => {
          expect(e.details).to.deep.equal(details);
        });
      given({}, store())
        .when(change({ expires_at: null, content: 'x' }))
        .then((w) => {
          expect(nth(w, 0).content).to.equal('x');
        });
    });
    it("an agent's own quota is said first", () => {
      given({ memory_quota: 0 })
        .when(remember())
        .refused('QUOTA_EXCEEDED', (e) => {
          expect(e.details['scope']).to.equal('agent');
        });
    });
  });

  describe("a run's remember", () => {
    const places =
      (n: number, calls: readonly ResolvedCall[]) =>
      (w: AgentWorld): AgentCommand => {
        const taken = step(calls)(w) as Extract<AgentCommand, { type: 'step' }>;
        return { ...taken, report: { ...taken.report, reserved: { room: n, problem: 'full' } } as StepReport };
      };
    const limited = (content: string): ResolvedCall => ({ ...note(content), limited: true }) as ResolvedCall;
    const results = (w: AgentWorld): unknown => w.running.transcript.at(-1)?.map((o) => o.ok || o.result);
    it('in a limited workspace uses up the places of its step; what is done without none is told', () => {
      given({ hives: ['hive_1'] }, start())
        .when(
          places(2, [
            limited('a'),
            limited(''),
            limited('b'),
            { ...share('c'), limited: true } as ResolvedCall,
            limited('d'),
          ]),
        )
        .then((w) => {
          expect(w.docs.all('memory').map((m) => m.content)).to.deep.equal(['a', 'b']);
          expect(results(w)).to.deep.equal([true, 'the content is empty', true, 'full', 'full']);
        });
    });
    it('a share needs a place, too', () => {
      given({ hives: ['hive_1'] }, start())
        .when(places(1, [{ ...share('c'), limited: true } as ResolvedCall, limited('d')]))
        .then((w) => {
          expect(w.docs.posts()).to.have.length(1);
          expect(results(w)).to.deep.equal([true, 'full']);
        });
    });
    it('places are those of one step: the next has none left over', () => {
      given({}, start(), places(2, [limited('a')]))
        .when(step([limited('b')]))
        .then((w) => {
          expect(results(w)).to.deep.equal(['there is no place for it']);
        });
    });
    it('approved at a gate, it takes a step for its places: as it was, without asking the reasoner for more', () => {
      given(
        { config: { validation_gate: 'action' } },
        start(),
        places(1, [recall('q', 'seen'), limited('a'), recall('r', 'seen too')]),
        resume({ decision: 'approve' }),
      )
        .when((w) => places(1, w.running.record.held)(w))
        .then((w) => {
          expect(w.docs.all('memory').map((m) => m.content)).to.deep.equal(['a']);
          expect(w.run()).to.include({ steps: 1, status: 'running' });
          expect(results(w)).to.deep.equal([true, true, true]);
        });
    });
    it('approved, and cancelled or interrupted before its places are there', () => {
      const gated = (): AgentWorld => {
        const w = new AgentWorld({ config: { validation_gate: 'action' } });
        for (const c of [start(), places(1, [limited('a')]), resume({ decision: 'approve' })]) w.do(c);
        return w;
      };
      const one = gated();
      one.do(cancel());
      expect(one.docs.all('memory')).to.deep.equal([]);
      const two = gated();
      two.restart();
      two.do({ type: 'continue' });
      two.do((w) => places(1, w.running.record.held)(w));
      expect(two.docs.all('memory')).to.have.length(1);
    });
    it('is semantic where no type is named', () => {
      given({}, start('x'))
        .when(step([note('a'), note('b', 'episodic')]))
        .then((w) => {
          expect(w.docs.all('memory').map((m) => m.type)).to.deep.equal(['semantic', 'episodic']);
        });
    });
    for (const [what, call] of [
      ['no content', note('  ')],
      ['a bad type', note('x', '1 2')],
      ['too long', note('é'.repeat(32 * 1024 + 1))],
    ] as const) {
      it(`${what} is told to the reasoner`, () => {
        given({}, start())
          .when(step([call]))
          .then((w) => {
            expect(w.running.transcript[0]?.[0]?.ok).to.equal(false);
            expect(w.docs.all('memory')).to.deep.equal([]);
          });
      });
    }
  });

  describe('change', () => {
    it('sets what it names, merges metadata, and moves updated_at alone', () => {
      given({}, store({ metadata: { a: { b: 1 }, c: 2 }, importance: 1 }))
        .when(patch({ content: 'new', metadata: { a: { d: 3 }, c: null }, importance: null }))
        .then((w, { result }) => {
          expect(result).to.deep.include({
            content: 'new',
            type: 'semantic',
            importance: null,
            metadata: { a: { b: 1, d: 3 } },
          });
          expect(nth(w, 0).updated_at > nth(w, 0).created_at).to.equal(true);
        })
        .when(patch({ metadata: null }))
        .then((_, { result }) => {
          expect(result).to.deep.include({ metadata: {}, content: 'new' });
        });
    });
    it('refuses metadata that is too large once merged', () => {
      given({}, store({ metadata: { a: 'x'.repeat(12_000) } }))
        .when(patch({ metadata: { b: 'x'.repeat(12_000) } }))
        .refused('VALIDATION_ERROR');
    });
  });

  describe('expiry', () => {
    it('is gone from the millisecond on: neither changed nor deleted by a client', () => {
      given({}, store({ expires_at: later(1000) }))
        .when((w) => {
          w.env.now = noon + 1000;
          return { type: 'patchMemory', memory: nth(w, 0), patch: { content: 'x' } };
        })
        .refused('NOT_FOUND')
        .when(forget())
        .refused('NOT_FOUND')
        .when((w) => {
          w.env.now = noon + 999;
          return { type: 'forget', memory: nth(w, 0) };
        })
        .then((w) => {
          expect(w.docs.all('memory')).to.deep.equal([]);
        });
    });
    it('the agent knows when the next is due', () => {
      given(
        {},
        store({ expires_at: later(2 * day) }),
        store({ expires_at: later(day) }),
        store({ expires_at: later(3 * day) }),
        store(),
      )
        .then((w) => {
          expect(w.state.agent.nextExpiry).to.equal(noon + day);
        })
        .when((w) => {
          w.env.now = noon + day;
          return { ...expire(w), next: noon + 2 * day };
        })
        .then((w) => {
          expect(w.docs.all('memory')).to.have.length(3);
          expect(w.state.agent.nextExpiry).to.equal(noon + 2 * day);
          expect(w.effects('unindex')).to.have.length(1);
        });
    });
    it('times become UTC with milliseconds, so that they compare as text', () => {
      expect(normalizeTime('2030-01-01T00:30:00.5+01:00')).to.equal('2029-12-31T23:30:00.500Z');
      expect([normalizeTime(null), normalizeTime(undefined)]).to.deep.equal([null, null]);
    });
  });

  describe('positions', () => {
    const places = (w: AgentWorld): unknown[] => w.docs.all('memory').map((m) => [m.sessionId, m.position]);
    it('count from 0 in each session; none without a session', () => {
      given({}, store({ sessionId: 'a' }), store({ sessionId: 'b' }), store(), store({ sessionId: 'a' })).then((w) => {
        expect(places(w)).to.deep.equal([
          ['a', 0],
          ['b', 0],
          [null, null],
          ['a', 1],
        ]);
      });
    });
    it('go on where they were after a restart', () => {
      const w = new AgentWorld();
      for (const c of [store({ sessionId: 'a' }), store({ sessionId: 'a' })]) w.do(c);
      w.restart();
      w.do(store({ sessionId: 'a' }));
      expect(places(w).at(-1)).to.deep.equal(['a', 2]);
    });
    it('of 256 sessions are kept, those written to last', () => {
      const w = new AgentWorld();
      for (let i = 0; i < 256; i++) w.do({ type: 'remember', input: { type: 't', content: 'c', sessionId: `s${i}` } });
      w.do(store({ sessionId: 's0' }));
      w.do(store({ sessionId: 'new' }));
      expect(w.state.positions.size).to.equal(256);
      expect([w.state.positions.get('s0'), w.state.positions.has('s1'), w.state.positions.get('new')]).to.deep.equal([
        2,
        false,
        1,
      ]);
    });
  });
});
