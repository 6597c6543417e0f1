/** The scripted agent does what the kits' scenarios ask for (a2a-tck 1.0, scenarios/*.feature). */
import { expect } from 'chai';
import type { StepContext, StepProposal } from '../../src/reasoner/port.js';
import { createScriptedAgent } from './scripted-agent.js';

const contextOf = (messageId: string, ...replies: string[]): StepContext => ({
  agent: { id: 'agent_1', name: 'Kit agent', description: '', config: {}, hives: [] },
  run: {
    id: 'run_1',
    input: 'x',
    sessionId: 's',
    triggeredBy: 'a2a',
    multiStep: true,
    message: { messageId, role: 'user', parts: [{ kind: 'text', text: 'x' }] },
  },
  now: 0,
  step: 1 + replies.length,
  maxSteps: 50,
  memories: [],
  messages: [],
  turns: [],
  transcript: [],
  humanInputs: replies.map((input, i) => ({ step: i + 1, decision: null, input })),
});

const agent = createScriptedAgent({ longTaskMs: 1 });
const next = async (messageId: string, ...replies: string[]): Promise<StepProposal> =>
  agent.next(contextOf(messageId, ...replies), new AbortController().signal);
const toolOf = ({ calls }: StepProposal): string | undefined => calls[0]?.tool;

describe("the kits' scripted agent", () => {
  it('goes by the longest prefix of the messageId', async () => {
    expect((await next('tck-artifact-file-0a1b2c3d')).calls[0]?.parts?.[0])
      .to.include({ kind: 'file', filename: 'output.txt', mediaType: 'text/plain' })
      .and.to.have.property('bytes');
    expect((await next('tck-artifact-file-url-0a1b2c3d')).calls[0]?.parts?.[0]).to.include({
      kind: 'file',
      uri: 'https://example.com/output.txt',
      filename: 'output.txt',
    });
    expect((await next('tck-artifact-data-0a1b2c3d')).calls[0]?.parts).to.deep.equal([
      { kind: 'data', data: { key: 'value', count: 42 } },
    ]);
    expect((await next('tck-complete-task-0a1b2c3d-jsonrpc')).calls[0]?.parts).to.deep.equal([
      { kind: 'text', text: 'Hello from TCK' },
    ]);
  });

  it('answers what it does not know, also a run that no message began', async () => {
    expect(toolOf(await next('test-stream-message-id-1'))).to.equal('answer');
    const context = contextOf('');
    expect(
      toolOf(await agent.next({ ...context, run: { ...context.run, message: null } }, new AbortController().signal)),
    ).to.equal('answer');
  });

  it('waits for input where the kits go on, asks again while a history is built, and then ends', async () => {
    for (const begun of [
      'tck-input-required-1',
      'test-message-id-1',
      'text-message-id-1',
      'test-history-create-message-id-1',
      'mapping-test-message-id-1',
      'cancel-test-message-id-1',
    ])
      expect(toolOf(await next(begun)), begun).to.equal('ask_human');
    for (const reply of ['TCK history message 1', 'Follow-up message 3 for history test'])
      expect(toolOf(await next('tck-input-required-1', 'first', reply)), reply).to.equal('ask_human');
    for (const reply of ['TCK follow-up for history', 'TCK complete after history', 'Complete'])
      expect(toolOf(await next('tck-input-required-1', 'TCK history message 1', reply)), reply).to.equal('answer');
  });

  it('fails where it is told to reject, and a long task ends with its signal', async () => {
    expect(await next('tck-reject-task-1').catch((e: unknown) => e)).to.include({
      name: 'ReasonerError',
      code: 'refused',
    });
    const abort = new AbortController();
    const long = createScriptedAgent({ longTaskMs: 600_000 }).next(
      contextOf('test-resubscribe-message-id-1'),
      abort.signal,
    );
    abort.abort();
    expect(await Promise.resolve(long).catch((e: unknown) => e))
      .to.be.instanceOf(Error)
      .with.property('name', 'AbortError');
    expect(toolOf(await next('test-resubscribe-message-id-1'))).to.equal('answer');
  });
});
