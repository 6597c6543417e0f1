/**
 * One simulated schedule from beginning to end: a cluster, clients at work on it, faults, and when everything is healed
 * and at rest, the checks of the chaos tests (test/chaos/cluster/check.ts, ClusterCheck.K1-K8) and
 * these:
 *
 *  Simulation.S1 A memory that was acknowledged is found by a search, wherever that is asked, at once and at the end.
 *  Simulation.S2 No infrastructure fails a run: outages, lost answers, moved clocks and killed processes delay
 *     (ClusterCheck.K4).
 *  Simulation.S3 At rest nothing is left in memory: no request unanswered, no actor with work, no entity active in the
 *     store.
 *  Simulation.S4 No commit replaces one that was applied in part.
 *  Simulation.S5 No defect is logged (TypeError and the like).
 *  Simulation.S6 Who reads that a run has ended finds every checkpoint and memory of it.
 *  Simulation.S7 Who was told by a run's stream that it has ended reads the run as ended.
 *  Simulation.S8 No infrastructure fails a call of a step: memories that an agent changes and forgets are changed,
 *     once.
 *  Simulation.S9 Of the runs of one agent that are begun beside one another each ends as it should, those of a session
 *     one after another, and never more than `max_parallel` run; its mail is read, by runs that it begins too.
 *  Simulation.S10 Each time of a schedule begins one run, whatever is killed and whichever clocks are set.
 *  Simulation.S11 A question of an agent to others is asked once and answered once, or withdrawn; nobody waits for ever.
 *  Simulation.S12 What is said in a conversation that was handed over is passed on once, until it comes back, and each
 *     message is answered, also where the other agent is deleted (HandOff.H1 to HandOff.H3).
 *  Simulation.S13 An agent is spawned once, and is gone with the one that has spawned it (Spawning.N1 to Spawning.N3).
 *  Simulation.S14 A message goes to an agent elsewhere at most once, and its outcome is its answer, or that it is not
 *     known whether it was taken (Peers.E1 to Peers.E3), whatever is pushed (PeerPushes.H1).
 *
 * What S1, S6 and S7 miss while some process may read from a primary of the database that was replaced, they look for
 * again once every process has heard of its successor (docs/cluster.md).
 */
import { problemsOf } from '../chaos/cluster/check.js';
import { kinds, Ledger } from '../chaos/cluster/ledger.js';
import { shardsOf } from '../../src/store/shards.js';
import { Clients } from './clients.js';
import { Cluster, type Member } from './cluster.js';
import { readFacts } from './facts.js';
import { Kernel, type SimulatedProcess } from './kernel.js';
import { type Fault, scheduleOf, told } from './schedule.js';
import { listRuns } from '../../src/commands/runs.js';

export interface Outcome {
  problems: string[];
  /** The schedule and what was logged, for who looks into a failure. */
  diary: string[];
  events: number;
  summary: string;
}

const processes = 3;
const clients = 4;
const faultsMs = 30_000;
/** How long requests and runs may take once everything is healed. */
const patienceMs = 180_000;

export async function simulate(seed: number): Promise<Outcome> {
  const kernel = new Kernel(seed);
  const faults = scheduleOf(seed ^ 0x5eed, faultsMs, processes);
  const shards = shardsOf(seed % 4 === 0 ? 4096 : 256);
  const cluster = new Cluster(kernel, kernel.random.pick(['enterprise', 'team', 'free']), shards);
  const ledger = new Ledger();
  const diary = [`seed ${seed}`, ...faults.map(told)];
  let problems: string[];
  try {
    problems = await kernel.run(() => story(cluster, ledger, faults), 20 * 60_000);
  } catch (error) {
    problems = [String(error)];
  }
  const sent = kinds.map((kind) => `${kind} ${ledger.entries.filter((e) => e.kind === kind).length}`).join(', ');
  return {
    problems: [...problems, ...cluster.database.problems, ...cluster.alarms],
    diary: [...diary, ...cluster.log],
    events: kernel.fired,
    summary: `${faults.length} faults, ${cluster.database.commits} commits, ${cluster.at} s; ${sent}`,
  };
}

async function story(cluster: Cluster, ledger: Ledger, faults: readonly Fault[]): Promise<string[]> {
  const { kernel } = cluster;
  const quiet = cluster.database.lostAnswers;
  cluster.database.lostAnswers = 0;
  const slots: Member[] = Array.from({ length: processes }, () => cluster.start());
  await until(kernel, () => cluster.serving.length === processes);
  const crew = new Clients(cluster, ledger);
  const cast = await crew.makeCast();
  const standing = [cast.workers, cast.talkers, cast.relays, cast.sinks].flat();
  cluster.database.lostAnswers = quiet;
  crew.begin(clients, cast);
  await Promise.all(
    faults.map(async (fault) => {
      await kernel.sleep(fault.at);
      await suffer(cluster, slots, fault);
    }),
  );
  await kernel.sleep(2_000);
  crew.stopped = true;
  const unanswered = await within(kernel, crew.end(), patienceMs);
  if (unanswered) return ['K4 requests were not answered after everything was healed', ...ledger.problems];
  await crew.schedulesCame();
  const unrest = await atRest(cluster, standing, crew);
  const facts = await readFacts(cluster, crew, ledger, standing, cast.hive);
  await searchable(crew, ledger, facts.memoryById);
  await crew.changesWereMade();
  await crew.questionsWereAnswered();
  await crew.teams.cameToAnEnd();
  const jumped = faults.some(({ kind }) => kind === 'clock-jump');
  await crew.conversationsWereHeld(cast.desk, jumped);
  await crew.schedulesWereKept(cast.clerk, jumped);
  return [
    ...unrest,
    ...ledger.problems,
    ...problemsOf(ledger, facts, { all: standing, stepping: new Set(cast.workers), hive: cast.hive }),
  ];
}

async function suffer(cluster: Cluster, slots: Member[], fault: Fault): Promise<void> {
  const { kernel, database, network } = cluster;
  const slot = 'process' in fault && fault.process !== 'all' ? fault.process : 0;
  const member = slots[slot] as Member;
  const { process } = member;
  switch (fault.kind) {
    case 'kill':
      cluster.kill(member);
      await kernel.sleep(fault.ms);
      slots[slot] = restarted(cluster, process);
      return;
    case 'stop':
      await within(kernel, cluster.stop(member, 5_000), 30_000);
      cluster.kill(member);
      await kernel.sleep(fault.ms);
      slots[slot] = restarted(cluster, process);
      return;
    case 'pause':
      process.pause();
      await kernel.sleep(fault.ms);
      process.resume();
      return;
    case 'no-store':
      return during(kernel, fault.ms, (on) => (process.reaches.store = !on));
    case 'no-leases':
      return during(kernel, fault.ms, (on) => (process.reaches.leases = !on));
    case 'no-peers':
      return during(kernel, fault.ms, (on) => (process.reaches.peers = !on));
    case 'old-primary':
      database.cutOff(process);
      await kernel.sleep(fault.ms);
      database.hearsOfPrimary(process);
      return;
    case 'clock-jump':
      for (const { process: each } of fault.process === 'all' ? slots : [member]) each.wallOffset += fault.byMs;
      return;
    case 'store-outage':
      return during(kernel, fault.ms, (on) => (database.down = on));
    case 'new-primary':
      return during(kernel, fault.ms, (on) => {
        if (on) database.lag();
        else database.catchUp();
      });
    case 'leases-outage':
      return during(kernel, fault.ms, (on) => (network.leasesDown = on));
    case 'leases-emptied':
      network.leases.empty();
      return;
    case 'lost-answers': {
      const usual = database.lostAnswers;
      return during(kernel, fault.ms, (on) => (database.lostAnswers = on ? fault.perMille : usual));
    }
    case 'bad-network': {
      const usual = network.trouble;
      return during(kernel, fault.ms, (on) => (network.trouble = on ? fault.perMille : usual));
    }
  }
}

function restarted(cluster: Cluster, before: SimulatedProcess): Member {
  const member = cluster.start();
  member.process.wallOffset = before.wallOffset; // the machine's clock stays as it is
  return member;
}

async function during(kernel: Kernel, ms: number, set: (on: boolean) => unknown): Promise<void> {
  set(true);
  await kernel.sleep(ms);
  set(false);
}

/**
 * Until no entity has work left and no process has a request open. Says what was still going on where patience ended.
 */
async function atRest(cluster: Cluster, standing: readonly string[], crew: Clients): Promise<string[]> {
  const { kernel, database } = cluster;
  let open: string[] = [];
  for (const end = kernel.time + patienceMs; kernel.time < end; await kernel.sleep(1_000)) {
    open = [
      ...[...database.content.heads.values()]
        .filter((head) => head.active && !head.deleted)
        .map((head) => `${head.entity.kind} ${head.entity.id} has work left`),
      ...database.halfApplied.map((entity) => `the last commit of ${entity} is applied in part`),
      ...cluster.serving.flatMap(({ process, engine }) => {
        const { unanswered } = engine.routerStats();
        return unanswered > 0 ? [`${process.name} has ${unanswered} requests unanswered`] : [];
      }),
    ];
    if (open.length === 0) return [];
  }
  const runs = await Promise.all(
    standing.map((id) =>
      crew.ask('rest', (service, caller) =>
        service.execute(caller, listRuns, { id }, { page: { sort: 'created_at', order: 'desc', limit: 100 } }),
      ),
    ),
  );
  const unended = runs
    .flatMap(({ items }) => items)
    .filter(({ status }) => status === 'pending' || status === 'running');
  return [
    `Simulation.S3 not at rest ${patienceMs / 1000} s after everything was healed: ${open.join(', ')}; ${unended
      .map(({ id, agent_id, status }) => `${id} of ${agent_id} is ${status}`)
      .join(', ')}`,
  ];
}

/** Simulation.S1 */
async function searchable(crew: Clients, ledger: Ledger, memoryById: ReadonlyMap<string, number>): Promise<void> {
  for (const entry of ledger.entries)
    if (entry.kind === 'memory' && entry.deleted === 'no' && memoryById.get(entry.id ?? '') === 200)
      await crew.findsIt(entry);
}

async function until(kernel: Kernel, holds: () => boolean): Promise<void> {
  while (!holds()) await kernel.sleep(50);
}

/** True when the time was up first. */
async function within(kernel: Kernel, work: Promise<unknown>, ms: number): Promise<boolean> {
  return Promise.race([work.then(() => false), kernel.sleep(ms).then(() => true)]);
}
