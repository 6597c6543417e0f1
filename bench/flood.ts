/**
 * The flood of fairness.bench.ts, as a worker with an event loop of its own: what it does must not delay the one who
 * measures.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { load, post } from './load.js';

export interface Flood {
  port: number;
  key: string;
  agents: readonly string[];
  connections: number;
  warmMs: number;
  measureMs: number;
}

const { port, key, agents, connections, warmMs, measureMs } = workerData as Flood;
const requests = agents.flatMap((agent) => [
  {
    request: post(`/v1/agents/${agent}/message`, key, { content: 'When does the pilot boat leave the harbour?' }),
    status: 200,
  },
  {
    request: post('/v1/memories', key, {
      type: 'semantic',
      content: 'The pilot boat leaves the harbour at a quarter past eight on weekdays.',
      agent_id: agent,
    }),
    status: 201,
  },
]);
// each kind has half of the connections: a load knows one status
const half = (status: number): Promise<{ perSecond: number; p50: number }> => {
  const mine = requests.filter((r) => r.status === status).map((r) => r.request);
  return load({
    port,
    connections: connections / 2,
    warmMs,
    measureMs,
    status,
    request: (n) => mine[(n * 7919) % mine.length] ?? Buffer.alloc(0),
  });
};
const [messages, memories] = await Promise.all([half(200), half(201)]);
parentPort?.postMessage({ messages: messages.perSecond, memories: memories.perSecond, p50: messages.p50 });
