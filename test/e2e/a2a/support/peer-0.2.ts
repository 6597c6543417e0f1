/**
 * @a2a-js/sdk 0.2.5: one class that takes the agent's address. It knows no keys: it calls the global fetch, so a user
 * who needs one wraps that, as is done here for as long as a client lives. Errors come as answers and not as exceptions;
 * those of streams are thrown.
 */
import { A2AClient } from 'a2a-sdk-0.2/client';
import type { Task } from 'a2a-sdk-0.2';
import { codeInMessage, fetchWith, type Peer, type PeerClient } from './peer.js';
import { frames, params, seen, target } from './wire-0.x.js';

class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const realFetch = globalThis.fetch;
const keys = new Map<string, string>();

/** Sends the key of the agent whose address a request begins with. */
const keyed: typeof fetch = (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  const key = [...keys].find(([url]) => address.startsWith(url))?.[1];
  return key === undefined ? realFetch(input, init) : fetchWith(key, realFetch)(input, init);
};

/** For as long as a suite runs; the SDK also writes to the console what it throws. */
export function withGlobalFetch(): void {
  const { console } = globalThis;
  const say = console.error;
  before(() => {
    globalThis.fetch = keyed;
    console.error = () => undefined;
  });
  after(() => {
    globalThis.fetch = realFetch;
    console.error = say;
    keys.clear();
  });
}

function open(url: string, key: string, ...rest: [path?: string]): Promise<PeerClient> {
  keys.set(url.replace(/\/$/, ''), key);
  const sdk = new A2AClient(url, ...rest);
  return sdk.getAgentCard().then(() => clientOf(sdk));
}

export const peer02: Peer = {
  generation: '0.2',
  name: '0.2',
  connect: (url, key) => open(url, key),
  ways: {
    'with a trailing slash': (url, key) => open(`${url}/`, key),
    "the service's own /card": (url, key) => open(url, key, 'card'),
    'the path of 0.3': (url, key) => open(url, key, '.well-known/agent-card.json'),
  },
  codeOf: (error) => (error instanceof RpcFailure ? error.code : codeInMessage(error)),
  toEndedTask: -32600,
  tellsEndedTask: true,
  pushedState: (body) => (body as Task).status.state,
  pushedId: (body) => (body as Task).id,
  pushContentType: /^application\/json/,
};

function result<T>(response: { result?: T } | { error: { code: number; message: string } }): T {
  if ('error' in response) throw new RpcFailure(response.error.code, response.error.message);
  return (response as { result: T }).result;
}

const clientOf = (sdk: A2AClient): PeerClient => ({
  async card() {
    const { name, capabilities, url } = await sdk.getAgentCard();
    return { name, streaming: capabilities.streaming ?? false, push: capabilities.pushNotifications ?? false, url };
  },
  send: async (input) => seen(result(await sdk.sendMessage(params(input)))),
  sendAndWait: async (input) => seen(result(await sdk.sendMessage(params(input, true)))),
  get: async (id, historyLength) => seen(result(await sdk.getTask({ id, historyLength }))),
  cancel: async (id) => seen(result(await sdk.cancelTask({ id }))),
  stream: (input) => frames(sdk.sendMessageStream(params(input))),
  resubscribe: (id) => frames(sdk.resubscribeTask({ id })),
  setPush: async (taskId, config) =>
    target(result(await sdk.setTaskPushNotificationConfig({ taskId, pushNotificationConfig: config }))),
  getPush: async (id) => target(result(await sdk.getTaskPushNotificationConfig({ id }))),
  listPush: null,
  deletePush: null,
  listTasks: null,
});
