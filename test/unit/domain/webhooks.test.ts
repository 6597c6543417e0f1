/** Webhooks as decisions (docs/webhooks.md; src/domain/workspace/webhooks.ts). */
import { expect } from 'chai';
import type { StoredWebhook } from '../../../src/domain/shared/documents.js';
import { type WebhookListener, mostWebhookEvents } from '../../../src/domain/task/push.js';
import {
  addWebhook,
  removeWebhook,
  patchWebhook,
  rotateWebhook,
  secretsAt,
  showWebhook,
  webhookTried,
} from '../../../src/domain/workspace/webhooks.js';
import { decides } from './support/commands.js';
import { Draft } from '../../../src/domain/shared/draft.js';
import type { WorkspaceEvent } from '../../../src/domain/model/model.js';
import { webhookEvents } from '../../../src/domain/shared/vocabulary.js';
import { newWorkspace } from '../../../src/domain/workspace/workspace.js';
import {
  decideWorkspaceEntity,
  type WorkspaceEntityState,
  type WorkspaceEntityDraft,
} from '../../../src/domain/workspace/workspace-entity.js';
import { TestEnv } from './support/env.js';

const hourMs = 3600 * 1000;
const url = 'https://hooks.example.com/';

/** What is put into the outbox of an entity with these webhooks. */
function told(
  webhooks: readonly Partial<WebhookListener>[],
  events: readonly [WorkspaceEvent['type'], Record<string, unknown>][],
  waiting = 0,
): [webhook: string, type: string][] {
  const env = new TestEnv();
  const all = webhooks.map((w, i) => ({
    id: `wh_${i}`,
    events: [...webhookEvents],
    agent_id: null,
    enabled: true,
    ...w,
  }));
  const before = { lastMs: 0, nextExpiry: null, webhookEvents: waiting };
  const d = new Draft(before, {}, new Map(), { ...env, ids: env.ids, webhooks: all }, {});
  for (const [type, data] of events) d.announce(type, data);
  expect(d.webhookEvents - waiting, 'events to send').to.equal(d.puts.length);
  expect(d.effects.flatMap((e) => (e.type === 'send' ? [e.id] : []))).to.deep.equal(d.puts.map(({ id }) => id));
  return d.puts.flatMap(({ kind, body }) =>
    kind === 'outbox' && body.kind === 'event' ? [[body.webhook, body.event.type] as const] : [],
  );
}

describe('domain: webhooks', () => {
  it('are told of runs that end or wait, and of what happens, and nothing of what else is announced', () => {
    const run = (status: string): [WorkspaceEvent['type'], Record<string, unknown>] => ['run.status', { status }];
    const runs = ['pending', 'running', 'paused', 'completed', 'failed', 'timeout', 'cancelled'].map(run);
    const types = ['agent.created', 'agent.deleted', 'hive.updated', 'message.deleted', 'usage.alert'] as const;
    const others = types.map((type): (typeof runs)[number] => [type, {}]);
    expect(told([{}], [...runs, ...others])).to.deep.equal(
      [
        'run.input_required',
        'run.completed',
        'run.failed',
        'run.timed_out',
        'run.cancelled',
        'agent.created',
        'usage.alert',
      ].map((type) => ['wh_0', type]),
    );
  });

  it('hear what they listen to, of the agent that they name, while they are enabled and not too much waits', () => {
    const made = (agent_id: string | null): [WorkspaceEvent['type'], Record<string, unknown>] => [
      'memory.created',
      { agent_id },
    ];
    const some = [{ agent_id: 'agent_1' }, { events: ['memory.created'] as ['memory.created'] }, { enabled: false }];
    expect(told(some, [made('agent_1'), made('agent_2'), made(null)]).map(([id]) => id)).to.deep.equal([
      'wh_0',
      'wh_1',
      'wh_1',
      'wh_1',
    ]);
    expect(told([{ events: ['run.failed'] }], [made(null)])).to.deep.equal([]);
    expect(told([{}, {}], [made(null)], mostWebhookEvents - 1)).to.have.length(1);
  });

  class Desk {
    readonly env = new TestEnv();
    state: WorkspaceEntityState = {
      entity: newWorkspace('w', 'w', 'free', this.env.now),
      counts: {},
      positions: new Map(),
    };
    webhook!: StoredWebhook;

    decide(change: (draft: WorkspaceEntityDraft) => unknown): unknown {
      const { state, puts, deletes, result } = decideWorkspaceEntity(this.state, decides(change), this.env);
      this.state = state;
      for (const { kind, body } of puts) if (kind === 'webhook') this.webhook = body;
      if (deletes.length > 0) expect(state.counts, 'the bytes are given back').to.deep.equal({});
      return result;
    }
    add(): this {
      const input = { url, events: ['run.failed' as const, 'run.failed' as const] };
      this.decide((d) => addWebhook(d, { input, secret: 's1', held: 0 }));
      return this;
    }
    tried(reason: string | null): unknown {
      return this.decide((d) => webhookTried(d, { webhook: this.webhook, reason }));
    }
  }

  it('one that takes nothing for three days is disabled and says so; any success in between starts anew', () => {
    const d = new Desk().add();
    const { secret: _, ...shown } = d.webhook;
    expect(showWebhook(d.webhook)).to.deep.equal(shown);
    expect(shown.events).to.deep.equal(['run.failed']);
    expect(d.tried('refused')).to.equal(false);
    const since = d.webhook.failing?.since;
    d.env.now += 70 * hourMs;
    expect([d.tried('no answer'), d.webhook.failing]).to.deep.equal([false, { since, reason: 'refused' }]);
    d.tried(null);
    expect(d.webhook.failing).to.equal(null);
    d.tried('refused');
    d.env.now += 73 * hourMs;
    expect(d.tried('no answer')).to.equal(true);
    expect(d.webhook.enabled).to.equal(false);
    expect(d.webhook.disabled_reason).to.contain(d.webhook.failing!.since).and.contain('no answer');
    expect(d.tried('no answer'), 'it is told once').to.equal(false);
    d.decide((draft) => patchWebhook(draft, { webhook: d.webhook, patch: { enabled: true } }));
    expect(d.webhook).to.include({ enabled: true, failing: null, disabled_reason: null });
    d.decide((draft) => {
      removeWebhook(draft, { webhook: d.webhook });
    });
  });

  it('after a rotation both secrets sign for a day', () => {
    const d = new Desk().add();
    d.decide((draft) => rotateWebhook(draft, { webhook: d.webhook, secret: 's2' }));
    const at = d.env.now;
    expect([0, 23, 25].map((hours) => secretsAt(d.webhook, at + hours * hourMs))).to.deep.equal([
      ['s2', 's1'],
      ['s2', 's1'],
      ['s2'],
    ]);
    expect(showWebhook(d.webhook)).to.not.have.any.keys('secret', 'previous');
  });

  it('a workspace has at most 100', () => {
    const input = { url, events: ['run.failed' as const] };
    expect(() => new Desk().decide((d) => addWebhook(d, { input, secret: 's', held: 100 }))).to.throw(
      'at most 100 webhooks',
    );
  });
});
