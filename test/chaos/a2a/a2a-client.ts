/**
 * An A2A client that does not give up: it sends with one messageId until it is answered, and comes back to a stream
 * with Last-Event-ID until that has ended.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { thoughtsExtension } from '../../../src/a2a/card.js';
import { RawStream } from '../../e2e/a2a/support/raw-stream.js';
import { say, say1, stateOf, v1 } from '../../e2e/a2a/support/rpc.js';
import type { Json } from '../../e2e/api/support/client.js';
import type { Target } from '../client.js';

export type Version = '0.3' | '1.0';

export interface Mission {
  agent: string;
  text: string;
  messageId: string;
  version: Version;
  push: string | null;
}

/** The numbers of all frames in the order in which they came, over every connection, and the state in the last. */
export interface Story {
  task: string;
  ids: number[];
  last: string;
  connections: number;
}

const patienceMs = 20_000;
const retryMs = 20;

const request = (method: string, params: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const headersOf = (target: Target, version: Version): Record<string, string> => ({
  // with thoughts, a stream has a frame for each event: it shows whether one is missing
  'a2a-extensions': thoughtsExtension,
  authorization: `Bearer ${target.key}`,
  'content-type': 'application/json',
  ...(version === '1.0' && v1),
});
const addressOf = (target: Target, agent: string): string => `${target.url}/api/v1/a2a/agents/${agent}`;

const paramsOf = ({ text, messageId, version, push }: Mission): Json =>
  version === '1.0'
    ? say1(text, {
        messageId,
        configuration: { returnImmediately: true, ...(push !== null && { taskPushNotificationConfig: { url: push } }) },
      })
    : say(text, {
        messageId,
        configuration: { blocking: false, ...(push !== null && { pushNotificationConfig: { url: push } }) },
      });

/** The result of a call, asked for again while the service is away. */
export async function call(
  target: Target,
  agent: string,
  version: Version,
  method: string,
  params: unknown,
): Promise<Json> {
  const end = Date.now() + patienceMs;
  for (let problem = ''; Date.now() < end; await pause(retryMs)) {
    try {
      const res = await fetch(addressOf(target, agent), {
        method: 'POST',
        headers: headersOf(target, version),
        body: request(method, params),
      });
      const text = await res.text();
      const { result, error } = (res.status === 200 ? JSON.parse(text) : {}) as {
        result?: Json;
        error?: { code: number };
      };
      if (result) return result;
      // an internal error says to try again; any other is final
      if (error ? error.code !== -32603 : res.status < 500) throw new Refused(`${method} was refused: ${text}`);
      problem = text;
    } catch (thrown) {
      if (thrown instanceof Refused) throw thrown;
      problem = String(thrown);
    }
    if (Date.now() + retryMs >= end) throw new Error(`${method} was not answered: ${problem}`);
  }
  throw new Error(`${method} was not answered`);
}

class Refused extends Error {}

/** Answers the task's id. */
export async function send(target: Target, mission: Mission): Promise<string> {
  const result = await call(
    target,
    mission.agent,
    mission.version,
    mission.version === '1.0' ? 'SendMessage' : 'message/send',
    paramsOf(mission),
  );
  return String(((result['task'] ?? result) as Json)['id']);
}

/**
 * Sends as a stream, or follows a `known` task from its first event, to the end; `cutAfter` frames it cuts the wire
 * itself, once.
 */
export async function follow(
  target: Target,
  mission: Mission,
  known: string | null,
  cutAfter: number | null,
): Promise<Story> {
  const story: Story = { task: known ?? '', ids: known === null ? [] : [1], last: '', connections: 0 };
  const end = Date.now() + patienceMs;
  for (let cut = cutAfter; Date.now() < end; await pause(retryMs)) {
    try {
      await read(await open(target, mission, story), story, cut);
      if (ended(story.last)) return story;
    } catch {
      /* the service is away: again */
    }
    cut = null;
  }
  throw new Error(`the stream of ${story.task} did not end; it has ${story.ids.join()}`);
}

function open(target: Target, mission: Mission, { task, ids }: Story): Promise<RawStream> {
  const { agent, version } = mission;
  const modern = version === '1.0';
  const address = addressOf(target, agent);
  const headers = headersOf(target, version);
  const last = ids.at(-1);
  if (last === undefined)
    return RawStream.open(
      address,
      request(modern ? 'SendStreamingMessage' : 'message/stream', paramsOf(mission)),
      headers,
    );
  return RawStream.open(address, request(modern ? 'SubscribeToTask' : 'tasks/resubscribe', { id: task }), {
    ...headers,
    'last-event-id': String(last),
  });
}

async function read(stream: RawStream, story: Story, cutAfter: number | null): Promise<void> {
  story.connections++;
  const enough = (): void => {
    if (cutAfter !== null && stream.frames.length >= cutAfter) stream.cut();
  };
  const tooLong = setTimeout(() => {
    stream.cut();
  }, patienceMs);
  stream.response.on('data', enough);
  enough();
  await stream.closed;
  clearTimeout(tooLong);
  for (const { id, result } of stream.frames) {
    const { task, statusUpdate } = result as { task?: Json; statusUpdate?: Json };
    const event = statusUpdate ?? (result['kind'] === 'status-update' ? result : undefined);
    const whole = task ?? (result['kind'] === 'task' ? result : undefined);
    if (id !== null) story.ids.push(id);
    if (whole) story.task = String(whole['id']);
    if (event) story.last = plain(stateOf(event));
  }
}

/** As 0.x spells it. */
export const plain = (state: string): string => state.replace(/^TASK_STATE_/, '').toLowerCase();
export const ended = (state: string): boolean => ['completed', 'failed', 'canceled'].includes(state);
