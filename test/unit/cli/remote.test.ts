/** The server that the commands `export` and `import` work with. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Io } from '../../../gateway/cli/io.js';
import { mcpBridge } from '../../../gateway/cli/mcp-bridge.js';
import { insistent, remoteOf, remoteWorkspace, sendPart } from '../../../gateway/cli/remote.js';

const problem = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
};

describe('the server of a command', () => {
  const key = 'hk_live_x';

  for (const url of ['ftp://example.com', 'https://', 'example.com', 'http://me:secret@example.com'])
    it(`${url} is refused before anything is sent, and not repeated`, async () => {
      const told = await problem(() => remoteOf(url, { HIVEKEEP_KEY: key }));
      expect(told)
        .to.match(/^--url must be the address of a server/)
        .and.not.include('secret');
    });

  it('a key that no header can carry is refused', async () => {
    for (const bad of ['', 'naïve …', 'a\nb'])
      expect(await problem(() => remoteOf('http://example.com', { HIVEKEEP_KEY: bad }))).to.match(/^HIVEKEEP_KEY must/);
  });

  describe('that fails for a moment', () => {
    const atOnce = { retries: 3, minTimeout: 0, maxTimeout: 0 };
    type Reply = (res: ServerResponse) => void;
    const refused =
      (status: number, body = ''): Reply =>
      (res) =>
        void res.writeHead(status).end(body);
    const cutOff: Reply = (res) => {
      res.writeHead(200, { 'content-length': '100' }).write('{"data":', () => res.destroy());
    };
    const done: Reply = (res) => void res.end(JSON.stringify({ data: { added: { memory: 1 } } }));

    /** What an import says to a server that gives these answers in turn, the last one to all that follow. */
    async function importing(...replies: Reply[]): Promise<{ asked: number; result: unknown }> {
      let asked = 0;
      const server = createServer((req, res) => {
        req.resume();
        replies[Math.min(asked++, replies.length - 1)]!(res);
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      const remote = remoteOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { HIVEKEEP_KEY: key });
      try {
        const result = await insistent('The import', () => sendPart(remote, '{}\n'), atOnce).catch(
          (error: Error) => error.message,
        );
        return { asked, result };
      } finally {
        server.close();
        server.closeAllConnections();
      }
    }

    it('is asked again, also where its answer was cut off or is that of a proxy', async () => {
      const told = await importing(cutOff, refused(200, '<p>welcome</p>'), refused(502, '<p>bad gateway</p>'), done);
      expect(told).to.deep.equal({ asked: 4, result: { added: { memory: 1 } } });
    });

    it('is given up in the end, in words, and may be asked later', async () => {
      const busy = JSON.stringify({ error: { message: 'another import is in progress' } });
      const { asked, result } = await importing(refused(409, busy));
      expect(asked).to.equal(4);
      expect(result).to.match(/^The import stopped: .*another import is in progress\. Run the same command again/);
    });

    it('and what it refuses for good is not sent again', async () => {
      const { asked, result } = await importing(refused(400, JSON.stringify({ error: { message: 'no lines' } })));
      expect({ asked, result }).to.deep.equal({ asked: 1, result: 'the server answered: no lines' });
    });
  });

  describe('that sends elsewhere', () => {
    let server: Server;
    const asked: string[] = [];
    before(async () => {
      server = createServer((req, res) => {
        asked.push(`${req.method} ${req.url}`);
        res.writeHead(308, { location: 'http://elsewhere.example/v1' }).end();
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    });
    after(() => server.close());

    it('is not followed: what it names is told', async () => {
      const remote = remoteOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { HIVEKEEP_KEY: key });
      for (const work of [() => remoteWorkspace(remote), () => sendPart(remote, 'a memory')])
        expect(await problem(work)).to.include('http://elsewhere.example/v1');
      expect(asked.splice(0)).to.deep.equal(['GET /v1/me', 'POST /v1/import']);
    });

    it('is not followed by the bridge of MCP either', async () => {
      const environment = {
        HIVEKEEP_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        HIVEKEEP_KEY: key,
      };
      const told: string[] = [];
      const io = { out: (line: string) => told.push(line) } as unknown as Io;
      const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const bridge = (agent?: string) => mcpBridge(environment, io, Readable.from([Buffer.from(`${call}\n`)]), agent);
      expect(await problem(() => bridge('Ada'))).to.include('http://elsewhere.example/v1');
      await bridge();
      expect(told).to.have.length(1);
      expect(told[0]).to.include('http://elsewhere.example/v1');
      expect(asked).to.deep.equal(['GET /v1/agents?name=Ada&page_size=100', 'POST /mcp']);
    });
  });
});
