/** What a run may make its agent do (src/domain/shared/caller.ts), and who may decide on what it is about to do. */
import { expect } from 'chai';
import fc from 'fast-check';
import { senderOf } from '../../../src/domain/agent/agent-state.js';
import { scopes, type Scope } from '../../../src/domain/shared/vocabulary.js';
import { allows, commonPowers, powersOf, withheldTools } from '../../../src/domain/shared/caller.js';
import type { Command } from './support/agent-world.js';
import {
  answer,
  ask,
  fork,
  leaves,
  note,
  receive,
  resume,
  said,
  send,
  share,
  start,
  step,
} from './support/commands.js';
import { given } from './support/given.js';

const task = (powers: readonly Scope[]): Command => ({
  type: 'task',
  message: said('go'),
  run: null,
  push: null,
  powers,
});
const hives = ['hive_1'];
const lacks = (scope: string): string => `not allowed: the token that asks for it lacks the scope ${scope}`;

describe('domain: powers', () => {
  it('only a token that names memory or hive scopes chooses', () => {
    expect(powersOf(['agent:spawn', 'agent:read', 'agent:manage', 'usage:read'])).to.equal(undefined);
    expect(powersOf(['agent:spawn', 'memory:read'])).to.deep.equal(['memory:read']);
    expect(withheldTools(undefined)).to.deep.equal([]);
    expect(withheldTools(['memory:read'])).to.deep.equal([
      'remember',
      'update_memory',
      'forget',
      'block_replace',
      'block_append',
      'share_with_hive',
    ]);
  });

  it('Powers.P2: what two allow together, each allows', () => {
    const some = fc.option(fc.subarray([...scopes]), { nil: undefined });
    fc.assert(
      fc.property(some, some, fc.constantFrom(...scopes), (a, b, scope) => {
        expect(allows(commonPowers(a, b), scope)).to.equal(allows(a, scope) && allows(b, scope));
      }),
    );
  });

  for (const [call, scope] of [
    [note('a secret'), 'memory:write'],
    [share('known'), 'hive:write'],
  ] as const)
    for (const gate of ['none', 'action'] as const)
      it(`Powers.P3: ${call.tool} without ${scope} is refused, told to the reasoner, and shown to nobody (gate ${gate})`, () => {
        given({ hives, config: { validation_gate: gate } }, task(['memory:read']))
          .when(step([call]))
          .then((w) => {
            expect(w.running.transcript[0]?.[0]).to.include({ ok: false, result: lacks(scope) });
            expect([...w.docs.all('memory'), ...w.docs.all('outbox')]).to.deep.equal([]);
          });
      });

  it('with the scope it is done', () => {
    given({ hives }, task(['memory:write', 'hive:write']))
      .when(step([note('a fact'), share('known')]))
      .then((w) => {
        expect(w.running.transcript[0]?.map((o) => o.ok)).to.deep.equal([true, true]);
      });
  });

  it('Powers.P2: a message that it sends carries them, and a run that reads it has them', () => {
    given({}, task(['memory:read']), step([send('hi')]))
      .when(step([answer()]))
      .then((w) => {
        expect(w.docs.all('outbox')[0]).to.deep.include({ powers: ['memory:read'] });
      });
    given({ wake_on_message: true }, receive('hi', { hops: 1, powers: ['memory:read'] }))
      .when(step([note('laundered')]))
      .then((w) => {
        expect(w.running.transcript[0]?.[0]).to.include({ ok: false, result: lacks('memory:write') });
      });
  });

  it('Powers.P2: who goes on with a run narrows it, and a fork of it is as narrow', () => {
    given({}, start(), step([ask('which?')]))
      .when(
        (w) => ({
          type: 'task',
          message: said('remember this'),
          run: w.live(0),
          push: null,
          powers: ['memory:read'],
        }),
        step([note('x')]),
      )
      .then((w) => {
        expect(w.running.transcript.at(-1)?.[0]).to.include({ ok: false });
      });
    given({}, task(['memory:read']), step([send('hi')]), step([answer()]))
      .when(fork(1), step([note('x')]))
      .then((w) => {
        expect(w.running.transcript.at(-1)?.[0]).to.include({ ok: false, result: lacks('memory:write') });
      });
  });

  it('a run that may not read memory takes in no mail but what woke it', () => {
    given({}, receive('for the owner'), task(['hive:read'])).then((w) => {
      expect([w.running.reads, w.state.unread.length]).to.deep.equal([[], 1]);
    });
  });

  it('an agent that has left a hive shares nothing in it, also where that was approved', () => {
    given({ hives, config: { validation_gate: 'action' } }, start(), step([share('known')]), leaves('hive_1'))
      .when(resume({ decision: 'approve' }))
      .then((w) => {
        expect(w.docs.posts()).to.deep.equal([]);
      });
  });
});

describe('domain: who may approve', () => {
  for (const decision of ['approve', 'reject'] as const)
    it(`${decision} needs agent:manage, over REST and A2A`, () => {
      const s = given({ config: { validation_gate: 'action' } }, start(), step([note('a fact')]));
      s.when((w) => ({ type: 'resume', run: w.live(0), input: { decision } })).refused('INSUFFICIENT_SCOPE', (e) => {
        expect(e.details).to.deep.equal({ required_scope: 'agent:manage' });
      });
      s.when((w) => ({ type: 'task', message: said(decision), run: w.live(0), push: null })).refused(
        'INSUFFICIENT_SCOPE',
      );
      s.when(resume({ decision })).then((w) => {
        expect(w.run().status).to.equal('running');
        expect(w.docs.all('memory')).to.have.length(decision === 'approve' ? 1 : 0);
      });
    });

  it('a question is answered without it', () => {
    given({}, start(), step([ask('which?')]))
      .when((w) => ({ type: 'resume', run: w.live(0), input: { input: 'this' } }))
      .then((w) => {
        expect(w.run().status).to.equal('running');
      });
  });
});

describe('domain: who wrote', () => {
  it('a client is external, whatever it says of itself; an agent is itself', () => {
    for (const [more, from] of [
      [{ verified: false }, 'external'],
      [{ verified: true }, 'agent_9'],
      [{ verified: false, hops: 1 }, 'agent_9'],
    ] as const)
      given({})
        .when(receive('hello', more))
        .then((_, { result }) => {
          expect(result).to.include({ from });
        });
  });

  it('what clients say of themselves is not believed', () => {
    expect(senderOf({ from: 'agent_9', hops: 0 })).to.equal('external');
    expect(senderOf({ from: 'agent_9', hops: 3 })).to.equal('agent_9');
    expect(senderOf({ from: null, hops: 17 })).to.equal(null);
  });

  const refusedFrom = (accept: 'hive' | string[], more: Parameters<typeof receive>[1]): void => {
    given({ hives, config: { mailbox: { accept } } })
      .when(receive('hello', more))
      .refused('CONFLICT', (e) => {
        expect(e.details).to.deep.equal({ accept });
      });
  };
  const takenFrom = (accept: 'all' | 'hive' | string[], more: Parameters<typeof receive>[1]): void => {
    given({ hives, config: { mailbox: { accept } } })
      .when(receive('hello', more))
      .then((w) => {
        expect(w.docs.all('message')).to.have.length(1);
      });
  };

  it('config.mailbox.accept: all, hive, or a list', () => {
    takenFrom('all', { verified: false });
    takenFrom('hive', { senderHives: ['hive_2', 'hive_1'] });
    refusedFrom('hive', { senderHives: ['hive_2'] });
    refusedFrom('hive', {});
    refusedFrom('hive', { verified: false, senderHives: ['hive_1'].slice(1) });
    takenFrom(['agent_9'], {});
    refusedFrom(['agent_8'], {});
    refusedFrom(['agent_9'], { verified: false });
    takenFrom(['agent_8', 'external'], { verified: false });
  });
});
