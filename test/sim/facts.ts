/** What is there when everything has come to rest, as the service tells it: the other side of the evidence. */
import { getAgent, listAgents } from '../../src/commands/agents.js';
import { getUsage } from '../../src/commands/workspace.js';
import { getHive, listSharedMemories } from '../../src/commands/hives.js';
import { listMessages } from '../../src/commands/mailbox.js';
import { isTerminal } from '../../src/domain/model/model.js';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import type { PageOf, PageRequest } from '../../src/service.js';
import type { AgentFacts, Facts, Listing } from '../chaos/cluster/facts.js';
import type { Json } from '../chaos/cluster/clients/gateways.js';
import type { Ledger } from '../chaos/cluster/ledger.js';
import type { Clients } from './clients.js';
import type { Cluster } from './cluster.js';
import { listRuns } from '../../src/commands/runs.js';
import { listCheckpoints } from '../../src/commands/journals.js';
import { listDeadLetters } from '../../src/commands/dead-letters.js';

const spelt: Record<string, string> = {
  pending: 'submitted',
  running: 'working',
  cancelled: 'canceled',
  paused: 'input-required',
};

export async function readFacts(
  cluster: Cluster,
  clients: Clients,
  ledger: Ledger,
  cast: readonly string[],
  hive: string,
): Promise<Facts> {
  const listed = <T extends object>(
    page: (
      service: Parameters<Parameters<Clients['ask']>[1]>[0],
      caller: never,
      page: PageRequest,
    ) => Promise<PageOf<T>>,
  ): Promise<Listing> =>
    clients.ask('facts', async (service, caller) => {
      const items: Json[] = [];
      let total = 0;
      for (let after: PageRequest['after'] | null; after !== null;) {
        const found = await page(service, caller as never, {
          sort: 'created_at',
          order: 'asc',
          limit: 100,
          ...(after && { after }),
        });
        items.push(...(found.items as Json[]));
        total = found.total;
        after = found.next;
      }
      return { items, total };
    });

  async function agentFacts(id: string): Promise<AgentFacts | null> {
    const agent = await clients
      .ask('facts', (service, caller) => service.execute(caller, getAgent, { id }, {}))
      .catch((error: unknown) => {
        if (error instanceof HivekeepError && error.code === 'NOT_FOUND') return null;
        throw error;
      });
    if (agent === null) return null;
    return {
      agent: agent as unknown as Json,
      runs: await listed((service, caller, page) => service.execute(caller, listRuns, { id }, { page })),
      messages: await listed((service, caller, page) =>
        service.execute(caller, listMessages, { id }, { page: { ...page, ordered: true } }),
      ),
      memories: await listed((service, caller, page) => service.listMemories(caller, { agent_id: id }, page)),
      checkpoints: (await listed((service, caller, page) => service.execute(caller, listCheckpoints, { id }, { page })))
        .items,
    };
  }

  const agents: Facts['agents'] = new Map();
  const made = ledger.entries.flatMap((entry) => (entry.kind === 'agent' && entry.id !== null ? [entry.id] : []));
  for (const id of [...cast, ...made]) agents.set(id, await agentFacts(id));

  const events: Facts['events'] = new Map();
  for (const [agent, facts] of agents)
    for (const { id, status } of facts?.runs.items ?? []) {
      const run = String(id);
      const statuses: string[] = [];
      const story = { agent, run, ids: [], status: '', connections: 0, problem: null };
      if (isTerminal(status as never)) await clients.readEvents(story, statuses);
      events.set(run, {
        ids: story.ids,
        statuses,
        problem: isTerminal(status as never) ? null : 'the run has not ended',
      });
    }

  const memoryById: Facts['memoryById'] = new Map();
  for (const entry of ledger.entries)
    if (entry.kind === 'memory' && entry.id !== null)
      memoryById.set(
        entry.id,
        await clients
          .ask('facts', (service, caller) => service.getMemory(caller, entry.id ?? ''))
          .then(
            () => 200,
            (error: unknown) => (error instanceof HivekeepError && error.code === 'NOT_FOUND' ? 404 : 500),
          ),
      );

  return {
    agents,
    events,
    memoryById,
    agentList: (await listed((service, caller, page) => service.execute(caller, listAgents, {}, { page }))).items,
    shared: {
      ...(await listed((service, caller, page) =>
        service.execute(caller, listSharedMemories, { id: hive }, { page: page }),
      )),
      counted: (await clients.ask('facts', (service, caller) => service.execute(caller, getHive, { id: hive }, {})))
        .memory_count,
    },
    memories: await listed((service, caller, page) => service.listMemories(caller, {}, page)),
    memoriesInUsage: (await clients.ask('facts', (service, caller) => service.execute(caller, getUsage, {}, {})))
      .memories,
    deadLetters: (await listed((service, caller, page) => service.execute(caller, listDeadLetters, {}, { page })))
      .items,
    arrivals: new Map(
      ledger.pushes.map(({ path }) => [
        path,
        (cluster.pushed.get(path) ?? []).map((status) => spelt[status] ?? status),
      ]),
    ),
  };
}
