/**
 * @a2a-js/sdk 0.3.14: clients are made by a factory from a card's address; keys go in by a fetch of one's own. Errors
 * are classes.
 */
import { thoughtsExtension } from '../../../../src/a2a/card.js';
import {
  A2AClient,
  ClientFactory,
  ClientFactoryOptions,
  ContentTypeNotSupportedError,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  type Client,
} from 'a2a-sdk-0.3/client';
import type { Task } from 'a2a-sdk-0.3';
import { expect } from 'chai';
import { codeInMessage, fetchWith, type Peer, type PeerClient } from './peer.js';
import { frames, params, seen, target } from './wire-0.x.js';

/** The SDK's own way to send a credential. */
const authenticated = (key: string): typeof fetch =>
  createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => ({ Authorization: `Bearer ${key}`, 'A2A-Extensions': thoughtsExtension }),
    shouldRetryWithHeaders: async () => undefined,
  });

function factory(key: string): ClientFactory {
  const fetchImpl = authenticated(key);
  return new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }),
  );
}

const open = (key: string, url: string, ...path: [path?: string]): Promise<PeerClient> =>
  factory(key)
    .createFromUrl(url, ...path)
    .then((sdk) => clientOf(sdk));

export const peer03: Peer = {
  generation: '0.3',
  name: '0.3',
  connect: (url, key) => open(key, `${url}/`),
  ways: {
    "a card's whole address": (url, key) => open(key, `${url}/.well-known/agent-card.json`, ''),
    'the path of 0.2': (url, key) => open(key, `${url}/`, '.well-known/agent.json'),
    "the service's own /card": (url, key) => open(key, `${url}/`, 'card'),
    'fromCardUrl, as before the factory': async (url, key) => {
      const old = await A2AClient.fromCardUrl(`${url}/.well-known/agent-card.json`, {
        fetchImpl: fetchWith(key, fetch),
      });
      return clientOf(await factory(key).createFromAgentCard(await old.getAgentCard()));
    },
  },
  codeOf(error) {
    const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const code =
      (inner as { errorResponse?: { error: { code: number } } }).errorResponse?.error.code ?? codeInMessage(error);
    const kind = {
      [-32001]: TaskNotFoundError,
      [-32002]: TaskNotCancelableError,
      [-32004]: UnsupportedOperationError,
      [-32005]: ContentTypeNotSupportedError,
    }[code ?? 0];
    if (kind) expect(inner).to.be.instanceOf(kind);
    return code;
  },
  toEndedTask: -32600,
  tellsEndedTask: true,
  pushedState: (body) => (body as Task).status.state,
  pushedId: (body) => (body as Task).id,
  pushContentType: /^application\/json/,
};

const clientOf = (sdk: Client): PeerClient => ({
  async card() {
    const { name, capabilities, url } = await sdk.getAgentCard();
    return { name, streaming: capabilities.streaming ?? false, push: capabilities.pushNotifications ?? false, url };
  },
  send: async (input) => seen(await sdk.sendMessage(params(input, false))),
  sendAndWait: async (input) => seen(await sdk.sendMessage(params(input))),
  get: async (id, historyLength) => seen(await sdk.getTask({ id, historyLength })),
  cancel: async (id) => seen(await sdk.cancelTask({ id })),
  stream: (input) => frames(sdk.sendMessageStream(params(input))),
  resubscribe: (id) => frames(sdk.resubscribeTask({ id })),
  setPush: async (taskId, config) =>
    target(await sdk.setTaskPushNotificationConfig({ taskId, pushNotificationConfig: config })),
  getPush: async (id, pushNotificationConfigId) =>
    target(
      await sdk.getTaskPushNotificationConfig({
        id,
        ...(pushNotificationConfigId !== undefined && { pushNotificationConfigId }),
      }),
    ),
  listPush: async (id) => (await sdk.listTaskPushNotificationConfig({ id })).map(target),
  deletePush: (id, pushNotificationConfigId) => sdk.deleteTaskPushNotificationConfig({ id, pushNotificationConfigId }),
  listTasks: null,
});
