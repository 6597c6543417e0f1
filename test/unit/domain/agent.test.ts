/** Agents: settings, status, hives, tokens, delete (docs/api.md 2.1, 3.3). */
import { addToken, removeToken } from '../../../src/domain/agent/tokens.js';
import type { AgentDraft } from '../../../src/domain/agent/agent-draft.js';
import { expect } from 'chai';
import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import { decideAgent } from '../../../src/domain/agent/agent.js';
import { bounds } from '../../../src/domain/agent/agent-state.js';
import { activeRun, activeRuns } from '../../../src/domain/run/run-queue.js';
import type { RunRecord } from '../../../src/domain/run/records.js';
import { commandLine } from '../../../src/domain/workspace/audit.js';
import type { Agent } from '../../../src/domain/model/model.js';
import {
  answer,
  ask,
  cancel,
  decides,
  fork,
  joins,
  leaves,
  oneAtATime,
  receive,
  resume,
  start,
  step,
  store,
  work,
  patches,
  replaces,
} from './support/commands.js';
import { noon } from './support/env.js';
import { given } from './support/given.js';
import { AgentWorld } from './support/agent-world.js';

describe('domain: agents', () => {
  describe('spawn', () => {
    it('has the defaults where nothing is named', () => {
      const time = new Date(noon).toISOString();
      expect(new AgentWorld().last.result).to.deep.equal({
        id: 'agent_1',
        name: 'Ada',
        description: '',
        status: 'active',
        config: {},
        memory_count: 0,
        message_count: 0,
        hives: [],
        metadata: {},
        wake_on_message: false,
        memory_quota: null,
        maxRuntimeSeconds: null,
        created_at: time,
        updated_at: time,
        last_active_at: time,
      });
    });
    it('keeps what is named and tells of it', () => {
      const world = new AgentWorld({
        description: 'd',
        config: { max_steps: 3 },
        hives: ['hive_1'],
        metadata: { a: 1 },
        wake_on_message: true,
        memory_quota: 0,
        maxRuntimeSeconds: 7,
      });
      expect(world.last.result)
        .to.include({ description: 'd', wake_on_message: true, memory_quota: 0, maxRuntimeSeconds: 7 })
        .and.deep.include({ hives: ['hive_1'], config: { max_steps: 3 }, metadata: { a: 1 } });
      expect(world.last.effects).to.deep.equal([
        {
          type: 'announce',
          event: {
            type: 'agent.created',
            at: new Date(noon).toISOString(),
            data: { agent_id: 'agent_1', name: 'Ada' },
          },
        },
      ]);
    });
  });

  describe('replace and patch', () => {
    it('replace sets the fields that it names, as they are, and keeps the others', () => {
      given({ description: 'd', metadata: { a: 1, b: 2 }, config: { max_steps: 3 } })
        .when(replaces({ metadata: { c: 3 }, memory_quota: 5 }))
        .then((_, { result }) => {
          expect(result).to.deep.include({
            metadata: { c: 3 },
            memory_quota: 5,
            description: 'd',
            config: { max_steps: 3 },
          });
        });
    });
    it('ignores what nobody sets, so that what was read can be sent back', () => {
      given()
        .when((w) =>
          replaces({ ...(w.last.result as object), memory_count: 99, id: 'agent_x', created_at: 'never', name: 'Eve' }),
        )
        .then((_, { result }) => {
          expect(result).to.include({
            id: 'agent_1',
            memory_count: 0,
            name: 'Eve',
            created_at: new Date(noon).toISOString(),
          });
        });
    });
    it('patch merges config and metadata at any depth, null removes a key, and a field set to null has its default', () => {
      given({
        metadata: { a: { b: 1, c: 2 } },
        config: { max_steps: 3, temperature: 1 },
        description: 'd',
        hives: ['hive_1'],
        wake_on_message: true,
      })
        .when(
          patches(
            {
              metadata: { a: { b: null, d: 3 } },
              config: { max_steps: null },
              description: null,
              hives: null,
              wake_on_message: null,
            },
            { mayJoin: true },
          ),
        )
        .then((_, { result }) => {
          expect(result).to.deep.include({
            metadata: { a: { c: 2, d: 3 } },
            config: { temperature: 1 },
            description: '',
            hives: [],
            wake_on_message: false,
          });
        });
    });
    it('refuses a patch after which config is none', () => {
      given()
        .when(patches({ config: { memory: { recall_limit: 51 } } }))
        .refused('VALIDATION_ERROR', ({ details }) => {
          expect(details['issues']).to.have.nested.property('[0].path', 'config.memory.recall_limit');
        });
    });
    it('refuses metadata that is too large once merged, in bytes', () => {
      given({ metadata: { a: 'é'.repeat(6000) } })
        .when(patches({ metadata: { b: 'é'.repeat(3000) } }))
        .refused('VALIDATION_ERROR', ({ details }) => {
          expect(details['issues']).to.have.nested.property('[0].path', 'metadata');
        });
    });
    it('moves updated_at and says which fields changed', () => {
      given()
        .when(patches({ name: 'Eve' }))
        .then((w, { effects }) => {
          expect(w.state.agent.updated_at > w.state.agent.created_at).to.equal(true);
          expect(effects)
            .to.have.nested.property('[0].event.data')
            .that.deep.equals({ agent_id: 'agent_1', fields: ['name'] });
        });
    });
  });

  describe('status', () => {
    for (const status of ['inactive', 'terminated'] as const) {
      it(`an agent that is ${status} answers no command`, () => {
        const s = given({}, start(), step([ask('?')]), patches({ status }));
        for (const command of [start(), receive(), resume({ input: 'x' }), fork(1)])
          s.when(command).refused('AGENT_INACTIVE', ({ details }) => {
            expect(details).to.deep.equal({ status });
          });
      });
    }
    it('its runs go on while it is inactive, and can be cancelled', () => {
      given({}, start(), start())
        .when(replaces({ status: 'inactive' }), step([answer()]))
        .then((w) => {
          expect(w.runs.map((r) => r.status)).to.deep.equal(['completed', 'running']);
        })
        .when(cancel(1))
        .then((w) => {
          expect(w.run(1).status).to.equal('cancelled');
        });
    });
    it('can be active again, and then the mail that waits wakes it', () => {
      given({}, receive(), replaces({ status: 'inactive', wake_on_message: true }))
        .then((w) => {
          expect(w.runs).to.have.length(0);
        })
        .when(patches({ status: 'active' }))
        .then((w) => {
          expect(w.run()).to.include({ status: 'running', triggeredBy: 'message' });
        });
    });
    it('terminated ends what is running and what waits; only inactive follows it', () => {
      const s = given({}, start(), start(), start())
        .when(patches({ status: 'terminated' }))
        .then((w) => {
          expect(w.runs.map((r) => r.status)).to.deep.equal(['cancelled', 'cancelled', 'cancelled']);
          expect(w.effects('begin'), 'none of the waiting runs starts').to.deep.equal([]);
        });
      s.when(replaces({ status: 'active' })).refused('CONFLICT');
      s.when(patches({ status: 'terminated', name: 'Late Ada' })).then((_, { result }) => {
        expect(result).to.include({ status: 'terminated', name: 'Late Ada' });
      });
      s.when(replaces({ status: 'inactive' }), patches({ status: 'active' })).then((w, { result }) => {
        expect(result).to.include({ status: 'active' });
        expect(
          w.runs.map((r) => r.status),
          'what was cancelled stays so',
        ).to.deep.equal(['cancelled', 'cancelled', 'cancelled']);
      });
    });
    it('a terminated agent is set inactive at once; runs that waited are cancelled, and what begins then is not', () => {
      const w = new AgentWorld(oneAtATime);
      for (let n = 0; n < 4; n++) w.do(start('x'.repeat(20_000)));
      const { state } = decideAgent(w.state, patches({ status: 'terminated' }), w.env);
      expect(state.agent.pending).to.have.length.above(0);
      let now = state;
      const decide = (command: AgentCommand) => {
        const decision = decideAgent(now, command, w.env);
        now = decision.state;
        return decision;
      };
      for (const status of ['inactive', 'active'] as const) decide(patches({ status }));
      const { result } = decide(start('begun then'));
      const waiting = activeRuns(now.agent).slice(0, -1);
      expect(now.agent.ending).to.equal(waiting.length);
      for (const { id } of waiting) decide({ type: 'cancelLeft', run: now.runs.get(id) ?? w.docs.live(id) });
      expect(now.agent).to.not.have.property('ending');
      expect(now.agent).to.deep.include({ running: [activeRun(result as RunRecord)], pending: [] });
    });
  });

  describe('hives', () => {
    it('joining twice is joining once; leaving a hive that it is not in is not found', () => {
      given({ hives: ['hive_1'] })
        .when(joins('hive_2'), joins('hive_2'))
        .then((_, { result, effects }) => {
          expect((result as Agent).hives).to.deep.equal(['hive_1', 'hive_2']);
          expect(effects).to.deep.equal([]);
        })
        .when(leaves('hive_1'))
        .then((_, { result }) => {
          expect((result as Agent).hives).to.deep.equal(['hive_2']);
        })
        .when(leaves('hive_1'))
        .refused('NOT_FOUND');
    });
    it('belongs to a hundred at most, however it joins', () => {
      given({ hives: Array.from({ length: 100 }, (_, i) => `hive_${i}`) })
        .when(joins('hive_100'))
        .refused('CONFLICT')
        .when(joins('hive_7'))
        .then((w) => {
          expect(w.state.agent.hives).to.have.length(100);
        });
    });
  });

  describe('tokens', () => {
    const by = { actor: 'key_admin', from: null };
    const mint = (expires_at?: string, held = 0): AgentCommand =>
      decides((d: AgentDraft) =>
        addToken(d, {
          token: {
            name: 't',
            scopes: ['agent:read', 'agent:read', 'agent:spawn'],
            ...(expires_at !== undefined && { expires_at }),
          },
          hash: 'h'.repeat(64),
          hint: 'at_abc',
          held,
          by,
        }),
      );
    it('keeps the hash, shows all but it, and a scope once', () => {
      given()
        .when(mint('2030-01-01T02:00:00+02:00'))
        .then((w, { result }) => {
          expect(result)
            .to.deep.include({
              agent_id: 'agent_1',
              name: 't',
              scopes: ['agent:read', 'agent:spawn'],
              hint: 'at_abc',
              expires_at: '2030-01-01T00:00:00.000Z',
            })
            .and.not.have.property('hash');
          expect(w.docs.all('token')[0]).to.have.property('hash', 'h'.repeat(64));
        })
        .when((w) =>
          decides((d: AgentDraft) => {
            removeToken(d, w.docs.all('token')[0]!, by);
          }),
        )
        .then((w) => {
          expect(w.docs.all('token')).to.deep.equal([]);
        });
    });
    it('refuses one that has expired already, and one too many', () => {
      given()
        .when(mint(new Date(noon).toISOString()))
        .refused('VALIDATION_ERROR')
        .when(mint(undefined, bounds.tokens))
        .refused('CONFLICT')
        .when(mint(undefined, bounds.tokens - 1))
        .then((w) => {
          expect(w.docs.all('token')).to.have.length(1);
        });
    });
  });

  it('delete takes the tokens, ends the runs with a cancelled event, and fences all else', () => {
    given(
      { wake_on_message: true },
      decides((d: AgentDraft) =>
        addToken(d, { token: { name: 't', scopes: ['agent:read'] }, hash: 'h', hint: 'at_', held: 0, by: commandLine }),
      ),
      receive(),
      start(),
    )
      .when((w) => ({ type: 'delete', tokens: w.docs.all('token'), by: commandLine }))
      .then((w, { effects }) => {
        expect(w.runs.map((r) => r.status)).to.deep.equal(['cancelled', 'cancelled']);
        expect(w.docs.events(w.run().id).at(-1)).to.include({ type: 'status', status: 'cancelled' });
        expect(w.docs.all('token')).to.deep.equal([]);
        expect(effects.some((e) => e.type === 'announce' && e.event.type === 'agent.deleted')).to.equal(true);
        expect(w.state.agent.deleting).to.equal(true);
      })
      .when(receive())
      .refused('NOT_FOUND')
      .when(start())
      .refused('NOT_FOUND')
      .when(store())
      .refused('NOT_FOUND')
      .when(patches({}))
      .refused('NOT_FOUND');
  });

  it('is active when a run is started, a message comes or a memory is written', () => {
    const seen: string[] = [];
    const look = (w: AgentWorld): void => {
      seen.push(w.state.agent.last_active_at);
    };
    given()
      .then(look)
      .when(start())
      .then(look)
      .when(receive())
      .then(look)
      .when(store())
      .then(look)
      .when(patches({ name: 'x' }))
      .then(look);
    expect(new Set(seen).size, 'four times, and not by a change of settings').to.equal(4);
    expect(seen).to.deep.equal([...seen].sort());
  });

  it('goes on after a restart with the run that was in progress, under another attempt', () => {
    const world = new AgentWorld();
    for (const c of [start(), work()]) world.do(c);
    const { attempt } = world.running;
    world.restart();
    expect(world.effects('begin')).to.have.length(1);
    expect(world.running.attempt).to.not.equal(attempt);
    world.do(step([answer('still here')]));
    expect(world.run()).to.include({ status: 'completed', output: 'still here', steps: 2 });
  });
});
