/** What MCP's tasks answer where the service does not do what they ask of it; what they do otherwise: test/e2e/mcp. */
import { expect } from 'chai';
import type { ErrorCode, ErrorOptions } from '../../../src/domain/shared/errors.js';
import type { ResumeInput } from '../../../src/domain/shared/inputs.js';
import type { Run } from '../../../src/domain/model/model.js';
import type { Service } from '../../../src/service.js';
import { ask, resultOf } from '../../e2e/mcp/support/wire.js';
import { type Answers, fixtures } from '../../helpers/fake-service.js';
import { rootKey, startGateway, type TestGateway } from '../../helpers/gateway.js';

const running: Run = { ...fixtures.run, status: 'running' };
const asking = (question: string, event: number): Run => ({
  ...running,
  status: 'paused',
  updated_at: `2026-01-01T00:00:00.00${event}Z`,
  waitingFor: { id: `run_1-${event}`, kind: 'human', question, action: null },
});

describe('MCP tasks over a service that fails', () => {
  let gateway: TestGateway;
  let taskId: string;
  let failure: (code: ErrorCode, message: string, options?: ErrorOptions) => Error;
  // as the gateway loads the server of MCP, so that both mean the same class
  before(async () => {
    const { HivekeepError } = await import('../../../src/domain/shared/errors.js');
    failure = (...given) => new HivekeepError(...given);
  });
  afterEach(() => gateway.stop());

  /** A gateway, and a task at it whose run is what the service says. */
  async function withTask(commands: Answers, service: Partial<Service> = {}): Promise<void> {
    let begun = false;
    gateway = await startGateway({
      service: {
        startRun: () => Promise.resolve(running),
        ...service,
      },
      commands: {
        ...commands,
        getRun: (...args) =>
          begun ? (commands['getRun']?.(...args) ?? Promise.resolve(running)) : Promise.resolve(running),
      },
    });
    const task = await resultOf(at(), 'tools/call', { name: 'start_run', arguments: { input: 'go' } });
    expect(task).to.include({ resultType: 'task' });
    taskId = String(task['taskId']);
    begun = true;
  }
  const at = () => ({ url: `${gateway.url}/mcp/agents/agent_1`, key: rootKey });
  const answer = (key: string) =>
    ask(at(), 'tasks/update', { taskId, inputResponses: { [key]: { action: 'accept', content: { answer: 'blue' } } } });

  it('an outage is told as one, and is no defect of ours', async () => {
    const away = failure('UNAVAILABLE', 'the store does not answer', { retryAfter: 3 });
    await withTask({ getRun: () => Promise.reject(away) });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error, result } = await ask(at(), method, { taskId, inputResponses: {} });
      expect(result).to.equal(undefined);
      expect(error).to.have.property('message').that.includes('the store does not answer');
    }
    expect(gateway.errors).to.deep.equal([]);
  });

  it('a defect is told without its details, and logged with them', async () => {
    await withTask({ cancelRun: () => Promise.reject(new TypeError('secret of the inside')) });
    const { error } = await ask(at(), 'tasks/cancel', { taskId });
    expect(JSON.stringify(error)).to.not.include('secret of the inside');
    expect(gateway.errors).to.have.length(1);
    expect(gateway.errors[0]).to.have.nested.property('err.message', 'secret of the inside');
  });

  it('a run that is gone is no task any more', async () => {
    await withTask({ getRun: () => Promise.reject(failure('NOT_FOUND', 'no run run_1')) });
    expect((await ask(at(), 'tasks/get', { taskId })).error).to.include({ code: -32602 });
  });

  it('an answer names the question that was read, and is dropped where the run asks another by then', async () => {
    const given: ResumeInput[] = [];
    let now = asking('Which colour?', 3);
    const service: Partial<Service> = {
      resumeRun: (_caller, _agent, _id, input) => {
        given.push(input);
        now = asking('Delete the old one?', 5);
        return Promise.reject(failure('CONFLICT', 'run run_1 does not wait for an answer to run_1-3'));
      },
    };
    await withTask({ getRun: () => Promise.resolve(now) }, service);
    const { result, error } = await answer(now.waitingFor!.id);
    expect(error).to.equal(undefined);
    expect(result).to.include({ resultType: 'complete' });
    expect(given).to.deep.equal([{ input: 'blue', answers: 'run_1-3' }]);
    expect(JSON.stringify((await ask(at(), 'tasks/get', { taskId })).result)).to.include('Delete the old one?');
  });

  it('an answer that the service refuses is an error', async () => {
    const paused = asking('Which colour?', 3);
    const refusal = failure('AGENT_INACTIVE', 'agent agent_1 is inactive');
    await withTask({ getRun: () => Promise.resolve(paused) }, { resumeRun: () => Promise.reject(refusal) });
    expect((await answer(paused.waitingFor!.id)).error)
      .to.have.property('message')
      .that.includes('agent agent_1 is inactive');
  });
});
