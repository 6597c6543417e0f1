/** Hives and workspace desks: a memory context, API keys, delete. */
import type { Decided, Decision } from '../../../src/domain/shared/draft.js';
import { decided } from '../../../src/commands/command.js';
import { deleteShares } from '../../../src/commands/hives.js';
import { decides } from './support/commands.js';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  newHive,
  decideWorkspaceEntity,
  type WorkspaceEntityCommand,
  type WorkspaceEntityState,
  addKey,
  removeKey,
  type WorkspaceEntityDraft,
} from '../../../src/domain/workspace/workspace-entity.js';
import { type ErrorCode, HivekeepError } from '../../../src/domain/shared/errors.js';
import { isUnexpired } from '../../../src/domain/memory/memories.js';
import { scopes } from '../../../src/domain/shared/vocabulary.js';
import { sizeOf } from '../../../src/domain/workspace/usage.js';
import { newWorkspace, showWorkspace, withUpdatedAt } from '../../../src/domain/workspace/workspace.js';
import { Documents } from './support/documents.js';
import { noon, TestEnv } from './support/env.js';
import { deepFreeze } from './support/freeze.js';

class Desk {
  readonly env = new TestEnv();
  readonly docs = new Documents();
  state: WorkspaceEntityState;
  last: Decision<WorkspaceEntityState>;
  constructor(kind: 'hive' | 'workspace') {
    this.last = newHive('hive_1', { name: 'Lab' }, this.env);
    this.state = deepFreeze(
      kind === 'hive'
        ? this.last.state
        : {
            entity: newWorkspace('default', 'default', 'free', noon),
            counts: {},
            positions: new Map<string, number>(),
          },
    );
  }
  do(command: WorkspaceEntityCommand | Decided<WorkspaceEntityDraft>): unknown {
    const before = this.state;
    this.last = deepFreeze(decideWorkspaceEntity(before, deepFreeze(command), this.env));
    this.docs.apply(this.last);
    this.state = this.last.state;
    expect(this.state.entity.lastMs).to.be.greaterThan(before.entity.lastMs);
    const { counts } = this.state;
    const memories = this.docs.all('memory');
    expect([counts['memories'] ?? 0, counts['lasting'] ?? 0]).to.deep.equal([
      memories.length,
      memories.filter((m) => m.expires_at === null || m.countsIn !== undefined).length,
    ]);
    expect(
      Object.entries(counts)
        .filter(([k]) => k.startsWith('type:'))
        .reduce((sum, [, n]) => sum + n, 0),
    ).to.equal(memories.length);
    this.env.now += 10;
    return this.last.result;
  }
  refuse(command: WorkspaceEntityCommand | Decided<WorkspaceEntityDraft>, code: ErrorCode): void {
    expect(() => this.do(command))
      .to.throw(HivekeepError)
      .with.property('code', code);
  }
}

const fact = (more: object = {}): WorkspaceEntityCommand => ({
  type: 'remember',
  input: { type: 'semantic', content: 'known', ...more },
});

describe('domain: desks', () => {
  it('a hive begins empty', () => {
    const time = new Date(noon).toISOString();
    const { last } = new Desk('hive');
    expect(last.result).to.deep.equal({
      id: 'hive_1',
      name: 'Lab',
      description: '',
      metadata: {},
      memory_count: 0,
      created_at: time,
      updated_at: time,
    });
    expect(last.state.counts).to.deep.equal({ hives: 1, bytes: sizeOf(last.state.entity) });
    expect(last.effects).to.deep.equal([
      { type: 'announce', event: { type: 'hive.created', at: time, data: { hive_id: 'hive_1', name: 'Lab' } } },
    ]);
  });
  it("what is shared says by whom; a workspace's memory is nobody's", () => {
    expect(new Desk('hive').do(fact({ shared_by: 'agent_1', id: 'mem_x' }))).to.include({
      id: 'mem_x',
      hive_id: 'hive_1',
      agent_id: null,
      shared_by: 'agent_1',
    });
    expect(new Desk('workspace').do(fact())).to.include({ hive_id: null, agent_id: null, shared_by: null });
  });
  it('a share delivered again answers what is there, and writes nothing', () => {
    const d = new Desk('hive');
    d.do(fact({ id: 'mem_x' }));
    const again = d.do({
      ...fact({ id: 'mem_x', content: 'other' }),
      known: d.docs.get('memory', 'mem_x'),
    } as WorkspaceEntityCommand);
    expect(again).to.include({ id: 'mem_x', content: 'known' }).and.not.have.property('mode');
    expect(d.last.puts).to.deep.equal([]);
  });
  it('changes, forgets and expires', () => {
    const d = new Desk('hive');
    for (const more of [{ sessionId: 's' }, { sessionId: 's', expires_at: new Date(noon + 500).toISOString() }])
      d.do(fact(more));
    expect(d.docs.all('memory').map((m) => m.position)).to.deep.equal([0, 1]);
    const [lasting, expiring] = d.docs.all('memory');
    expect(d.do({ type: 'patchMemory', memory: lasting!, patch: { content: 'new' } })).to.include({ content: 'new' });
    d.env.now = noon + 500;
    d.refuse({ type: 'forget', memory: expiring! }, 'NOT_FOUND');
    d.do({ type: 'expire', memories: [expiring!], next: null });
    d.do({ type: 'forget', memory: d.docs.get('memory', lasting!.id) });
    expect(d.docs.all('memory')).to.deep.equal([]);
    expect(d.state.counts).to.deep.equal({ hives: 1, bytes: sizeOf(new Desk('hive').state.entity) });
  });
  it('forgets all that a deleted agent shared', () => {
    const d = new Desk('hive');
    for (const shared_by of ['agent_1', 'agent_2', 'agent_1']) d.do(fact({ shared_by }));
    const shared = d.docs.all('memory').filter((m) => m.shared_by === 'agent_1');
    const call = { caller: null, target: { id: 'hive_1' }, input: { agent: 'agent_1' } };
    expect(d.do(decided(deleteShares, call, shared))).to.equal(true);
    expect(d.docs.all('memory').map((m) => m.shared_by)).to.deep.equal(['agent_2']);
    expect(d.last.effects.filter((e) => e.type === 'unindex')).to.have.length(2);
  });
  it('holds as many API keys as its tier allows, and says so', () => {
    const d = new Desk('workspace');
    const mint = (held: number): Decided<WorkspaceEntityDraft> =>
      decides((draft) =>
        addKey(draft, {
          input: { name: 'ci', mode: 'live' },
          hash: `hash ${held}`,
          hint: 'svc_live_abcd',
          held,
          by: { actor: 'key_1', from: null },
        }),
      );
    d.do(mint(19));
    d.refuse(mint(20), 'QUOTA_EXCEEDED');
    expect(d.docs.all('key')).to.have.length(1);
  });
  it('a hive that is being deleted is not found', () => {
    const d = new Desk('hive');
    d.do({ type: 'delete' });
    for (const command of [fact(), { type: 'delete' } as const]) d.refuse(command, 'NOT_FOUND');
  });
  it('beyond 64 types they are counted together', () => {
    const d = new Desk('hive');
    for (let i = 0; i < 70; i++) d.do(fact({ type: `t${i}` }));
    expect(d.state.counts)
      .to.include({ 'type:(other)': 6, 'type:t63': 1, memories: 70 })
      .and.not.have.property('type:t64');
    for (const memory of d.docs.all('memory').reverse()) d.do({ type: 'forget', memory });
    expect(d.state.counts).to.deep.equal({ hives: 1, bytes: sizeOf(new Desk('hive').state.entity) });
  });

  describe('keys', () => {
    const by = { actor: 'key_admin', from: '192.0.2.1' };
    const mint = (more: object = {}): Decided<WorkspaceEntityDraft> =>
      decides((draft) =>
        addKey(draft, {
          input: { name: 'ci', mode: 'test', ...more },
          hash: 'h',
          hint: 'svc_test_ab',
          held: 0,
          by,
        }),
      );
    it('have every scope where none is named, and their hash is not shown', () => {
      const d = new Desk('workspace');
      expect(d.do(mint()))
        .to.deep.include({ name: 'ci', mode: 'test', scopes: [...scopes], hint: 'svc_test_ab', expires_at: null })
        .and.not.have.property('hash');
      expect(d.docs.all('key')[0]).to.include({ hash: 'h', mode: 'test' });
      expect(d.do(mint({ scopes: ['agent:read', 'agent:read'], expires_at: '2030-01-01T00:00:00Z' }))).to.deep.include({
        scopes: ['agent:read'],
        expires_at: '2030-01-01T00:00:00.000Z',
      });
      const [key] = d.docs.all('key');
      d.do(
        decides((draft: WorkspaceEntityDraft) => {
          removeKey(draft, key!, by);
        }),
      );
      expect(d.docs.all('key')).to.have.length(1);
    });
    it('that have expired already are refused', () => {
      new Desk('workspace').refuse(mint({ expires_at: '2020-01-01T00:00:00Z' }), 'VALIDATION_ERROR');
    });
  });

  it('any sequence keeps the counts equal to what is stored, whatever the time of day and month', () => {
    const command = fc.record({
      what: fc.constantFrom('add', 'expiring', 'forget', 'patch', 'expire', 'month'),
      n: fc.nat(20),
      type: fc.constantFrom('a', 'b'),
    });
    fc.assert(
      fc.property(
        fc.constantFrom('hive' as const, 'workspace' as const),
        fc.array(command, { maxLength: 40 }),
        (kind, commands) => {
          const d = new Desk(kind);
          for (const { what, n, type } of commands) {
            const all = d.docs.all('memory').filter((m) => isUnexpired(m, d.env.now));
            const memory = all[n % Math.max(1, all.length)];
            const soon = new Date(d.env.now + n * 1000).toISOString();
            if (what === 'add') d.do(fact({ type }));
            else if (what === 'expiring') d.do(fact({ type, expires_at: soon }));
            else if (what === 'month') d.env.now += 31 * 86_400_000;
            else if (what === 'expire')
              d.do({
                type: 'expire',
                memories: d.docs.all('memory').filter((m) => !isUnexpired(m, d.env.now)),
                next: null,
              });
            else if (!memory) continue;
            else if (what === 'forget') d.do({ type: 'forget', memory });
            else d.do({ type: 'patchMemory', memory, patch: { type, expires_at: n % 2 ? null : soon } });
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('domain: workspaces', () => {
  it('one is made, shown without its clock, and touched', () => {
    const made = newWorkspace('ws_1', 'acme', 'pro', noon);
    expect(showWorkspace(made)).to.deep.equal({
      id: 'ws_1',
      name: 'acme',
      tier: 'pro',
      created_at: new Date(noon).toISOString(),
    });
    const later = withUpdatedAt({ ...made, tier: 'team' }, noon - 1000);
    expect(later).to.include({ tier: 'team', lastMs: noon + 1, updated_at: new Date(noon + 1).toISOString() });
  });
});
