/** Facts that change and repetitions (src/domain/memory/memories.ts, identities.ts). */
import { expect } from 'chai';
import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import type { MemoryInput } from '../../../src/domain/shared/inputs.js';
import { identityOf, normalizedText, type Statement, textHash } from '../../../src/domain/memory/identities.js';
import { type StoredMemory, showMemory } from '../../../src/domain/memory/stored-memory.js';
import type { AgentWorld } from './support/agent-world.js';
import { noon } from './support/env.js';
import { given } from './support/given.js';

type Input = Statement & { supersedes?: string };
/** Stores a memory with the candidates that the store would find. */
const say =
  (content: string, more: Partial<Input> = {}) =>
  (w: AgentWorld): AgentCommand => {
    const input = { type: 'semantic', content, ...more } as Input;
    const key = identityOf(input);
    const candidates = w.docs
      .all('memory')
      .filter(
        (m) => m.id === more.supersedes || (key !== null && m.identity === key) || textHash(m) === textHash(input),
      );
    return { type: 'remember', input: input as MemoryInput, position: 0, candidates };
  };
/** What a client says of one thing, under the key of that thing. */
const about =
  (key: string) =>
  (content: string, more: Partial<Input> = {}) =>
    say(content, { ...more, metadata: { key } });
const launch = about('launch');
const home = about('home');
const all = (w: AgentWorld): StoredMemory[] => w.docs.all('memory');
const at = (w: AgentWorld, n: number) => showMemory(all(w)[n]!);
const later = (ms: number): string => new Date(noon + ms).toISOString();

describe('domain: superseding', () => {
  it('a newer memory of the same key ends the older one, which stays', () => {
    given({}, launch('The launch is in May.'), launch('The launch moved to June.')).then((w) => {
      const [may, june] = [at(w, 0), at(w, 1)];
      expect(may.superseded_by).to.equal(june.id);
      expect(may.valid_until).to.equal(june.occurred_at);
      expect(june).to.include({ supersedes: may.id, superseded_by: null, valid_until: null });
      expect(w.state.counts['memories']).to.equal(2);
    });
  });

  it('one of another key or none ends nothing, whatever it says', () => {
    given({}, launch('The launch is in May.'), home('The launch is in June.'), say('The launch is in July.')).then(
      (w) => {
        expect(all(w).map((m) => m.superseded_by ?? null)).to.deep.equal([null, null, null]);
      },
    );
  });

  it('one that the client names ends in any case; two may not supersede the same', () => {
    given({}, say('The cat is asleep in the box.'))
      .when((w: AgentWorld) => say('The cat is awake again now.', { supersedes: at(w, 0).id })(w))
      .then((w) => {
        expect(at(w, 0).superseded_by).to.equal(at(w, 1).id);
      })
      .when((w: AgentWorld) => say('The cat is outside.', { supersedes: at(w, 0).id })(w))
      .refused('CONFLICT', ({ message }) => expect(message).to.match(/superseded by mem_\w+ already/));
    given()
      .when(say('The cat is outside.', { supersedes: 'mem_none' }))
      .refused('NOT_FOUND');
  });

  it('what was said later wins, whichever is written first', () => {
    given(
      {},
      home('I live in Bergen.', { occurred_at: later(-1000) }),
      home('I live in Oslo.', { occurred_at: later(-5000) }),
    ).then((w) => {
      expect(at(w, 1)).to.include({ superseded_by: at(w, 0).id, valid_until: at(w, 0).occurred_at });
      expect(at(w, 0)).to.include({ superseded_by: null, valid_until: null });
    });
  });

  it('all that supersede one another carry one chain', () => {
    given(
      {},
      home('I live in Oslo.'),
      home('I moved to Rome.'),
      home('I moved to Bern.'),
      say('Ana lives in Bern.'),
    ).then((w) => {
      const first = all(w)[0]!.id;
      expect(all(w).map((m) => m.chain ?? null)).to.deep.equal([first, first, first, null]);
      expect(all(w).map((m) => m.supersedes ?? null)).to.deep.equal([null, first, all(w)[1]!.id, null]);
    });
  });

  it('a fact that comes back is a new one (Identities.D1)', () => {
    given({}, home('I live in Oslo.'), home('I moved to Rome.'), home('I live in Oslo.')).then((w) => {
      expect(all(w).map((m) => m.superseded_by !== undefined)).to.deep.equal([true, true, false]);
    });
  });

  it('a repetition is counted, and makes no second memory', () => {
    given({ memory_quota: 1 }, say('The gate closes at 8.'), say('the gate  CLOSES at 8')).then((w, { effects }) => {
      expect(all(w)).to.have.length(1);
      expect(at(w, 0)).to.include({ times_seen: 2, content: 'The gate closes at 8.' });
      expect(at(w, 0).last_seen_at > at(w, 0).created_at).to.equal(true);
      expect(effects.map((e) => e.type)).to.deep.equal(['index', 'announce']);
    });
  });

  it('whatever says more than the first is a memory of its own', () => {
    for (const more of [
      { type: 'episodic' },
      { speaker: 'Ana' },
      { importance: 1 },
      { metadata: { page: 3 } },
      { sessionId: 's' },
      { occurred_at: later(-1000) },
      { expires_at: later(1000) },
    ])
      given({}, say('Cats sleep all day.'), say('Cats sleep all day.', more)).then((w) => {
        expect(all(w), JSON.stringify(more)).to.have.length(2);
      });
    expect(normalizedText('Thank you!')).to.equal(null);
  });

  it('in a hive, memories of one agent end none of another (Identities.D2)', () => {
    given(
      {},
      launch('The launch is in May.', { shared_by: 'agent_a' }),
      launch('The launch is in June.', { shared_by: 'agent_b' }),
      launch('The launch is in May.', { shared_by: 'agent_b' }),
    ).then((w) => {
      expect(all(w).map((m) => m.superseded_by !== undefined)).to.deep.equal([false, true, false]);
    });
  });

  it('a client makes a memory present again, and ends one', () => {
    given({}, home('I live in Oslo.'), home('I moved to Rome.'))
      .when((w: AgentWorld) => ({ type: 'patchMemory', memory: all(w)[0]!, patch: { valid_until: null } }))
      .then((w) => {
        expect(at(w, 0)).to.include({ superseded_by: null, valid_until: null });
        expect(all(w)[0]!.identity).to.be.a('string');
      })
      .when((w: AgentWorld) => ({ type: 'patchMemory', memory: all(w)[0]!, patch: { valid_until: later(0) } }))
      .then((w) => {
        expect(all(w)[0]!.identity).to.equal(null);
      });
  });

  it('a text has one hash, whatever its case, spaces and final full stop', () => {
    const hash = (content: string): unknown => textHash({ type: 'a', content });
    expect(hash(' The  sea\tis SALT.\n')).to.equal(hash('the sea is salt')).and.not.equal(null);
    expect(hash('the sea is salty')).to.not.equal(hash('the sea is salt'));
    expect(hash('Das Meer ist GROSS.')).to.equal(hash('das meer ist gross'));
    expect(hash('LE MÈRE EST LÀ')).to.equal(hash('le mère est là!')).and.not.equal(null);
    for (const short of ['Thank you!', 'Yes.', '', ' ']) expect(hash(short)).to.equal(null);
  });
});
