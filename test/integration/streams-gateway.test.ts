/** The streams behind the whole gateway: its authentication, its headers and its shutdown. */
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { createStreams } from '../../gateway/streams/streams.js';
import { createInProcessBus } from '../../src/bus/in-process.js';
import { followWorkspace } from '../../src/bus/workspace-events.js';
import { rootKey, startGateway, type TestGateway } from '../helpers/gateway.js';
import { change, ManualClock } from '../unit/bus/support.js';
import { RawClient, until } from './streams-support.js';

describe('streams behind the gateway', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());
  const setUp = async () => {
    const bus = createInProcessBus();
    const clock = new ManualClock();
    const streams = createStreams({
      clock,
      log: { debug: () => undefined, warn: () => undefined, error: () => undefined },
    });
    gateway = await startGateway({
      options: { streams },
      service: {
        workspaceEvents: (caller, signal) => followWorkspace({ bus, workspace: caller.workspace, signal, buffer: 100 }),
      },
    });
    return { bus, streams };
  };
  const authorized = `Host: localhost\nAuthorization: Bearer ${rootKey}\n`;

  it('both kinds get the same events, and a shutdown ends both', async () => {
    const { bus, streams } = await setUp();
    const sse = new RawClient(gateway.port, `GET /v1/events HTTP/1.1\n${authorized}\n`);
    const ws = new WebSocket(`ws://127.0.0.1:${gateway.port}/v1/events`, {
      headers: { authorization: `Bearer ${rootKey}` },
    });
    const got: unknown[] = [];
    let code = 0;
    ws.on('message', (data: Buffer) => got.push(JSON.parse(data.toString())));
    ws.on('close', (c) => {
      code = c;
    });
    await until('both', () => streams.open === 2);
    const workspace = (gateway.calls.find((c) => c.method === 'workspaceEvents')!.args[0] as { workspace: string })
      .workspace;
    bus.publishWorkspace(workspace, [change(1)]);
    await until('the event', () => got.length === 1 && sse.body.includes('mem_1'));
    expect(sse.head).to.match(/x-request-id: req_/i);
    await gateway.stop();
    await until('both ends', () => code === 1001 && sse.closed);
    expect(sse.body).to.include('the server is going away');
  });

  it("a run's events go to their end, from the beginning and from where the reader was", async () => {
    await setUp();
    const path = '/v1/agent-constellations/agent_1/runs/run_1/events';
    const whole = await gateway.ask('GET', path);
    expect(whole.text).to.include('id: 1\nevent: status\n').and.include('id: 2\nevent: status\n');
    const rest = await gateway.ask('GET', path, undefined, { 'last-event-id': '1' });
    expect(rest.text).to.include('id: 2\n');
    expect(rest.text).not.to.include('id: 1\n');
  });

  it('an upgrade without a key is 401 in the envelope; one for something else is a plain request', async () => {
    await setUp();
    const upgrade =
      'Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n';
    const nobody = new RawClient(gateway.port, `GET /v1/events HTTP/1.1\nHost: localhost\n${upgrade}\n`);
    await until('the refusal', () => nobody.closed);
    expect(nobody.status).to.equal(401);
    const elsewhere = new RawClient(gateway.port, `GET /v1/agents HTTP/1.1\n${authorized}${upgrade}\n`);
    await until('the list', () => elsewhere.text.includes('"pagination"'));
    const body = '{"type":"note","content":"x"}';
    const h2c = new RawClient(
      gateway.port,
      `POST /v1/memories HTTP/1.1\n${authorized}Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\nContent-Type: application/json\nContent-Length: ${body.length}\n\n${body}`,
    );
    await until('the memory', () => h2c.status === 201 && h2c.text.includes('"data"'));
    elsewhere.destroy();
    h2c.destroy();
  });
});
