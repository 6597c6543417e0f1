/** Server-sent events over real sockets; the invariants are those of gateway/streams/{sse,pump}.ts. */
import { expect } from 'chai';
import { unavailable } from '../../src/domain/shared/errors.js';
import { answer, change, status } from '../unit/bus/support.js';
import { big, get, RawClient, startServer, until, type TestServer } from './streams-support.js';

describe('server-sent events over HTTP', () => {
  let t: TestServer;
  const start = async (options?: Parameters<typeof startServer>[0]): Promise<void> => {
    t = await startServer(options);
  };
  afterEach(() => t.close());

  it('opens at once, with its headers, those already set, and a time to come back', async () => {
    await start();
    const client = get(t.port, '/run');
    await until('the head', () => client.body.includes('retry: 2000\n'));
    const head = client.head.toLowerCase();
    expect(client.status).to.equal(200);
    for (const line of [
      'content-type: text/event-stream; charset=utf-8',
      'cache-control: no-cache, no-transform',
      'x-accel-buffering: no',
      'x-request-id: req_1',
    ])
      expect(head).to.include(line);
    client.destroy();
  });

  it("gives a run's events as they come, ends with the run, and leaves the connection usable", async () => {
    await start();
    t.stored.push(status(1, 'running'));
    const client = get(t.port, '/run');
    await until('the first event', () => client.ids.length === 1);
    expect(client.body).to.equal(
      `retry: 2000\nid: 1\nevent: status\ndata: ${JSON.stringify(status(1, 'running'))}\n\n`,
    );
    t.stored.push(answer(2), status(3, 'completed'));
    t.publishRun(answer(2), status(3, 'completed'));
    await until('the end', () => client.ended);
    expect(client.ids).to.deep.equal([1, 2, 3]);
    client.text = '';
    client.socket.write('GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until('another answer', () => client.text.includes('"/hello"'));
    expect([t.sources(), t.streams.open]).to.deep.equal([0, 0]);
    client.destroy();
  });

  it('data with line ends stays one line', async () => {
    await start();
    t.stored.push(answer(1, 'a\r\nid: 99\n\ndata: no\u2028'), status(2, 'completed'));
    const client = get(t.port, '/run');
    await until('the end', () => client.ended);
    expect(client.ids).to.deep.equal([1, 2]);
  });

  it('workspace events have no ids, and are filtered as asked', async () => {
    await start();
    const all = get(t.port, '/v1/events');
    const some = get(t.port, '/v1/events?types=agent');
    await until('both', () => t.streams.open === 2);
    t.publishWorkspace(change(1), change(2, 'agent.created'));
    await until('events', () => all.body.includes('mem_2') && some.body.includes('mem_2'));
    expect(all.body).to.include('event: memory.created\ndata: ').and.not.include('id: 1');
    expect(some.body).not.to.include('memory.created');
    all.destroy();
    some.destroy();
  });

  it('heartbeats at their time', async () => {
    await start({ heartbeatMs: 15_000 });
    const client = get(t.port, '/v1/events');
    await until('the stream', () => t.streams.open === 1);
    await t.clock.advance(14_999);
    expect(client.body).not.to.include('heartbeat');
    await t.clock.advance(1);
    await until('a heartbeat', () => client.body.includes(': heartbeat\n'));
    await t.clock.advance(30_000);
    await until('two more', () => client.body.split(': heartbeat\n').length === 4);
    client.destroy();
  });

  it('no block without data, whatever is said beside the events', async () => {
    await start({ heartbeatMs: 15_000, maxMs: 60_000 });
    t.stored.push(status(1, 'running'));
    const client = get(t.port, '/run');
    await until('the first event', () => client.ids.length === 1);
    await t.clock.advance(15_000);
    await until('a heartbeat', () => client.body.includes(': heartbeat\n'));
    t.stored.push(answer(2));
    t.publishRun(answer(2));
    await until('the second event', () => client.ids.length === 2);
    await t.clock.advance(45_000);
    await until('the end', () => client.ended);
    const blocks = client.body.split('\n\n');
    expect(blocks.pop(), 'after the last event').to.match(
      /^(: heartbeat\n)*: the stream's time is up.*\nretry: 2000\n$/,
    );
    expect(blocks).to.have.length(2);
    for (const block of blocks) expect(block).to.match(/^data: /m);
  });

  it('a reader that stalls is cut off, and another goes on', async function () {
    await start({ heartbeatMs: 15_000 });
    for (let seq = 1; seq <= 400; seq++) t.stored.push(big(seq));
    const stalled = get(t.port, '/run');
    stalled.socket.pause();
    const brisk = get(t.port, '/run');
    await until('the brisk one has everything', () => brisk.text.length > 400 * 64 * 1024);
    expect(t.streams.open).to.equal(2);
    await t.clock.advance(15_000 + 15_000);
    await until('the stalled one is cut', () => t.streams.open === 1);
    t.stored.push(answer(401), status(402, 'completed'));
    t.publishRun(answer(401), status(402, 'completed'));
    await until('the brisk one goes on', () => brisk.ended);
    expect(brisk.ids).to.deep.equal(Array.from({ length: 402 }, (_, i) => i + 1));
    stalled.socket.resume();
    await until('the stalled one sees its end', () => stalled.closed);
    expect(stalled.ids.length).to.be.below(400);
    expect(t.logged.filter((l) => l.level === 'warn')).to.have.length(1);
    expect(t.sources()).to.equal(0);
  });

  it('what waits for a stalled reader is bounded, however much there is', async () => {
    await start();
    for (let seq = 1; seq <= 2000; seq++) t.stored.push(big(seq, 16 * 1024));
    const stalled = get(t.port, '/run');
    stalled.socket.pause();
    await until('the stream', () => t.streams.open === 1);
    const sockets = t.connections;
    let before = -1;
    let still = 0;
    await until('nothing more is written', () => {
      const written = sockets.reduce((sum, s) => sum + s.bytesWritten, 0);
      still = written === before ? still + 1 : 0;
      before = written;
      return still > 20;
    });
    // what the socket takes before it says that it is full (16 KiB in Node 20, 64 KiB since 22), and the one event that
    // made it say so
    for (const socket of sockets) expect(socket.writableLength).to.be.below(socket.writableHighWaterMark + 17 * 1024);
    stalled.destroy();
  });

  it('a reader of live events that falls behind is told, and ended', async () => {
    await start({ buffer: 10 });
    const client = get(t.port, '/v1/events');
    await until('the stream', () => t.streams.open === 1);
    t.publishWorkspace(...Array.from({ length: 11 }, (_, i) => change(i)));
    await until('the error', () => client.ended);
    const told = JSON.parse(/event: error\ndata: (.*)\n/.exec(client.body)![1]!) as { error: Record<string, unknown> };
    expect(told.error).to.include({ code: 'UNAVAILABLE', status: 503, request_id: 'req_1' });
    client.destroy();
  });

  it('ends after ten minutes and says how to go on', async () => {
    await start();
    const client = get(t.port, '/v1/events');
    await until('the stream', () => t.streams.open === 1);
    await t.clock.advance(599_999);
    expect(t.streams.open).to.equal(1);
    await t.clock.advance(1);
    await until('the end', () => client.ended);
    expect(client.body.endsWith(": the stream's time is up, come back with Last-Event-ID\nretry: 2000\n")).to.equal(
      true,
    );
    expect(t.sources()).to.equal(0);
    client.destroy();
  });

  it('Last-Event-ID goes on through any number of cuts, without gap or duplicate', async () => {
    await start({ maxMs: 1000, heartbeatMs: 500 });
    const got: number[] = [];
    let seq = 0;
    const more = (n: number, told: boolean): void => {
      for (let i = 0; i < n; i++) {
        const event = answer(++seq);
        t.stored.push(event);
        if (told) t.publishRun(event);
      }
    };
    for (let round = 0; round < 12; round++) {
      more(3, false); // while nobody listens
      const client = get(t.port, '/run', `Last-Event-ID: ${got.at(-1) ?? 0}\n`);
      await until('what was missed', () => client.ids.at(-1) === seq);
      more(2, true);
      if (round % 3 === 0)
        client.destroy(); // the client's line is cut, maybe before it got the last ones
      else {
        await until('what is live', () => client.ids.at(-1) === seq);
        if (round % 3 === 1)
          await t.clock.advance(1000); // the stream's time is up
        else t.server.closeAllConnections(); // the server's line is cut
        await until('the cut', () => client.ended || client.closed);
        client.destroy();
      }
      got.push(...client.ids);
      await until('all is let go', () => t.sources() === 0);
    }
    t.stored.push(status(++seq, 'completed'));
    const last = get(t.port, '/run', `Last-Event-ID: ${got.at(-1)}\n`);
    await until('the end', () => last.ended);
    got.push(...last.ids);
    expect(got).to.deep.equal(Array.from({ length: seq }, (_, i) => i + 1));
    last.destroy();
  });

  it('a client that goes away ends the source at once', async () => {
    await start();
    const client = get(t.port, '/run');
    await until('the stream', () => t.streams.open === 1);
    client.destroy();
    await until('it is let go', () => t.sources() === 0 && t.streams.open === 0);
  });

  it('an error before the first byte is answered as any other', async () => {
    await start();
    t.fail.read = unavailable('no store');
    const client = get(t.port, '/run');
    await until('the refusal', () => client.text.includes('no store'));
    expect([client.status, t.sources(), t.streams.open]).to.deep.equal([503, 0, 0]);
    client.destroy();
  });

  it('an error later is told in the stream, a fault of ours without its words, but logged', async () => {
    await start();
    t.stored.push(answer(1));
    const client = get(t.port, '/run');
    await until('the first event', () => client.ids.length === 1);
    t.fail.read = new Error('secret path');
    await t.clock.advance(15_000);
    await until('the error', () => client.ended);
    expect(client.body)
      .to.include('event: error\ndata: {"error":{"code":"INTERNAL_ERROR"')
      .and.include('"request_id":"req_1"')
      .and.not.include('secret');
    expect(t.logged.find((l) => l.level === 'error')?.fields).to.deep.equal({
      event: 'stream.failed',
      err: t.fail.read,
      request_id: 'req_1',
    });
    client.destroy();
  });

  it('a shutdown ends streams with a spread hint, closes the connection, and refuses more', async () => {
    await start();
    const client = get(t.port, '/v1/events');
    await until('the stream', () => t.streams.open === 1);
    t.streams.close();
    await until('the end', () => client.closed);
    expect(client.body).to.include(`retry: ${2000 + 4000}\n`);
    const late = get(t.port, '/v1/events');
    await until('the refusal', () => late.text.includes('UNAVAILABLE'));
    expect([late.status, t.sources()]).to.deep.equal([503, 0]);
    late.destroy();
  });

  it('HEAD has the headers alone and holds nothing open', async () => {
    await start();
    t.stored.push(answer(1));
    const client = new RawClient(t.port, 'HEAD /run HTTP/1.1\nHost: localhost\n\n');
    await until('the head', () => client.text.endsWith('\r\n\r\n'));
    expect(client.head.toLowerCase()).to.include('content-type: text/event-stream');
    await until('it is let go', () => t.sources() === 0 && t.streams.open === 0);
    client.destroy();
  });

  it('HTTP/1.0 clients are served without chunks', async () => {
    await start();
    t.stored.push(answer(1), status(2, 'failed'));
    const client = new RawClient(t.port, 'GET /run HTTP/1.0\n\n');
    await until('the end', () => client.closed);
    expect(client.ids).to.deep.equal([1, 2]);
  });
});
