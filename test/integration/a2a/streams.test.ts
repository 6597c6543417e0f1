/**
 * Streams of a task over real HTTP (docs/api.md 2.9, 4.2, 6.1, 8.5): task-stream.ts, and how the pump's endings look
 * to A2A clients.
 */
import { expect } from 'chai';
import { unavailable } from '../../../src/domain/shared/errors.js';
import { rpc, codeOf, protoMessage, slashMessage } from './kit.js';
import { follow, openStream, startLive, until, type Live, type StreamClient } from './live-task.js';

describe('A2A: streams', () => {
  let t: Live;
  const start = async (...args: Parameters<typeof startLive>): Promise<void> => {
    t = await startLive(...args);
  };
  afterEach(() => t.stop());
  const send = (headers: Record<string, string> = {}): StreamClient =>
    openStream(t, 'message/stream', { message: slashMessage }, headers);

  it('message/stream: the task, what the run says as it says it, the answer, the end; then it closes', async () => {
    await start();
    t.live.happen('running');
    const client = send();
    await until('the task', () => client.told.length === 1);
    t.live.happen({ thought: 'Recalling.' }, { thought: 'Answering.' });
    await until('what it thinks', () => client.told.length === 3);
    t.live.happen({ answer: 'tea' }, 'completed');
    await until('the end', () => client.ended);
    expect(client.told).to.deep.equal([
      'task working',
      'status-update working Recalling. final false',
      'status-update working Answering. final false',
      'artifact-update tea last true',
      'status-update completed final true',
    ]);
    expect(client.seen).to.deep.equal([1, 2, 3, 4, 5]);
    for (const { data } of client.events)
      expect(data).to.include({ jsonrpc: '2.0', id: 'q-1' }).and.have.all.keys('jsonrpc', 'id', 'result');
    expect(client.events[3]?.data.result).to.deep.equal({
      kind: 'artifact-update',
      taskId: 'run_1',
      contextId: 'agent_1',
      artifact: { artifactId: 'run_1-response', name: 'response', parts: [{ kind: 'text', text: 'tea' }] },
      append: false,
      lastChunk: true,
    });
    expect(client.head)
      .to.match(/^HTTP\/1\.1 200/)
      .and.match(/content-type: text\/event-stream/i)
      .and.match(/x-accel-buffering: no/i)
      .and.match(/cache-control: no-cache/i);
    expect(client.body).not.to.include('event:');
  });

  for (const [method, message, told, seen] of [
    ['message/stream', slashMessage, ['step 1: acting', 'step 2: acting'], [1, 2, 4, 5, 6]],
    ['SendStreamingMessage', protoMessage, [], [1, 5, 6]],
  ] as const)
    it(`${method} tells who does not ask for thoughts what is done in neutral words, or nothing`, async () => {
      await start();
      t.live.happen('running');
      const client = openStream(t, method, { message }, { 'A2A-Extensions': 'urn:other' });
      await until('the task', () => client.told.length === 1);
      t.live.happen({ thought: 'I know: 1234' }, { thought: 'so 1234' }, { thought: '1234', step: 2 });
      t.live.happen({ answer: 'tea' }, 'completed');
      await until('the end', () => client.ended);
      expect(client.body).not.to.include('1234');
      expect(client.body.match(/step \d: [a-z ]+/g) ?? []).to.deep.equal(told);
      expect(client.seen).to.deep.equal(seen);
      expect(client.head).not.to.match(/a2a-extensions/i);
    });

  for (const { method, message } of [
    { method: 'message/stream', message: slashMessage },
    { method: 'SendStreamingMessage', message: protoMessage },
  ])
    it(`${method} of a run that ended at once has the frames of one that is followed, in one piece`, async () => {
      await start();
      t.live.happen('running', { thought: 'Recalling.' }, 'paused', 'running', { answer: 'tea' }, 'completed');
      const followed = openStream(t, method, { message });
      await until('the end', () => followed.ended);
      t.live.endedAtOnce = true;
      const whole = openStream(t, method, { message });
      await until('the end', () => whole.ended);
      expect(whole.head).to.match(/content-length: /i);
      expect([whole.told, whole.seen]).to.deep.equal([followed.told, followed.seen]);
      expect(whole.told).to.have.length(6);
      const unlike = /^(x-request-id|content-length|transfer-encoding|date|x-ratelimit|ratelimit)/i;
      const heads = [whole, followed].map(({ head }) => head.split('\r\n').filter((line) => !unlike.test(line)));
      expect(heads[0]).to.have.members(heads[1] ?? []);
    });

  it('SendStreamingMessage: the same in the words of 1.0', async () => {
    await start();
    t.live.happen('running', { thought: 'Recalling.' }, { answer: 'tea' }, 'completed');
    const client = openStream(t, 'SendStreamingMessage', { message: protoMessage });
    await until('the end', () => client.ended);
    expect(client.told).to.deep.equal([
      'task TASK_STATE_WORKING',
      'statusUpdate TASK_STATE_WORKING Recalling.',
      'artifactUpdate tea last true',
      'statusUpdate TASK_STATE_COMPLETED',
    ]);
    expect(client.seen).to.deep.equal([1, 2, 3, 4]);
    for (const { data } of client.events) expect(JSON.stringify(data)).not.to.match(/"(kind|final)"/);
  });

  for (const status of ['failed', 'timeout', 'cancelled'] as const) {
    it(`a run that is ${status} ends the stream`, async () => {
      await start();
      t.live.happen('running');
      const client = send();
      await until('the task', () => client.told.length === 1);
      t.live.happen(status);
      await until('the end', () => client.ended);
      expect(client.told.at(-1)).to.equal(`status-update ${status === 'cancelled' ? 'canceled' : 'failed'} final true`);
    });
  }

  for (const [method, question] of [
    ['message/stream', 'status-update input-required Which one? final true'],
    ['SendStreamingMessage', 'statusUpdate TASK_STATE_INPUT_REQUIRED Which one?'],
  ] as const)
    it(`${method} ends where the task waits for input`, async () => {
      await start();
      t.live.happen('running');
      const message = method === 'message/stream' ? slashMessage : protoMessage;
      const client = openStream(t, method, { message });
      await until('the task', () => client.told.length === 1);
      expect(t.live.followers).to.equal(1);
      t.live.happen('paused');
      await until('the end', () => client.ended);
      expect(client.told[1]).to.equal(question);
      expect(client.seen).to.deep.equal([1, 2]);
      await until('the source is let go', () => t.live.followers === 0);
    });

  it('a question that was answered since ends nothing', async () => {
    await start();
    t.live.happen('running', 'paused', 'running');
    const client = follow(t, 1);
    await until('what was missed', () => client.told.length === 3);
    expect(client.told[1]).to.equal('status-update input-required Which one? final false');
    t.live.happen({ answer: 'this' }, 'completed');
    await until('the end', () => client.ended);
    expect(client.seen).to.deep.equal([null, 2, 3, 4, 5]);
  });

  it('whoever follows a task again that waits for input is told what comes after the answer', async () => {
    for (const seen of [undefined, 2]) {
      await start();
      t.live.happen('running', 'paused');
      const client = follow(t, seen);
      await until('the task', () => client.told.length === 1);
      expect(client.told).to.deep.equal(['task input-required Which one?']);
      t.live.happen('running', 'paused');
      await until('the end, where it asks again', () => client.ended);
      expect(client.told.slice(1).map((told) => told.replace(/ Which one\?/, ''))).to.deep.equal([
        'status-update working final false',
        'status-update input-required final true',
      ]);
      expect(client.seen).to.deep.equal([seen === undefined ? 2 : null, 3, 4]);
      await until('the source is let go', () => t.live.followers === 0);
      await t.stop();
    }
  });

  it('a question that was missed ends the stream that brings it', async () => {
    await start();
    t.live.happen('running', 'paused');
    const client = follow(t, 1);
    await until('the end', () => client.ended);
    expect(client.told.at(-1)).to.equal('status-update input-required Which one? final true');
    expect(client.seen).to.deep.equal([null, 2]);
  });

  describe('followed again', () => {
    it('without Last-Event-ID: the task as it is, then what comes', async () => {
      await start();
      t.live.happen('running', { thought: 'a' }, { thought: 'b' });
      const client = follow(t);
      await until('the task', () => client.told.length === 1);
      t.live.happen({ answer: 'tea' }, 'completed');
      await until('the end', () => client.ended);
      expect(client.told.map((told) => told.split(' ')[0])).to.deep.equal(['task', 'artifact-update', 'status-update']);
      expect(client.seen).to.deep.equal([3, 4, 5]);
    });

    it('with it, the task as of then without an id, then exactly what was missed', async () => {
      await start();
      t.live.happen('running', { thought: 'a' }, { answer: 'tea' }, 'completed');
      for (const [seen, told, ids] of [
        [
          0,
          [
            'task submitted',
            'status-update working final false',
            'status-update working a final false',
            'artifact-update tea last true',
            'status-update completed final true',
          ],
          [null, 1, 2, 3, 4],
        ],
        [
          1,
          [
            'task working',
            'status-update working a final false',
            'artifact-update tea last true',
            'status-update completed final true',
          ],
          [null, 2, 3, 4],
        ],
        [3, ['task working', 'status-update completed final true'], [null, 4]],
      ] as const) {
        const client = follow(t, seen);
        await until('the end', () => client.ended);
        expect([client.told, client.seen]).to.deep.equal([told, ids]);
      }
      const proto = follow(t, 3, 'SubscribeToTask');
      await until('the end', () => proto.ended);
      expect(proto.told, '1.0 gets what it has missed of a task that is over').to.deep.equal([
        'task TASK_STATE_WORKING',
        'statusUpdate TASK_STATE_COMPLETED',
      ]);
    });

    for (const seen of [undefined, 2, 3, 99]) {
      it(`a task that is over, Last-Event-ID ${seen}: before 1.0 the task alone, then the end; 1.0 -32004`, async () => {
        await start();
        t.live.happen('running', 'completed');
        const client = follow(t, seen);
        await until('the end', () => client.ended);
        expect([client.told, client.seen]).to.deep.equal([['task completed'], [2]]);
        expect(
          codeOf(
            await rpc(
              t.gateway,
              'SubscribeToTask',
              { id: 'run_1' },
              {
                headers: { accept: 'text/event-stream', ...(seen !== undefined && { 'last-event-id': String(seen) }) },
              },
            ),
          ),
        ).to.equal(-32004);
        expect(t.streams.open).to.equal(0);
      });
    }

    it('a task that was over for the reader and has been gone on with since is followed', async () => {
      await start();
      t.live.happen('running', 'timeout', 'running');
      const client = follow(t, 2);
      await until('what has happened since', () => client.told.length === 2);
      t.live.happen('completed');
      await until('the end', () => client.ended);
      expect([client.told, client.seen]).to.deep.equal([
        ['task failed', 'status-update working final false', 'status-update completed final true'],
        [null, 3, 4],
      ]);
    });

    it('a number that the task has not reached means now', async () => {
      await start();
      t.live.happen('running');
      const client = follow(t, 50);
      await until('the task', () => client.told.length === 1);
      t.live.happen('completed');
      await until('the end', () => client.ended);
      expect(client.seen).to.deep.equal([1, 2]);
    });

    it('any number of readers see the same', async () => {
      await start();
      t.live.happen('running');
      const clients = [follow(t), follow(t), follow(t, 1), send()];
      await until('all', () => clients.every((client) => client.told.length === 1));
      clients[0]?.destroy();
      t.live.happen({ thought: 'a' }, { answer: 'tea' }, 'completed');
      for (const client of clients.slice(1)) {
        await until('the end', () => client.ended);
        expect(client.told.slice(1)).to.deep.equal([
          'status-update working a final false',
          'artifact-update tea last true',
          'status-update completed final true',
        ]);
      }
    });
  });

  describe('endings', () => {
    it('heartbeats are comments; after ten minutes the stream ends without a word of an error', async () => {
      await start();
      t.live.happen('running');
      const client = send();
      await until('the task', () => client.told.length === 1);
      await t.clock.advance(15_000);
      await until('a heartbeat', () => client.body.includes(': heartbeat\n'));
      await t.clock.advance(600_000 - 15_001);
      expect(client.ended).to.equal(false);
      await t.clock.advance(1);
      await until('the end', () => client.ended);
      expect(client.told).to.deep.equal(['task working', 'status-update working final false']);
      expect(client.body).to.include('"metadata":{"hivekeep/closed":"age"}');
      expect(client.body).to.match(/: the stream's time is up, come back with Last-Event-ID\nretry: 2000\n$/);
    });

    it('a reader that leaves ends its stream, never the run', async () => {
      await start();
      t.live.happen('running');
      const client = send();
      await until('the task', () => client.told.length === 1);
      expect(t.live.followers).to.equal(1);
      client.destroy();
      await until('the stream is let go', () => t.streams.open === 0 && t.live.followers === 0);
      expect(t.gateway.calls.map((call) => call.method)).not.to.include('cancelTask');
    });

    it('a reader that takes nothing is cut off, and another goes on', async () => {
      await start();
      t.live.happen('running', ...Array.from({ length: 300 }, () => ({ thought: 'x'.repeat(64 * 1024) })));
      const stalled = follow(t, 1);
      stalled.socket.pause();
      const brisk = follow(t, 1);
      await until('the brisk one has everything', () => brisk.text.length > 300 * 64 * 1024);
      expect(t.streams.open).to.equal(2);
      await t.clock.advance(30_000);
      await until('the stalled one is cut', () => t.streams.open === 1);
      t.live.happen('completed');
      await until('the end', () => brisk.ended);
      expect(brisk.seen.slice(1)).to.deep.equal(Array.from({ length: 301 }, (_, i) => i + 2));
      stalled.socket.resume();
      await until('the stalled one sees its end', () => stalled.closed);
      expect(stalled.ended).to.equal(false);
      expect(t.warnings).to.have.length(1);
    });

    for (const [failure, message] of [
      [unavailable('the store is away'), /the store is away: try again in 1 s/],
      [new TypeError('secret words'), /internal error occurred/],
    ] as const) {
      it(`${failure.name} in the middle is told as a JSON-RPC error`, async () => {
        await start();
        t.live.happen('running');
        const client = send();
        await until('the task', () => client.told.length === 1);
        t.live.readFails = failure;
        await t.clock.advance(15_000);
        await until('the end', () => client.ended);
        expect(client.told).to.deep.equal(['task working', 'error -32603']);
        const last = client.events.at(-1)!;
        expect(last.data).to.include({ jsonrpc: '2.0', id: 'q-1' });
        expect(last.data.error?.message).to.match(message);
        expect(client.body).not.to.include('secret').and.not.include('event:');
      });
    }

    it('a shutdown ends the stream with a hint when to come back', async () => {
      await start();
      t.live.happen('running');
      const client = send();
      await until('the task', () => client.told.length === 1);
      await t.gateway.stop();
      await until('the end', () => client.closed);
      expect(client.body).to.match(/: the server is going away, come back with Last-Event-ID\nretry: \d+\n$/);
      expect(client.told).to.deep.equal(['task working']);
    });

    it('a stream that cannot be opened is refused before its first byte', async () => {
      await start({ tuning: { maxStreams: 1 } });
      t.live.happen('running');
      const first = send();
      await until('the first', () => t.streams.open === 1);
      const answer = await rpc(t.gateway, 'message/stream', { message: slashMessage });
      expect([answer.status, answer.body?.error?.code]).to.deep.equal([503, 'UNAVAILABLE']);
      expect(answer.headers.get('retry-after')).to.equal('5');
      first.destroy();
    });
  });
});
