/**
 * Missions of simulated clients with agents that work together: conversations that are handed over, agents that are
 * spawned, agents elsewhere that are asked. What has to have come of them is looked for at rest (round.ts,
 * Simulation.S12 to S14).
 */
import { deleteAgent, listAgents, spawnAgent } from '../../src/commands/agents.js';
import { cancelRun, getRun } from '../../src/commands/runs.js';
import { listSessions } from '../../src/commands/sessions.js';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import { isTerminal, type Agent, type Run } from '../../src/domain/model/model.js';
import type { PageRequest } from '../../src/service.js';
import type { Ledger } from '../chaos/cluster/ledger.js';
import type { Clients } from './clients.js';
import type { Cluster } from './cluster.js';
import { cardOfPeer, simulatedPeers, type SimulatedPeer } from './peer.js';

const steps = { model: 'simulated', multi_step: true, max_steps: 100 };
export const handsOver = { ...steps, instructions: 'Use hand_off.' };
export const asksPeers = {
  ...steps,
  tools: simulatedPeers.map((name) => ({
    kind: 'a2a',
    name,
    card: cardOfPeer(name),
    timeout_seconds: 86_400,
    keyed: name === 'keyed',
  })),
};
/** What is spawned has this model, whose name has to be one that clients may give. */
const spawns = { ...steps, model: 'openai/simulated', spawn: { most: 5 } };

interface HandOver {
  unique: string;
  front: string;
  back: string;
  /** The runs of the first agent, in the order in which they were said. */
  runs: string[];
  cancelled: boolean;
  removes: boolean;
}

export class Teams {
  private readonly handOvers: HandOver[] = [];
  private readonly spawned: { unique: string; agent: string; run: string; removed: boolean }[] = [];
  private readonly calls: { unique: string; agent: string; run: string; peer: SimulatedPeer; cancelled: boolean }[] =
    [];

  constructor(
    private readonly cluster: Cluster,
    private readonly ledger: Ledger,
    private readonly clients: Pick<Clients, 'ask' | 'runsOf'>,
  ) {}

  private start(name: string, agent: string, input: string, more: object = {}): Promise<string> {
    return this.clients.ask(
      name,
      async (service, caller) => (await service.startRun(caller, agent, { input, on_busy: 'enqueue', ...more })).id,
    );
  }

  private make(name: string, config: object): Promise<string> {
    const input = { name, hives: [], wake_on_message: false, config } as const;
    return this.clients.ask(
      `${name}-made`,
      async (service, caller) => (await service.execute(caller, spawnAgent, {}, input as never)).id,
    );
  }

  private async remove(agent: string): Promise<void> {
    await this.clients
      .ask(`${agent}-removed`, (service, caller) => service.execute(caller, deleteAgent, { id: agent }))
      .catch((error: unknown) => {
        if (!(error instanceof HivekeepError && error.code === 'NOT_FOUND')) throw error;
      });
  }

  private read(agent: string, run: string): Promise<Run> {
    return this.clients.ask(`${run}-look`, (service, caller) =>
      service.execute(caller, getRun, { id: agent, runId: run }),
    );
  }

  /** Whether it is cancelled: it may have ended before. */
  private cancel(agent: string, run: string): Promise<boolean> {
    return this.clients.ask(`${run}-cancel`, async (service, caller) => {
      const { status } = await service.execute(caller, getRun, { id: agent, runId: run });
      return isTerminal(status)
        ? status === 'cancelled'
        : (await service.execute(caller, cancelRun, { id: agent, runId: run })).status === 'cancelled';
    });
  }

  /**
   * Four things are said at once: the first hands over, the second is passed on, and so is the third, which comes back.
   * The last one is passed on as well if it is said before that.
   */
  async handOver(unique: string, [front = '', other = '']: readonly string[]): Promise<void> {
    const { random } = this.cluster.kernel;
    const removes = random.next() < 0.25;
    const back = removes ? await this.make(`${unique}-back`, handsOver) : other;
    const made: HandOver = { unique, front, back, runs: [], cancelled: false, removes };
    for (const [n, said] of [
      `over ${back} ${unique}`,
      `work ${unique}-2`,
      `back ${front} ${unique}`,
      `work ${unique}-4`,
    ].entries())
      made.runs.push(await this.start(`${unique}-${n}`, front, said, { sessionId: unique }));
    this.handOvers.push(made);
    await this.cluster.kernel.sleep(random.between(0, 800));
    if (removes) await this.remove(back);
    else if (random.next() < 0.3) made.cancelled = await this.cancel(front, made.runs[1] ?? '');
  }

  /** An agent of its own, which is deleted in the middle of it now and then. */
  async spawn(unique: string): Promise<void> {
    const { random } = this.cluster.kernel;
    const agent = await this.make(`${unique}-lead`, spawns);
    const run = await this.start(unique, agent, `spawn ${unique}`);
    const removed = random.next() < 0.4;
    this.spawned.push({ unique, agent, run, removed });
    if (!removed) return;
    await this.cluster.kernel.sleep(random.between(0, 1_500));
    await this.remove(agent);
  }

  async askPeer(unique: string, agent: string): Promise<void> {
    const { random } = this.cluster.kernel;
    const peer = random.pick(simulatedPeers);
    const run = await this.start(unique, agent, `peer ${peer} ${unique}`);
    const made = { unique, agent, run, peer, cancelled: false };
    this.calls.push(made);
    if (random.next() > 0.2) return;
    await this.cluster.kernel.sleep(random.between(0, 1_000));
    made.cancelled = await this.cancel(agent, run);
  }

  /** Simulation.S12 to S14: to be called at rest. */
  async cameToAnEnd(): Promise<void> {
    for (const made of this.handOvers) await this.wasHandedOver(made);
    const agents = await this.agents();
    for (const made of this.spawned) await this.wasSpawned(made, agents);
    for (const made of this.calls) await this.wasAsked(made);
    this.ledger.problems.push(...this.cluster.peers.problems);
  }

  private async wasHandedOver({ unique, front, back, runs, cancelled, removes }: HandOver): Promise<void> {
    const problem = (text: string): number => this.ledger.problems.push(`Simulation.S12 ${unique}: ${text}`);
    this.ledger.looked('a hand-over');
    const last = await Promise.all(runs.map((run) => this.read(front, run)));
    for (const [n, { status, waitingFor }] of last.entries()) {
      if (status !== (n === 1 && cancelled ? 'cancelled' : 'completed'))
        problem(`what was said as number ${n + 1} is ${status}: ${JSON.stringify(waitingFor)}`);
    }
    const page = { sort: 'created_at', order: 'desc', limit: 100 } as const;
    const { items } = await this.clients.ask(`${unique}-look`, (service, caller) =>
      service.execute(caller, listSessions, { id: front }, { page }),
    );
    const session = items.find(({ id }) => id === unique);
    if (session && session.handed_to !== null) problem(`its session is at ${session.handed_to} still`);
    if (removes) return;
    const all = await this.clients.runsOf(back);
    for (const [n, said] of [
      `over ${back} ${unique}\n`,
      `work ${unique}-2`,
      `back ${front} ${unique}`,
      `work ${unique}-4`,
    ].entries()) {
      const its = all.filter(({ input }) => (n === 0 ? input.startsWith(said) : input === said));
      const fewest = n === 3 || (n === 1 && cancelled) ? 0 : 1;
      if (its.length < fewest || its.length > 1) problem(`number ${n + 1} was passed on ${its.length} times`);
      const odd = its.find(({ status }) => status !== 'completed' && !(cancelled && status === 'cancelled'));
      if (odd) problem(`run ${odd.id} of the other agent is ${odd.status}`);
    }
  }

  private async agents(): Promise<Agent[]> {
    const found: Agent[] = [];
    for (let after: PageRequest['after'] | null; after !== null;) {
      const page = { sort: 'created_at', order: 'asc', limit: 100, ...(after && { after }) } as const;
      const { items, next } = await this.clients.ask('look', (service, caller) =>
        service.execute(caller, listAgents, {}, { page }),
      );
      found.push(...items);
      after = next;
    }
    return found;
  }

  private async wasSpawned(
    { unique, agent, run, removed }: Teams['spawned'][number],
    agents: readonly Agent[],
  ): Promise<void> {
    const problem = (text: string): number => this.ledger.problems.push(`Simulation.S13 ${unique}: ${text}`);
    this.ledger.looked('a spawned agent');
    const children = agents.filter(({ name, spawned_by: by }) => by === agent || name.startsWith(`${unique}-child`));
    if (removed) {
      if (children.length > 0) problem(`${children.length} agents are there without the one that has spawned them`);
      return;
    }
    const { status, waitingFor } = await this.read(agent, run);
    if (status !== 'completed') problem(`run ${run} is ${status}: ${JSON.stringify(waitingFor)}`);
    if (
      children
        .map(({ name }) => name)
        .sort()
        .join() !== `${unique}-child-0,${unique}-child-1`
    )
      problem(`it has spawned ${children.map(({ name }) => name).join()}`);
    for (const { id, name } of children) {
      const its = await this.clients.runsOf(id);
      if (its.length !== 1 || its[0]?.status !== 'completed')
        problem(`${name} has the runs ${its.map((one) => one.status).join()}`);
    }
  }

  private async wasAsked({ unique, agent, run, peer, cancelled }: Teams['calls'][number]): Promise<void> {
    const problem = (text: string): number => this.ledger.problems.push(`Simulation.S14 ${unique}: ${text}`);
    this.ledger.looked('a call of a peer');
    const { status, output, waitingFor } = await this.read(agent, run);
    if (cancelled && status === 'cancelled') return;
    if (status !== 'completed') problem(`run ${run} is ${status}: ${JSON.stringify(waitingFor)}`);
    if (output === `true heard ${unique}`) return;
    const mayBeUnknown = peer !== 'keyed' || this.cluster.peers.unheard.has(`${run}.1.1`);
    if (!mayBeUnknown || !/^false .*it is not known whether this took effect$/.test(String(output)))
      problem(`${peer} was asked, and the outcome is "${output}"`);
  }
}
