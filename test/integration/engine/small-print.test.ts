/** Decisions of the service that stand in DESIGN.md and are easily lost. */
import { expect } from 'chai';
import { answers, call, caller, does, sandboxCaller, testEngine } from '../../helpers/engine.js';
import { codeOf, newestFirst } from './kit.js';

describe("The service's small print", () => {
  it('a sandbox key mints sandbox keys only', async () => {
    const { engine } = await testEngine();
    const { service } = engine;
    expect(await codeOf(service.mintKey(sandboxCaller, { name: 'climbs', mode: 'live' }))).to.equal('VALIDATION_ERROR');
    expect((await service.mintKey(sandboxCaller, { name: 'stays', mode: 'test' })).secret).to.match(/^svc_test_/);
  });

  it('a key mints no scope that it lacks', async () => {
    const { engine } = await testEngine();
    const poor = { ...caller, scopes: new Set(['workspace:admin'] as const) };
    expect(await codeOf(engine.service.mintKey(poor, { name: 'more', mode: 'live', scopes: ['agent:read'] }))).to.equal(
      'VALIDATION_ERROR',
    );
    expect((await engine.service.mintKey(poor, { name: 'same', mode: 'live' })).key.scopes).to.deep.equal([
      'workspace:admin',
    ]);
  });

  it('an answer says which calls beside it failed', async () => {
    const { engine, script } = await testEngine(undefined, () =>
      does(
        call('send_message', { to: 'Nobody', content: 'hi' }),
        call('answer', { content: 'I am writing to Nobody' }),
      ),
    );
    const { service } = engine;
    const agent = await service.spawnAgent(caller, { name: 'x' });
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
    const agent = await service.spawnAgent(caller, { name: 'x', config: { validation_gate: 'action' } });
    const reply = await service.messageAgent(caller, agent.id, { content: 'go' });
    expect(reply).to.include({ status: 'paused', response: null });
    const { waitingFor } = await service.getRun(caller, agent.id, reply.run_id);
    expect(waitingFor?.question).to.equal('approve send_message to Bo: hi');
    expect(reply.waitingFor).to.deep.equal(waitingFor);
  });

  it('pages of thoughts go on where they stopped, in both orders and with a filter', async () => {
    const { engine } = await testEngine(undefined, (c) => ({
      thoughts: [
        { thoughtType: 'goal', content: `g${c.run.input}` },
        { thoughtType: 'insight', content: `i${c.run.input}` },
      ],
      calls: [call('answer', { content: 'ok' })],
    }));
    const { service } = engine;
    const agent = await service.spawnAgent(caller, { name: 'x' });
    for (let i = 0; i < 7; i++) await service.messageAgent(caller, agent.id, { content: String(i) });
    for (const order of ['asc', 'desc'] as const) {
      const seen: string[] = [];
      for (let after: Parameters<typeof service.listThoughts>[3]['after']; ;) {
        const page = await service.listThoughts(
          caller,
          agent.id,
          { thoughtType: 'insight' },
          { ...newestFirst, order, limit: 2, ...(after && { after }) },
        );
        seen.push(...page.items.map((t) => t.content));
        if (!page.next) break;
        after = page.next;
      }
      const all = Array.from({ length: 7 }, (_, i) => `i${i}`);
      expect(seen).to.deep.equal(order === 'asc' ? all : all.reverse());
    }
  });
});
