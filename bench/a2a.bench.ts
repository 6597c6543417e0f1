/** A2A: send, stream and get against the official SDK's servers, which keep tasks in memory; ours are durable. */
import type { Bench, Row } from './harness.js';
import { load, type LoadResult, messageSend, post } from './load.js';
import { api, key, startEcho, startHivekeep, startPeer } from './servers.js';
import { sseLoad } from './sse-load.js';

const warmMs = 2000;
const measureMs = 4000;
let count = 0;
/** A new text each time: what is said twice costs an index nothing. */
const text = (): string => `Say: echo: hi ${count}`;
const early = (): object => messageSend(++count, `m-${count}`, text());
const late = (method: string) => (): object => ({
  jsonrpc: '2.0',
  id: ++count,
  method,
  params: { message: { role: 'ROLE_USER', messageId: `m-${count}`, parts: [{ text: text() }] } },
});
type Make = () => object;

const sends = (port: number, path: string, make: Make, done: string): Promise<LoadResult> =>
  load({
    port,
    connections: 50,
    warmMs,
    measureMs,
    request: () => inVersion(done, post(path, key, make())),
    status: 200,
    check: (body) => body.includes(done),
  });
const inVersion = (done: string, request: Buffer): Buffer =>
  done === completed1
    ? Buffer.from(request.toString().replace('\r\nContent-Type', '\r\nA2A-Version: 1.0\r\nContent-Type'))
    : request;
const streams = (port: number, path: string, make: Make, last: string): Promise<LoadResult> =>
  sseLoad({ port, connections: 50, warmMs, measureMs, request: () => withAccept(post(path, key, make())), last });
const withAccept = (request: Buffer): Buffer =>
  Buffer.from(
    request.toString().replace('\r\nContent-Type', '\r\nAccept: text/event-stream\r\nA2A-Version: 1.0\r\nContent-Type'),
  );

const completed = '"completed"';
const completed1 = 'TASK_STATE_COMPLETED';

async function gets(port: number, path: string, make: Make, method: string): Promise<LoadResult> {
  const sent = (await (
    await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify(make()),
    })
  ).json()) as { result: { id?: string; task?: { id: string } } };
  const request = withAccept(
    post(path, key, { jsonrpc: '2.0', id: 1, method, params: { id: sent.result.id ?? sent.result.task?.id } }),
  );
  return load({
    port,
    connections: 50,
    warmMs,
    measureMs,
    request: () => Buffer.from(request.toString().replace('Accept: text/event-stream\r\n', '')),
    status: 200,
    check: (body) => body.includes('"artifacts"'),
  });
}

async function peers<T>(
  each: (port: number, generation: '0.2' | '0.3' | '1') => Promise<T>,
): Promise<Record<'0.2' | '0.3' | '1', T>> {
  const out = {} as Record<'0.2' | '0.3' | '1', T>;
  for (const generation of ['0.2', '0.3', '1'] as const) {
    const peer = await startPeer(generation);
    try {
      out[generation] = await each(peer.port, generation);
    } finally {
      await peer.stop();
    }
  }
  return out;
}

const latency = (r: LoadResult): string => `p50 ${r.p50.toFixed(2)} ms, p99 ${r.p99.toFixed(2)} ms`;

export const bench: Bench = {
  name: 'a2a: durable tasks against the SDK servers in memory; one server process, load from another, every answer checked',
  async run(): Promise<Row[]> {
    const echo = await startEcho('durable');
    const request = post('/echo', key, late('SendMessage')());
    const bare = await load({
      port: echo.port,
      connections: 50,
      warmMs,
      measureMs,
      request: () => request,
      status: 200,
    }).finally(() => echo.stop());
    const theirs = await peers(async (port, generation) => ({
      send: await sends(
        port,
        '/',
        generation === '1' ? late('SendMessage') : early,
        generation === '1' ? completed1 : completed,
      ),
      ...(generation === '1' && {
        stream: await streams(port, '/', late('SendStreamingMessage'), completed1),
        get: await gets(port, '/', late('SendMessage'), 'GetTask'),
      }),
    }));
    const server = await startHivekeep();
    try {
      const { data } = await api<{ data: { id: string } }>(server, 'POST', '/v1/agents/spawn', { name: 'bench' });
      const agents = [data.id];
      for (let i = 1; i < 50; i++)
        agents.push(
          (await api<{ data: { id: string } }>(server, 'POST', '/v1/agents/spawn', { name: `bench ${i}` })).data.id,
        );
      let turn = 0;
      const spread = (): string => `/api/v1/a2a/agents/${agents[turn++ % agents.length] ?? ''}`;
      const path = `/api/v1/a2a/agents/${data.id}`;
      const send = await sends(server.port, path, early, completed);
      const sendLate = await sends(server.port, path, late('SendMessage'), completed1);
      const sendMany = await load({
        port: server.port,
        connections: 50,
        warmMs,
        measureMs,
        request: () => post(spread(), key, early()),
        status: 200,
        check: (body) => body.includes(completed),
      });
      const stream = await streams(server.port, path, late('SendStreamingMessage'), completed1);
      const get = await gets(server.port, path, late('SendMessage'), 'GetTask');
      const one = theirs['1'];
      const against = (what: string, figure: number | undefined): { what: string; figure: number } => ({
        what,
        figure: figure ?? NaN,
      });
      return [
        {
          what: 'message/send (0.3), 50 connections, one agent',
          figure: send.perSecond,
          unit: 'requests/s',
          baseline: against('SDK 0.2.5', theirs['0.2'].send.perSecond),
          target: '>= 1 x 0.2.5',
          met: send.perSecond >= theirs['0.2'].send.perSecond,
          note: `${latency(send)}; SDK 0.3.14 ${Math.round(theirs['0.3'].send.perSecond)}/s`,
        },
        {
          what: 'SendMessage (1.0), 50 connections, one agent',
          figure: sendLate.perSecond,
          unit: 'requests/s',
          baseline: against('SDK 1.3.0', one.send.perSecond),
          target: '>= 2.5 x 1.3.0',
          met: sendLate.perSecond >= 2.5 * one.send.perSecond,
          note: latency(sendLate),
        },
        {
          what: 'message/send (0.3) against the durable echo',
          figure: send.perSecond,
          unit: 'requests/s',
          baseline: against('durable node:http echo', bare.perSecond),
          target: '>= 35 %',
          met: send.perSecond >= 0.35 * bare.perSecond,
        },
        {
          what: 'the same over 50 agents',
          figure: sendMany.perSecond,
          unit: 'requests/s',
          baseline: against('SDK 0.2.5', theirs['0.2'].send.perSecond),
          target: '>= .9 x 0.2.5',
          met: sendMany.perSecond >= 0.9 * theirs['0.2'].send.perSecond,
          note: latency(sendMany),
        },
        {
          what: 'SendStreamingMessage to the final frame, 50 at once',
          figure: stream.perSecond,
          unit: 'streams/s',
          baseline: against('SDK 1.3.0', one.stream?.perSecond),
          target: '>= 2 x 1.3.0',
          met: stream.perSecond >= 2 * (one.stream?.perSecond ?? NaN),
          note: latency(stream),
        },
        {
          what: 'GetTask, 50 connections',
          figure: get.perSecond,
          unit: 'requests/s',
          baseline: against('SDK 1.3.0', one.get?.perSecond),
          target: '>= 2 x 1.3.0',
          met: get.perSecond >= 2 * (one.get?.perSecond ?? NaN),
          note: latency(get),
        },
      ];
    } finally {
      await server.stop();
    }
  },
};
