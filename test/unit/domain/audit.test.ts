/**
 * What is done to keys and tokens is told in the same decision (audit.ts); changes that ask for a version (agent.ts,
 * Versions).
 */
import { addToken, removeToken } from '../../../src/domain/agent/tokens.js';
import type { AgentDraft } from '../../../src/domain/agent/agent-draft.js';
import { expect } from 'chai';
import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import type { Versions } from '../../../src/domain/agent/agent-settings.js';
import {
  decideWorkspaceEntity,
  type WorkspaceEntityState,
  addKey,
  removeKey,
  type WorkspaceEntityDraft,
} from '../../../src/domain/workspace/workspace-entity.js';
import type { AuditRecord } from '../../../src/domain/model/model.js';
import { newWorkspace } from '../../../src/domain/workspace/workspace.js';
import type { AgentWorld } from './support/agent-world.js';
import { decides, joins, leaves, receive, store, patches, replaces } from './support/commands.js';
import { Documents } from './support/documents.js';
import { noon, TestEnv } from './support/env.js';
import { given } from './support/given.js';

const by = { actor: 'key_admin', from: '192.0.2.1' };
const mint = (name = 'peer'): AgentCommand =>
  decides((d: AgentDraft) =>
    addToken(d, { token: { name, scopes: ['agent:read'] }, hash: 'h'.repeat(64), hint: 'at_abc', held: 0, by }),
  );
const told = (records: readonly AuditRecord[]): string[] =>
  records.map((r) => `${r.actor} ${r.from} ${r.action} ${r.name} ${r.agent_id} ${r.scopes.join()}`);

describe('domain: audit', () => {
  it('of tokens: minted, revoked, and revoked with their agent', () => {
    given({}, mint('one'), mint('two'))
      .then((w) => {
        expect(told(w.docs.all('audit'))).to.deep.equal([
          'key_admin 192.0.2.1 token.created one agent_1 agent:read',
          'key_admin 192.0.2.1 token.created two agent_1 agent:read',
        ]);
        expect(w.docs.all('audit').map((r) => r.credential_id)).to.deep.equal(w.docs.all('token').map((t) => t.id));
      })
      .when((w) =>
        decides((d: AgentDraft) => {
          removeToken(d, w.docs.all('token')[0]!, by);
        }),
      )
      .then((w, { puts }) => {
        expect(told(puts.filter((p) => p.kind === 'audit').map((p) => p.body))).to.deep.equal([
          'key_admin 192.0.2.1 token.revoked one agent_1 agent:read',
        ]);
        expect(w.docs.all('token').map((t) => t.name)).to.deep.equal(['two']);
      })
      .when((w) => ({ type: 'delete', tokens: w.docs.all('token'), by: { actor: 'key_other', from: null } }))
      .then((_, { puts }) => {
        expect(told(puts.filter((p) => p.kind === 'audit').map((p) => p.body))).to.deep.equal([
          'key_other null token.revoked two agent_1 agent:read',
        ]);
      });
  });

  it('of keys: minted and revoked; no record has a secret, a hash or a hint', () => {
    const env = new TestEnv();
    const docs = new Documents();
    let state: WorkspaceEntityState = {
      entity: newWorkspace('default', 'default', 'free', noon),
      counts: {},
      positions: new Map(),
    };
    const perform = (decide: (draft: WorkspaceEntityDraft) => unknown): void => {
      const decision = decideWorkspaceEntity(state, decides(decide), env);
      docs.apply(decision);
      state = decision.state;
    };
    const input = { name: 'ci', mode: 'live', scopes: ['agent:read'] } as const;
    const made = { input: { ...input, scopes: [...input.scopes] }, hash: 'h'.repeat(64), hint: 'svc_live_ab' };
    perform((d) => addKey(d, { ...made, held: 0, by }));
    const [key] = docs.all('key');
    perform((d) => {
      removeKey(d, key!, { actor: 'key_other', from: null });
    });
    expect(told(docs.all('audit'))).to.deep.equal([
      'key_admin 192.0.2.1 key.created ci null agent:read',
      'key_other null key.revoked ci null agent:read',
    ]);
    for (const record of docs.all('audit')) {
      expect(record).to.have.all.keys(
        'id',
        'action',
        'actor',
        'actor_name',
        'from',
        'request_id',
        'target_id',
        'credential_id',
        'name',
        'agent_id',
        'hive_id',
        'scopes',
        'fields',
        'count',
        'words',
        'created_at',
      );
      expect(record.credential_id).to.equal(key!.id);
    }
  });

  it('when a credential was last used is put onto it, and changes nothing else', () => {
    given({}, mint())
      .when((w) => ({
        type: 'used',
        kind: 'token',
        credentials: [{ ...w.docs.all('token')[0]!, last_used_at: '2026-01-01T00:00:00.000Z' }],
      }))
      .then((w, { puts, effects }) => {
        expect(puts.map((p) => [p.kind, p.isNew])).to.deep.equal([['token', false]]);
        expect(w.docs.all('token')[0]).to.include({
          name: 'peer',
          hash: 'h'.repeat(64),
          last_used_at: '2026-01-01T00:00:00.000Z',
        });
        expect(effects).to.deep.equal([]);
        expect(w.state.agent.last_active_at, 'no activity of the agent').to.equal(w.state.agent.created_at);
      });
  });
});

describe('domain: changes that ask for a version', () => {
  const seen = (w: AgentWorld): Versions => [w.state.agent.updated_at];
  const changes = (onlyIf: Versions): AgentCommand[] => [
    replaces({ name: 'x' }, { onlyIf }),
    patches({ name: 'x' }, { onlyIf }),
    { type: 'delete', tokens: [], by, onlyIf },
  ];

  for (const at of [0, 1, 2]) {
    const change = (onlyIf: Versions): AgentCommand => changes(onlyIf)[at]!;
    describe(change([]).type, () => {
      it('is done where it is one of them', () => {
        given()
          .when((w) => change(seen(w)))
          .then((w) => {
            expect(w.state.agent.deleting || w.state.agent.name === 'x').to.equal(true);
          });
        given()
          .when((w) => change(['2020-01-01T00:00:00.000Z', ...seen(w)]))
          .then((_, { puts }) => {
            expect(puts).to.be.an('array');
          });
      });
      it('is refused where it is none of them, whatever there was before', () => {
        let before: Versions = [];
        given()
          .then((w) => {
            before = seen(w);
          })
          .when(patches({ description: 'new' }))
          .when(() => change(before))
          .refused('PRECONDITION_FAILED')
          .when(change([]))
          .refused('PRECONDITION_FAILED');
      });
      it('is done though the agent has remembered and received something since', () => {
        let before: Versions = [];
        given()
          .then((w) => {
            before = seen(w);
          })
          .when(store(), receive())
          .when(() => change(before))
          .then((w) => {
            expect(w.state.agent.deleting || w.state.agent.name === 'x').to.equal(true);
          });
      });
    });
  }

  it('every change of settings is another version, also two in one millisecond', () => {
    const versions: string[] = [];
    const look = (w: AgentWorld): void => {
      versions.push(w.state.agent.updated_at);
    };
    given()
      .then(look)
      .when(patches({}))
      .then(look)
      .when(replaces({ status: 'inactive' }))
      .then(look)
      .when(joins('hive_1'))
      .then(look)
      .when(leaves('hive_1'))
      .then(look);
    expect(new Set(versions).size).to.equal(5);
  });
});
