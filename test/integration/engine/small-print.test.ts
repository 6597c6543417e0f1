/** Decisions of the service that stand in DESIGN.md and are easily lost. */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { answers, call, caller, does, testEngine } from '../../helpers/engine.js';
import { getRun } from '../../../src/commands/runs.js';

describe("The service's small print", () => {
  it('an answer says which calls beside it failed', async () => {
    const { engine, script } = await testEngine(undefined, () =>
      does(
        call('send_message', { to: 'Nobody', content: 'hi' }),
        call('answer', { content: 'I am writing to Nobody' }),
      ),
    );
    const { service } = engine;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'x' });
    const reply = await service.messageAgent(caller, agent.id, { content: 'tell Nobody: hi' });
    expect(reply.response).to.equal('I am writing to Nobody\nNot done (send_message): there is no agent "Nobody"');
    script(() => answers('plain'));
    expect((await service.messageAgent(caller, agent.id, { content: 'x' })).response).to.equal('plain');
  });

  it('what waits for approval is asked in words', async () => {
    const { engine } = await testEngine(undefined, () =>
      does(call('send_message', { to: 'Bo', content: 'hi' }), call('answer', { content: 'ok' })),
    );
    const { service } = engine;
    const agent = await service.execute(caller, spawnAgent, {}, { name: 'x', config: { validation_gate: 'action' } });
    const reply = await service.messageAgent(caller, agent.id, { content: 'go' });
    expect(reply).to.include({ status: 'paused', response: null });
    const { waitingFor } = await service.execute(caller, getRun, { id: agent.id, runId: reply.run_id });
    expect(waitingFor?.question).to.equal('approve send_message to Bo: hi');
    expect(reply.waitingFor).to.deep.equal(waitingFor);
  });
});
