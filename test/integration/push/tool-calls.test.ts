/** Calls of tools by HTTP have a share of the connections for each workspace (FairLanes.S1). */
import { expect } from 'chai';
import { callTool } from '../../../actors/entities/agent/call-tool.js';
import { stillClock } from '../../helpers/engine.js';
import { receive, sender, until } from './receiver.js';

describe('push: calls of tools', () => {
  it('one workspace whose tools hang takes no more than its share, and gives it back', async () => {
    const hangs = await receive(() => undefined);
    const fine = await receive((_request, response) => response.end('fine'));
    const { push } = sender();
    const clock = stillClock();
    const never = new AbortController().signal;
    const called = (workspace: string, port: number): Promise<{ ok: boolean; result: string }> =>
      callTool(
        { push, clock, mcp: undefined as never },
        {
          agent: { workspace, id: 'agent_1' },
          tool: { kind: 'http', name: 'x', description: 'x', keyed: false, url: `http://127.0.0.1:${port}/` },
          call: { arguments: { name: 'x', input: '{}' } },
          key: 'k',
        },
        never,
      );
    try {
      const hanging = Array.from({ length: 300 }, () => called('one', hangs.port));
      await until('all that may go out', () => hangs.received.length >= 256);
      expect(await called('two', fine.port)).to.deep.equal({ ok: true, result: 'fine' });
      expect(hangs.received).to.have.length(256);
      clock.skip(30_000);
      const told = (await Promise.all(hanging)).map(({ result }) => result);
      expect(told.filter((why) => why.startsWith('no answer within 30 s; '))).to.have.length(256);
      expect(
        told.filter((why) => why === 'other calls of the workspace take all the time that this one had'),
      ).to.have.length(44);
      const again = await Promise.all(Array.from({ length: 20 }, () => called('one', fine.port)));
      expect(again.map(({ result }) => result)).to.deep.equal(Array(20).fill('fine'));
    } finally {
      await push.close();
      await Promise.all([hangs.close(), fine.close()]);
    }
  });
});
