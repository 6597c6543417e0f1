/** What one workspace leaves to others of the connections to servers of tools. */
import { createMcpServers } from '../../../src/mcp/servers.js';
import type { OutboundAnswer, OutboundRequest, Push } from '../../../src/push/port.js';
import { eventually, noPush, stillClock } from '../../helpers/engine.js';

describe('MCP: connections', () => {
  it('a workspace whose servers hang opens no more than it leaves to others', async () => {
    const opened = new Map<string, number>();
    const push: Push = {
      ...noPush,
      open(_agent: string, { url }: OutboundRequest, signal: AbortSignal) {
        const { hostname } = new URL(url);
        opened.set(hostname, (opened.get(hostname) ?? 0) + 1);
        return new Promise<OutboundAnswer>((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        });
      },
    };
    const clock = stillClock();
    const servers = createMcpServers(
      { push, clock },
      { commands: new Map(), annotations: 'ignored', tuning: { connections: 8 } },
    );
    const leave = new AbortController();
    const refused = new Map<string, number>();
    const all: Promise<unknown>[] = [];
    const asked = async (workspace: string, most: number): Promise<void> => {
      for (let i = 0; i < 20; i++)
        all.push(
          servers
            .offer(
              { workspace, id: `a${i}` },
              { kind: 'mcp', name: 'x', url: `https://${workspace}.example/${i}` },
              leave.signal,
            )
            .then(({ problems }) => {
              if (problems[0]?.startsWith('too many connections') !== true) return;
              refused.set(workspace, (refused.get(workspace) ?? 0) + 1);
            })
            .catch(() => undefined),
        );
      await eventually(
        async () => opened.get(`${workspace}.example`) === most && refused.get(workspace) === 20 - most,
        `${most} connections of ${workspace}`,
      );
    };
    try {
      await asked('one', 4);
      await asked('two', 2);
      await asked('three', 1);
    } finally {
      leave.abort();
      clock.skip(600_000);
      await Promise.all(all);
    }
  });
});
