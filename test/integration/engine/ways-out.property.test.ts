/**
 * Gates over every way out of a run: whatever somebody without agent:manage overrides, and by whatever door, nothing of
 * an unapproved answer leaves the service, and no unapproved action happens.
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { listTurns } from '../../../src/commands/sessions.js';
import { createSchedule } from '../../../src/commands/schedules.js';
import { listMessages } from '../../../src/commands/mailbox.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { saidInRequest } from '../../../gateway/openai/request.js';
import type { AgentTool } from '../../../src/domain/agent/agent-tools.js';
import type { RunOverrides } from '../../../src/domain/shared/inputs.js';
import type { ToolCall } from '../../../src/domain/model/model.js';
import { PushError, type Push } from '../../../src/push/port.js';
import type { Caller } from '../../../src/service.js';
import { MemoryStore } from '../../helpers/memory-store.js';
import {
  call,
  caller,
  does,
  eventually,
  noPush,
  skippingClock,
  testEngine,
  type Script,
  type SkippingClock,
  type TestEngine,
} from '../../helpers/engine.js';
import { codeOf, newestFirst, oldestFirst } from './kit.js';
import { listRuns, getRun, forkRun } from '../../../src/commands/runs.js';
import { getTask } from '../../../src/commands/tasks.js';

const secret = 'sesame 4711';
const url = 'https://caller.example/';
/** May use agents, and neither manages them nor reads what they think (Sight.S2). */
const stranger: Caller = {
  ...caller,
  credentialId: 'key_stranger',
  scopes: ['agent:spawn', 'memory:read'],
};

const claims = { description: '', reads_only: true, keyed: true };
const tools: readonly AgentTool[] = [
  { kind: 'http', name: 'post', url, ...claims },
  { kind: 'mcp', name: 'server', url, reads_only: true, repeatable: true, annotations: 'trusted' },
  { kind: 'client', name: 'hand', description: '', reads_only: true },
];
const use = (name: string): ToolCall => call('use_tool', { name, input: JSON.stringify({ said: secret }) });
const leaks: readonly ToolCall[] = [
  use('post'),
  use('server.look'),
  use('hand'),
  call('answer', { content: secret }),
  call('ask_human', { question: secret }),
  call('recall', { query: secret }),
];
const acts: readonly ToolCall[] = [
  use('post'),
  use('server.look'),
  use('hand'),
  call('remember', { content: secret }),
  call('send_message', { to: 'Bo', content: secret }),
];

type Door = (e: Bed, agent: string, overrides: RunOverrides, n: number) => Promise<string>;
interface Bed extends TestEngine {
  clock: SkippingClock;
}
const doors: Readonly<Record<string, Door>> = {
  run: async ({ engine: { service } }, agent, overrides) =>
    (await service.startRun(stranger, agent, { input: 'go', overrides })).id,
  message: async ({ engine: { service } }, agent, overrides) =>
    (await service.messageAgent(stranger, agent, { content: 'go', overrides })).run_id,
  schedule: async ({ engine: { service }, clock }, agent, overrides) => {
    const at = new Date(clock.now() + 30_000).toISOString();
    await service.execute(stranger, createSchedule, { id: agent }, { at, input: 'go', overrides });
    clock.skip(31_000);
    return eventually(
      async () => (await service.execute(caller, listRuns, { id: agent }, { page: newestFirst })).items[0]?.id,
    );
  },
  a2a: async ({ engine: { service } }, agent, overrides, n) => {
    const message = {
      messageId: `m${n}`,
      role: 'user' as const,
      parts: [{ kind: 'text' as const, text: 'go' }],
      metadata: { 'hivekeep/overrides': overrides },
    };
    return (await service.sendTask(stranger, agent, { message, wait: 'started' })).id;
  },
  openai: async ({ engine: { service } }, agent) => {
    const names = ['post', 'server', 'hand'];
    const request = {
      model: agent,
      messages: [{ role: 'user' as const, content: 'go' }],
      tools: names.map((name) => ({ type: 'function' as const, function: { name } })),
    };
    const given = saidInRequest(request, { last: 0, said: 'go' });
    return (await service.converse(stranger, agent, given)).run.id;
  },
  fork: async ({ engine: { service } }, agent, overrides) => {
    const { id } = await service.startRun(stranger, agent, { input: 'first', overrides });
    await eventually(async () => (await service.execute(caller, getRun, { id: agent, runId: id })).steps > 0);
    return (await service.execute(stranger, forkRun, { id: agent, runId: id }, { checkpoint: 1 })).id;
  },
};

/** Everything that the stranger can learn of the run. */
async function seenOf({ engine: { service } }: TestEngine, agent: string, id: string): Promise<string> {
  const run = await service.execute(stranger, getRun, { id: agent, runId: id });
  const events: unknown[] = [];
  const over = new AbortController();
  for await (const event of await service.runEvents(stranger, agent, id, 0, over.signal)) {
    events.push(event);
    if (event.type === 'status' && event.status === run.status) break;
  }
  over.abort();
  return JSON.stringify([
    run,
    events,
    await service.execute(stranger, getTask, { id: agent, taskId: id }),
    await service.execute(stranger, listTurns, { id: agent, sessionId: run.sessionId }, { page: oldestFirst }),
    (await service.listMemories(stranger, { agent_id: agent }, newestFirst)).items,
  ]);
}

const given = (gate: 'action' | 'answer', calls: readonly ToolCall[]) =>
  fc.record({
    gate: fc.constant(gate),
    door: fc.constantFrom(...Object.keys(doors)),
    /** What the model asks for, step by step. */
    steps: fc.array(fc.array(fc.constantFrom(...calls), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 2,
    }),
    /** Which tools are brought, and whether the agent has tools of these names itself. */
    brought: fc.subarray([...tools], { minLength: 1 }),
    shadows: fc.boolean(),
    rejects: fc.boolean(),
  });

describe('gates over every way out of a run (property)', () => {
  let sent: string[];
  let bed: Bed;
  let steps: readonly (readonly ToolCall[])[] = [];
  const push: Push = {
    ...noPush,
    open: (_, { url: to, body = '' }) => {
      sent.push(`${to} ${body}`);
      return Promise.reject(new PushError('nobody is there'));
    },
  };
  const script: Script = ({ run: { input }, transcript }) => {
    if (input === 'first' && transcript.length === 0) return does(call('recall', { query: 'x' }));
    const done = transcript.filter((calls) => calls[0]?.arguments['query'] !== 'x').length;
    return does(...(steps[done] ?? [call('answer', { content: 'nothing' })]));
  };
  beforeEach(async () => {
    sent = [];
    const clock = skippingClock();
    bed = { ...(await testEngine(new MemoryStore(), script, { push, clock })), clock };
  });
  afterEach(() => bed.engine.stop(0));

  for (const arbitrary of [given('answer', leaks), given('action', acts)])
    it('nothing leaves and nothing happens that nobody has approved', async () => {
      let n = 0;
      const { service } = bed.engine;
      const bo = await service.execute(caller, spawnAgent, {}, { name: 'Bo' });
      await fc.assert(
        fc.asyncProperty(arbitrary, async ({ gate, door, steps: asked, brought, shadows, rejects }) => {
          steps = asked;
          const { id: agent } = await service.execute(
            caller,
            spawnAgent,
            {},
            {
              name: `Ada ${++n}`,
              config: { validation_gate: gate, multi_step: true, ...(shadows && { tools: [...tools] }) },
            },
          );
          const id = await doors[door]!(bed, agent, { tools: brought }, n);
          const settled = () =>
            eventually(async () => {
              const { status, waitingFor } = await service.execute(caller, getRun, { id: agent, runId: id });
              return ['completed', 'failed', 'paused'].includes(status) && { status, waitingFor };
            }, 'a run that has settled');
          for (let rounds = 0; rounds < 8; rounds++) {
            const { status, waitingFor } = await settled();
            const seen = await seenOf(bed, agent, id);
            if (gate === 'answer') {
              expect(seen).to.not.contain(secret);
              expect(sent.join('\n')).to.not.contain(secret);
            } else {
              expect(sent).to.deep.equal([]);
              expect((await service.listMemories(caller, { agent_id: agent }, newestFirst)).items).to.deep.equal([]);
              expect(
                (
                  await service.execute(
                    caller,
                    listMessages,
                    { id: bo.id },
                    { page: { ...newestFirst, ordered: true } },
                  )
                ).items,
              ).to.deep.equal([]);
              expect(waitingFor?.kind).to.not.equal('tools');
            }
            if (status !== 'paused') break;
            for (const decision of ['approve', 'reject'] as const)
              expect(await codeOf(service.resumeRun(stranger, agent, id, { decision }))).to.equal('INSUFFICIENT_SCOPE');
            if (!rejects) break;
            await service.resumeRun(caller, agent, id, { decision: 'reject' });
          }
        }),
        { numRuns: 60 },
      );
    });
});
