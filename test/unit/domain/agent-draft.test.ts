import { expect } from 'chai';
import type { AgentSnapshot } from '../../../src/domain/shared/snapshots.js';
import { copyOf } from '../../../src/domain/agent/agent-draft.js';

describe('domain: a draft of an agent', () => {
  const agent: Required<AgentSnapshot> = {
    id: 'agent_1',
    name: 'clerk',
    description: 'keeps the books',
    status: 'inactive',
    config: { max_steps: 3 },
    hives: ['hive_1'],
    metadata: { team: 'blue' },
    wake_on_message: true,
    memory_quota: 7,
    maxRuntimeSeconds: 60,
    created_at: '2026-11-21T10:00:00.000Z',
    updated_at: '2026-11-21T10:00:01.000Z',
    last_active_at: '2026-11-21T10:00:02.000Z',
    lastMs: 1000,
    idMs: 2000,
    nextExpiry: 3000,
    deleting: true,
    running: [{ id: 'run_1', session: 'sess_1' }],
    pending: [{ id: 'run_2', session: 'sess_2', message: 'msg_1' }],
    ending: 1,
    endsPaused: true,
    unread: 1,
    outbox: 2,
    pushes: 3,
    mailDeletedAt: '2026-11-21T10:00:03.000Z',
    sharedWith: ['hive_2'],
    toLearn: ['run_0'],
    learnLater: 3,
    scheduleNames: { sched_1: 'daily' },
    schedules: { sched_1: 5000 },
    webhookEvents: 4,
    blocks: 2,
    usageDay: {
      day: '2026-11-28',
      agent_id: 'agent_1',
      runs: 1,
      failed: 0,
      requests: 1,
      inputTokens: 2,
      cachedInputTokens: 0,
      outputTokens: 1,
    },
    children: { agent_2: { until: 5 } },
    spawned: { by: 'agent_3' },
    journals: { after: null, due: 4000, again: [] },
  };

  it('begins with every field of the agent, at the time of the decision', () => {
    expect(copyOf(agent, { lastMs: 5000, idMs: 6000 })).to.deep.equal({ ...agent, lastMs: 5000, idMs: 6000 });
  });

  it('has no time of ids of its own once the clock has caught up', () => {
    const { idMs: _ahead, ...rest } = agent;
    expect(copyOf(agent, { lastMs: 5000 })).to.deep.equal({ ...rest, lastMs: 5000 });
  });
});
