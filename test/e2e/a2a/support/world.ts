/** A server, a model that thinks for as long as the test wants, and a receiver of pushes: what every suite here has. */
import { served, until, type Api, type Json } from '../../api/support/client.js';
import { startThinker, type Thinker, type Thought } from '../../api/support/thinker.js';
import type { TestServer } from '../../../helpers/server.js';
import { startReceiver, type Receiver } from './receiver.js';
import { rpcOf, type Rpc } from './rpc.js';

export interface World {
  api: Api;
  as(key: string): Api;
  server(): TestServer;
  thinker(): Thinker;
  receiver(): Receiver;
  /** Called in a `describe`. */
  hooks(): void;
  /** An agent that thinks with the test's model, step by step. */
  thinking(config?: Json, more?: Json): Promise<string>;
  /** An agent that answers at once. */
  quick(more?: Json): Promise<string>;
  rpc(agent: string, key?: string): Rpc;
  /** Waits until the model is asked, and says what it thinks. */
  think(thought: Thought): Promise<void>;
  /** Waits until so many steps (default 1) think. */
  asking(steps?: number): Promise<void>;
  /** SIGKILL, and a start on the same data. */
  killed(): Promise<void>;
}

/** `more`: settings of its own, or how to come by them. */
export function a2aWorld(more: Record<string, string> | (() => Promise<Record<string, string>>) = {}): World {
  let thinker: Thinker;
  let receiver: Receiver;
  const { api, as, server, hooks } = served(async () => {
    [thinker, receiver] = await Promise.all([startThinker(), startReceiver()]);
    return {
      env: {
        HIVEKEEP_OPENAI_BASE_URL: thinker.baseUrl,
        HIVEKEEP_OPENAI_API_KEY: 'sk-test',
        HIVEKEEP_PUSH_ALLOW: receiver.host,
        HIVEKEEP_SHUTDOWN_SECONDS: '0.2',
        ...(typeof more === 'function' ? await more() : more),
      },
    };
  });
  const spawn = async (input: Json): Promise<string> =>
    String(
      (await api.one('POST', '/v1/agents/spawn', { name: 'Ada', description: 'knows things', ...input }, 201))['id'],
    );
  const asking = async (steps = 1): Promise<void> => {
    await until(
      async () => thinker.waiting,
      (n) => n >= steps,
    );
  };
  return {
    api,
    as,
    server,
    asking,
    thinker: () => thinker,
    receiver: () => receiver,
    hooks: () => {
      hooks();
      // a test that fails leaves no step to the next one
      afterEach(async () => {
        await until(
          async () => {
            for (let n = thinker.waiting; n > 0; n--) thinker.release({ text: 'enough' });
            return thinker.waiting;
          },
          (n) => n === 0,
        );
      });
      after(async () => {
        await Promise.all([thinker.close(), receiver.close()]);
      });
    },
    thinking: (config = {}, more = {}) =>
      spawn({ config: { model: 'openai/slow', multi_step: true, ...config }, ...more }),
    quick: (more = {}) => spawn(more),
    rpc: (agent, key = api.key) => rpcOf(() => server().url, agent, key),
    async think(thought) {
      await asking();
      thinker.release(thought);
    },
    async killed() {
      await server().kill('SIGKILL');
      await until(
        async () => thinker.waiting,
        (n) => n === 0,
      );
      await server().restart();
    },
  };
}

/** A step that is not the last. */
export const onward: Thought = { tool: 'recall', arguments: { query: 'what is known' } };
