/**
 * Clients of a simulated cluster: each carries out one mission after another, repeats every request under the same name
 * at any process until it is answered, and notes in the ledger what it was told. The missions and the ledger are those
 * of the chaos tests (test/chaos/cluster), without HTTP.
 */
import { deleteAgent, spawnAgent } from '../../src/commands/agents.js';
import { createHive, listSharedMemories } from '../../src/commands/hives.js';
import { listSchedules, deleteSchedule, pauseSchedule, createSchedule } from '../../src/commands/schedules.js';
import { listMessages, sendMessage } from '../../src/commands/mailbox.js';
import { HivekeepError, unavailable } from '../../src/domain/shared/errors.js';
import { scopes, type Tier } from '../../src/domain/shared/vocabulary.js';
import type { Run } from '../../src/domain/model/model.js';
import type { TaskInput } from '../../src/domain/task/task.js';
import type { Caller, PageRequest, Service } from '../../src/service.js';
import type { Entry, Ledger } from '../chaos/cluster/ledger.js';
import { stepsOfWork } from '../chaos/model-server.js';
import { mailOf, shareInput } from '../chaos/cluster/script.js';
import { isTerminal, type Story } from '../chaos/cluster/clients/story.js';
import type { Cluster } from './cluster.js';
import { asksPeers, handsOver, Teams } from './teams.js';
import { getRun, cancelRun, listRuns } from '../../src/commands/runs.js';
import { listCheckpoints } from '../../src/commands/journals.js';

export interface Cast {
  workers: string[];
  talkers: string[];
  relays: string[];
  sinks: string[];
  changer: string;
  /** It has several conversations at once, and its mail begins runs beside them. */
  desk: string;
  /** They ask each other. */
  experts: string[];
  /** They hand conversations over to each other. */
  desks: string[];
  /** It asks agents elsewhere. */
  asker: string;
  /** It works by schedules alone. */
  clerk: string;
  hive: string;
}

const missions = [
  'memory',
  'memory',
  'run',
  'run',
  'mail',
  'hops',
  'hops',
  'task',
  'agent',
  'share',
  'message',
  'change',
  'conversations',
  'schedule',
  'question',
  'hand-over',
  'spawn',
  'peer',
] as const;

/** Runs of the desk. */
const mostAtOnce = 3;

/** How long one try waits before the client asks another process, ms. */
const attemptMs = 20_000;
const retryMs = 100;
/** Refusals that ask to be repeated. */
const passing = new Set(['UNAVAILABLE', 'CONFLICT', 'AGENT_BUSY', 'RATE_LIMIT_EXCEEDED', 'CONCURRENCY_LIMIT_EXCEEDED']);

export class Clients {
  stopped = false;
  private working: Promise<void>[] = [];
  private readonly readers: Promise<void>[] = [];
  private readonly changes: { unique: string; agent: string; id: string }[] = [];
  private readonly schedules: { unique: string; agent: string; id: string; at: number | null; made: number }[] = [];
  private readonly questions: { agent: string; id: string; asked: Asked[]; cancelled: boolean; removes: boolean }[] =
    [];
  private readonly talks: { agent: string; id: string; cancelled: boolean }[] = [];
  private count = 0;
  /** Tries that were not answered or were to be repeated, by reason. */
  readonly retries = new Map<string, number>();
  readonly teams: Teams;

  constructor(
    private readonly cluster: Cluster,
    private readonly ledger: Ledger,
  ) {
    this.teams = new Teams(cluster, ledger, this);
  }

  private get random(): Cluster['kernel']['random'] {
    return this.cluster.kernel.random;
  }

  async makeCast(): Promise<Cast> {
    const hive = (
      await this.ask('hive', (service, caller) => service.execute(caller, createHive, {}, { name: 'hive' }))
    ).id;
    const spawn = (n: number, name: string, more: object): Promise<string[]> =>
      Promise.all(
        Array.from({ length: n }, async (_, i) => {
          const input = { name: `${name}-${i}`, hives: [], wake_on_message: false, ...more };
          return (await this.ask(`${name}-${i}`, (s, caller) => s.execute(caller, spawnAgent, {}, input as never))).id;
        }),
      );
    const steps = { config: { model: 'simulated', multi_step: true, max_steps: 100 } };
    return {
      hive,
      workers: await spawn(3, 'worker', { ...steps, hives: [hive] }),
      talkers: await spawn(2, 'talker', { config: { model: 'simulated' } }),
      relays: await spawn(3, 'relay', { ...steps, wake_on_message: true }),
      sinks: await spawn(2, 'sink', { config: {} }),
      changer: (await spawn(1, 'changer', steps))[0] ?? '',
      experts: await spawn(3, 'expert', steps),
      desks: await spawn(2, 'front', { config: handsOver }),
      asker: (await spawn(1, 'asker', { config: asksPeers }))[0] ?? '',
      clerk: (await spawn(1, 'clerk', steps))[0] ?? '',
      desk:
        (await spawn(1, 'desk', { config: { ...steps.config, max_parallel: mostAtOnce }, wake_on_message: true }))[0] ??
        '',
    };
  }

  begin(n: number, cast: Cast): void {
    this.working = Array.from({ length: n }, async (_, i) => {
      if (i === 0) await this.conversations(`u${++this.count}`, cast.desk);
      while (!this.stopped) {
        await this.carryOut(cast);
        await this.cluster.kernel.sleep(this.random.between(0, 400));
      }
    });
  }

  /** Resolves when everything that was begun is answered and every stream is at its end. */
  async end(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.working);
    await Promise.all(this.readers);
  }

  /** Asks any process, and again under the same name, until there is an answer that is not to be repeated. */
  async ask<T>(name: string, call: (service: Service, caller: Caller) => Promise<T>): Promise<T> {
    for (;;) {
      const asked = this.cluster.kernel.time;
      try {
        return await this.attempt(name, call);
      } catch (error) {
        const code = error instanceof HivekeepError ? error.code : null;
        const mayBeThere = code === 'NOT_FOUND' && this.cluster.database.showedThePast(asked);
        if (code !== null && !passing.has(code) && !mayBeThere) throw error;
        const reason = code ?? String(error);
        this.retries.set(reason, (this.retries.get(reason) ?? 0) + 1);
        if (code === null && !(error instanceof Lost))
          this.ledger.problems.push(`${name} failed with ${String(error)}`);
        await this.cluster.kernel.sleep(retryMs);
      }
    }
  }

  /**
   * Looks for what was acknowledged. Where that is missing while a process may have read from a primary that was
   * replaced, it is looked for again afterwards.
   */
  private async finds(look: () => Promise<boolean>): Promise<boolean> {
    const { kernel, database } = this.cluster;
    for (;;) {
      const began = kernel.time;
      if (await look()) return true;
      if (!database.showedThePast(began)) return false;
      await kernel.sleep(retryMs);
    }
  }

  private attempt<T>(name: string, call: (service: Service, caller: Caller) => Promise<T>): Promise<T> {
    const member = this.cluster.serving.length > 0 ? this.random.pick(this.cluster.serving) : null;
    if (!member) return Promise.reject(new Lost('no process serves'));
    const command = { id: `command-${name}`, bodyHash: name, replayed: false };
    return new Promise((resolve, reject) => {
      const late = this.cluster.kernel.after(attemptMs, () => {
        reject(new Lost('a process did not answer'));
      });
      // what a process says counts only while it lives: a killed one says nothing more
      const told =
        <V>(tell: (value: V) => void) =>
        (value: V): void => {
          member.process.arrives(() => {
            late();
            tell(value);
          });
        };
      this.cluster.kernel.after(this.random.next() * 3, () => {
        member.process.arrives(() => {
          call(member.engine.service, callerWith(command, this.cluster.tier)).then(told(resolve), told(reject));
        });
      });
    });
  }

  private async carryOut(cast: Cast): Promise<void> {
    const { random } = this;
    const mission = random.pick(missions);
    const unique = `u${++this.count}`;
    try {
      switch (mission) {
        case 'memory':
          return await this.memory(unique, random.pick([null, ...cast.talkers]));
        case 'message':
          return await this.message(unique, random.pick(cast.talkers));
        case 'run':
          return await this.run(unique, random.pick(cast.workers));
        case 'mail':
          return await this.mail(unique, random.pick(cast.sinks));
        case 'hops':
          return await this.hops(unique, cast);
        case 'task':
          return await this.task(unique, random.pick([...cast.workers, ...cast.talkers]));
        case 'agent':
          return await this.agent(unique);
        case 'conversations':
          return await this.conversations(unique, cast.desk);
        case 'schedule':
          return await this.schedule(unique, cast.clerk);
        case 'question':
          return await this.question(unique, cast.experts);
        case 'hand-over':
          return await this.teams.handOver(unique, cast.desks);
        case 'spawn':
          return await this.teams.spawn(unique);
        case 'peer':
          return await this.teams.askPeer(unique, cast.asker);
        case 'change':
          return await this.change(unique, cast.changer);
        case 'share':
          return await this.share(unique, random.pick(cast.workers), cast.hive);
        default:
          mission satisfies never;
      }
    } catch (error) {
      this.ledger.problems.push(`${mission} ${unique} was refused: ${String(error)}`);
    }
  }

  private async memory(unique: string, agent: string | null): Promise<void> {
    const entry = this.ledger.begin('memory', unique, agent);
    await this.createMemory(entry, agent);
    if (this.random.next() < 0.3) await this.findsIt(entry);
    if (this.random.next() < 0.25)
      await this.remove(entry, (service, caller) => service.deleteMemory(caller, entry.id ?? ''));
  }

  private async createMemory(entry: Entry, agent: string | null): Promise<void> {
    await this.create(entry, async (service, caller) => {
      const input = { type: 'note', content: entry.unique, ...(agent !== null && { agent_id: agent }) };
      return (await service.createMemory(caller, input)).id;
    });
  }

  /** Acknowledged means searchable, wherever the search is asked. */
  async findsIt(entry: Entry): Promise<void> {
    this.ledger.looked('search after write');
    const isFound = await this.finds(async () => {
      const found = await this.ask(`${entry.unique}-search`, async (service, caller) => {
        const hits = await service.searchMemories(caller, {
          query: entry.unique,
          limit: 10,
          ...(entry.agent !== null && { agent_id: entry.agent }),
        });
        if (hits.partial) throw unavailable('a part of the memories was not searched');
        return hits;
      });
      return found.some(({ id }) => id === entry.id);
    });
    if (!isFound) this.ledger.problems.push(`memory ${entry.unique} was acknowledged, and a search does not find it`);
  }

  private async message(unique: string, agent: string): Promise<void> {
    await this.create(this.ledger.begin('message', unique, agent), async (service, caller) => {
      return (await service.messageAgent(caller, agent, { content: `what about ${unique}?` })).run_id;
    });
  }

  /** Half of the runs are followed while the client goes on, some of them by a reader that connects again and again. */
  private async run(unique: string, agent: string): Promise<void> {
    const entry = this.ledger.begin('run', unique, agent);
    await this.startRun(entry, agent, `work ${unique}`);
    if (this.random.next() < 0.5)
      this.readers.push(this.follow(agent, entry.id ?? '', this.random.next() < 0.4 ? 100 : attemptMs - 1_000));
    if (this.random.next() < 0.3) this.readers.push(this.seesWhole(agent, entry.id ?? ''));
  }

  /** Simulation.S6 Looks at a run all the time, and as soon as it says that it has ended, for what that rests on. */
  private async seesWhole(agent: string, id: string): Promise<void> {
    const look = (): Promise<Run> =>
      this.ask(`${id}-look`, (service, caller) => service.execute(caller, getRun, { id: agent, runId: id }));
    let run = await look();
    for (; !isTerminal(run.status); run = await look())
      await this.cluster.kernel.sleep(this.random.between(1, run.status === 'running' ? 60 : 400));
    this.ledger.looked('all of a commit');
    const page = { sort: 'created_at', order: 'asc', limit: 100 } as const;
    const unique = run.input.replace('work ', '');
    let listed = '';
    const isWhole = await this.finds(async () => {
      const [{ items }, memories] = await this.ask(`${id}-look`, (service, caller) =>
        Promise.all([
          service.execute(caller, listCheckpoints, { id: agent }, { runId: id, page }),
          service.listMemories(caller, { agent_id: agent, type: 'note' }, { ...page, order: 'desc' }),
        ]),
      );
      const found = memories.items.filter(({ content }) => content.startsWith(`${unique} step`)).length;
      listed = `${items.length} of them and ${found} of its memories`;
      return items.length === run.steps && (run.status !== 'completed' || found === run.steps - 1);
    });
    if (!isWhole)
      this.ledger.problems.push(`Simulation.S6 run ${id} has ended after ${run.steps} steps, and ${listed} are listed`);
  }

  private async startRun(entry: Entry, agent: string, input: string): Promise<void> {
    await this.create(
      entry,
      async (service, caller) => (await service.startRun(caller, agent, { input, on_busy: 'enqueue' })).id,
    );
  }

  private async mail(unique: string, agent: string): Promise<void> {
    await this.send(this.ledger.begin('mail', unique, agent, [agent]), agent, mailOf([], unique));
  }

  private async send(entry: Entry, agent: string, content: string): Promise<void> {
    await this.create(
      entry,
      async (service, caller) => (await service.execute(caller, sendMessage, { id: agent }, { content })).id,
    );
  }

  /** Through two to four agents, back and forth, to a sink. */
  private async hops(unique: string, { relays, sinks }: Cast): Promise<void> {
    const { random } = this;
    const [a, b] = [random.pick(relays), random.pick(relays)];
    const sink = random.pick(sinks);
    const path =
      a === b
        ? [a, sink]
        : random.pick([
            [a, b, sink],
            [a, b, a, sink],
            [a, b, a, b, sink],
          ]);
    const [first = '', ...rest] = path;
    await this.send(this.ledger.begin('hops', unique, first, path), first, mailOf(rest, unique));
  }

  private async change(unique: string, agent: string): Promise<void> {
    const input = { input: `change ${unique}`, on_busy: 'enqueue' } as const;
    const { id } = await this.ask(unique, (service, caller) => service.startRun(caller, agent, input));
    this.changes.push({ unique, agent, id });
  }

  /** Simulation.S8: to be called at rest. */
  async changesWereMade(): Promise<void> {
    const page = { sort: 'created_at', order: 'asc', limit: 100 } as const;
    for (const { unique, agent, id } of this.changes) {
      this.ledger.looked('a memory that an agent changed');
      const [{ status }, { items }, memories] = await this.ask(`${unique}-look`, (service, caller) =>
        Promise.all([
          service.execute(caller, getRun, { id: agent, runId: id }),
          service.execute(caller, listCheckpoints, { id: agent }, { runId: id, page }),
          service.searchMemories(caller, { query: unique, agent_id: agent, limit: 10 }),
        ]),
      );
      const calls = items.flatMap((step) => step.calls);
      const failed = calls.filter((call) => !call.ok).map((call) => `${call.tool}: ${call.result}`);
      if (status !== 'completed' || calls.length !== 4 || failed.length > 0)
        this.ledger.problems.push(`Simulation.S8 run ${id} is ${status} after ${calls.length} calls. ${failed.join()}`);
      if (memories.some(({ content }) => content.startsWith(`${unique} is`)))
        this.ledger.problems.push(`Simulation.S8 ${unique} was forgotten, and a search finds it`);
    }
  }

  /**
   * Several runs of one agent at a time: in one session and in others, one of them cancelled wherever it is, and mail
   * that may begin one more.
   */
  private async conversations(unique: string, agent: string): Promise<void> {
    const begin = async (n: number): Promise<void> => {
      const name = `${unique}-${n}`;
      const input = { input: `work ${name}`, on_busy: 'enqueue', sessionId: `${unique}-${n % 3}` } as const;
      const { id } = await this.ask(name, (service, caller) => service.startRun(caller, agent, input));
      const talk = { agent, id, cancelled: n === 1 };
      this.talks.push(talk);
      if (!talk.cancelled) return;
      await this.cluster.kernel.sleep(this.random.between(0, 300));
      // it may have ended before
      talk.cancelled = await this.ask(`${name}-cancel`, async (service, caller) => {
        const { status } = await service.execute(caller, getRun, { id: agent, runId: id });
        return isTerminal(status)
          ? status === 'cancelled'
          : (await service.execute(caller, cancelRun, { id: agent, runId: id })).status === 'cancelled';
      });
    };
    const mail = { content: `${unique} wakes` };
    await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => begin(n)),
      this.ask(`${unique}-mail`, (service, caller) => service.execute(caller, sendMessage, { id: agent }, mail)),
    ]);
  }

  /** Simulation.S9: to be called at rest. When runs were running is told by their times, if clocks did not jump. */
  async conversationsWereHeld(agent: string, clocksJumped: boolean): Promise<void> {
    const page = { sort: 'created_at', order: 'asc', limit: 100 } as const;
    const problem = (text: string): number => this.ledger.problems.push(`Simulation.S9 ${text}`);
    const runs = await this.runsOf(agent);
    const steps = new Map<string, number>();
    for (const { id, cancelled } of this.talks) {
      this.ledger.looked('a run beside others of its agent');
      const run = runs.find((one) => one.id === id);
      const wanted = cancelled ? ['cancelled'] : ['completed'];
      if (!run || !wanted.includes(run.status)) problem(`run ${id} is ${run?.status ?? 'gone'}, not ${wanted.join()}`);
      if (run?.status === 'completed') steps.set(id, run.steps);
    }
    for (const [id, made] of steps) if (made !== stepsOfWork + 1) problem(`run ${id} has made ${made} steps`);
    if (!runs.some(({ triggeredBy }) => triggeredBy === 'message')) problem('no mail has begun a run');
    const { items } = await this.ask('look', (service, caller) =>
      service.execute(caller, listMessages, { id: agent }, { page: page }),
    );
    const unread = items.filter(({ read_at }) => read_at === null).length;
    if (unread > 0) problem(`${unread} messages are left unread`);
    if (clocksJumped) return;
    const began = runs.filter(({ started_at, ended_at }) => started_at !== null && ended_at !== null);
    const during = (run: Run): Run[] =>
      began.filter(
        (other) =>
          (other.started_at ?? '') <= (run.started_at ?? '') && (other.ended_at ?? '') > (run.started_at ?? ''),
      );
    for (const run of began) {
      const beside = during(run);
      if (beside.length > mostAtOnce) problem(`${beside.length} runs were running when ${run.id} began`);
      const same = beside.filter(({ id, sessionId }) => id !== run.id && sessionId === run.sessionId);
      if (same.length > 0) problem(`run ${run.id} has begun before ${same[0]?.id ?? ''} of its session ended`);
    }
    if (!began.some((run) => during(run).length > 1)) problem('no two runs were running at a time');
  }

  /**
   * One agent asks two others, of which one asks on; some of the runs are cancelled while they wait, and some ask an
   * agent that is deleted meanwhile.
   */
  private async question(unique: string, experts: readonly string[]): Promise<void> {
    const { random } = this;
    const first = random.between(0, experts.length - 1);
    const [agent = '', second = '', third = ''] = [...experts.slice(first), ...experts.slice(0, first)];
    const removes = random.next() < 0.25;
    const config = { model: 'simulated', multi_step: true };
    const passing = removes
      ? (
          await this.ask(`${unique}-passing`, (s, caller) =>
            s.execute(caller, spawnAgent, {}, { name: unique, config }),
          )
        ).id
      : third;
    const input = { input: `question ${second}>${third},${passing} ${unique}`, on_busy: 'enqueue' } as const;
    const { id } = await this.ask(unique, (service, caller) => service.startRun(caller, agent, input));
    const asked = [
      { agent: second, input: `question ${third} ${unique}-0` },
      { agent: third, input: `work ${unique}-0-0` },
      { agent: passing, input: `work ${unique}-1` },
    ];
    const question = { agent, id, asked, cancelled: !removes && random.next() < 0.3, removes };
    this.questions.push(question);
    if (!removes && !question.cancelled) return;
    await this.cluster.kernel.sleep(random.between(0, 400));
    if (removes) {
      const remove = this.ask(`${unique}-remove`, (service, caller) =>
        service.execute(caller, deleteAgent, { id: passing }),
      );
      await remove.catch(gone);
      return;
    }
    // it may have ended before
    question.cancelled = await this.ask(`${unique}-cancel`, async (service, caller) => {
      const { status } = await service.execute(caller, getRun, { id: agent, runId: id });
      return isTerminal(status)
        ? status === 'cancelled'
        : (await service.execute(caller, cancelRun, { id: agent, runId: id })).status === 'cancelled';
    });
  }

  /** Simulation.S11: to be called at rest. */
  async questionsWereAnswered(): Promise<void> {
    const page = { sort: 'created_at', order: 'asc', limit: 100 } as const;
    const problem = (text: string): number => this.ledger.problems.push(`Simulation.S11 ${text}`);
    for (const { agent, id, asked, cancelled, removes } of this.questions) {
      this.ledger.looked('a question');
      const { status, waitingFor } = await this.ask(`${id}-look`, (service, caller) =>
        service.execute(caller, getRun, { id: agent, runId: id }),
      );
      if (status !== (cancelled ? 'cancelled' : 'completed'))
        problem(`run ${id} is ${status}: ${JSON.stringify(waitingFor)}`);
      const { items } = await this.ask(`${id}-look`, (service, caller) =>
        service.execute(caller, listCheckpoints, { id: agent }, { runId: id, page }),
      );
      const failed = items.flatMap(({ calls }) => calls).filter(({ ok }) => !ok);
      if (failed.length > (removes ? 1 : 0)) problem(`run ${id} was told ${failed.map(({ result }) => result).join()}`);
      for (const question of removes ? asked.slice(0, 2) : asked) {
        const runs = (await this.runsOf(question.agent)).filter(({ input }) => input === question.input);
        if (runs.length > 1 || (!cancelled && runs.length < 1))
          problem(`"${question.input}" was asked ${runs.length} times`);
        const ends = cancelled ? ['completed', 'cancelled'] : ['completed'];
        const odd = runs.find((run) => !ends.includes(run.status) || run.triggeredBy !== 'agent');
        if (odd) problem(`"${question.input}" is ${odd.status}, and was begun by ${odd.triggeredBy}`);
      }
    }
  }

  async runsOf(agent: string): Promise<Run[]> {
    const runs: Run[] = [];
    for (let after: PageRequest['after'] | null; after !== null;) {
      const request = { sort: 'created_at', order: 'asc', limit: 100, ...(after && { after }) } as const;
      const found = await this.ask('look', (service, caller) =>
        service.execute(caller, listRuns, { id: agent }, { page: request }),
      );
      runs.push(...found.items);
      after = found.next;
    }
    return runs;
  }

  /** A time that comes soon; first of all times a minute apart, and these are paused for a while, wherever they are. */
  private async schedule(unique: string, agent: string): Promise<void> {
    const { kernel } = this.cluster;
    const isFirst = this.schedules.length === 0;
    const at = isFirst ? null : Math.round(kernel.time) + this.random.between(1_000, 20_000);
    const input = { input: `work ${unique}`, ...(at === null ? { every: 60 } : { at: new Date(at).toISOString() }) };
    const planned = { unique, agent, id: '', at, made: kernel.time };
    if (isFirst) this.schedules.push(planned);
    const asked = this.ask(unique, (service, caller) => service.execute(caller, createSchedule, { id: agent }, input));
    const { id } = await asked.catch((error: unknown) => {
      // by a clock that has jumped ahead, the time is over
      if (error instanceof HivekeepError && error.code === 'VALIDATION_ERROR') return { id: '' };
      throw error;
    });
    planned.id = id;
    if (id === '') return;
    if (!isFirst) this.schedules.push(planned);
    else
      for (const paused of [true, false])
        await this.ask(`${unique}-${String(paused)}`, (s, caller) =>
          s.execute(caller, pauseSchedule, { id: agent, scheduleId: id }, { paused }),
        );
  }

  /** Resolves when each single time has come, by a clock that is right; the others come no more. */
  async schedulesCame(): Promise<void> {
    const { kernel } = this.cluster;
    const last = Math.max(kernel.time, ...this.schedules.map(({ at }) => at ?? 0));
    await kernel.sleep(last - kernel.time + 5_000);
    for (const { at, unique, agent, id } of this.schedules)
      if (at === null)
        await this.ask(`${unique}-end`, (service, caller) =>
          service.execute(caller, deleteSchedule, { id: agent, scheduleId: id }),
        ).catch(gone);
  }

  /** Simulation.S10: to be called at rest. A single time is over when its run has begun, and only then. */
  async schedulesWereKept(agent: string, clocksJumped: boolean): Promise<void> {
    const problem = (text: string): number => this.ledger.problems.push(`Simulation.S10 ${text}`);
    const page = { sort: 'created_at', order: 'asc', limit: 100 } as const;
    const runs = await this.runsOf(agent);
    const { items } = await this.ask('list', (service, caller) =>
      service.execute(caller, listSchedules, { id: agent }, { page: page }),
    );
    for (const { unique, id, at, made } of this.schedules) {
      this.ledger.looked('a schedule');
      const its = runs.filter(({ input }) => input === `work ${unique}`);
      const bad = its.find(({ status, triggeredBy }) => status !== 'completed' || triggeredBy !== 'schedule');
      if (bad) problem(`run ${bad.id} is ${bad.status}, and was begun by ${bad.triggeredBy}`);
      const waits = items.some((schedule) => schedule.id === id);
      if (at === null) {
        const times = Math.ceil((this.cluster.kernel.time - made) / 60_000);
        if (!clocksJumped && its.length > times) problem(`${its.length} runs of ${id} in ${times} minutes`);
      } else if (its.length !== (waits ? 0 : 1) || (waits && !clocksJumped))
        problem(`${its.length} runs of ${id}, which ${waits ? 'still waits' : 'is over'}`);
    }
  }

  private async share(unique: string, agent: string, hive: string): Promise<void> {
    const entry = this.ledger.begin('share', unique, agent);
    await this.startRun(entry, agent, shareInput(hive, unique));
    if (this.random.next() < 0.5) this.readers.push(this.takeBack(entry, hive));
  }

  /** Deletes what was shared as soon as it is in the hive, where its sender may still be delivering it. */
  private async takeBack(entry: Entry, hive: string): Promise<void> {
    const page = { sort: 'created_at', order: 'desc', limit: 100 } as const;
    for (;;) {
      const { items } = await this.ask(`${entry.unique}-look`, (service, caller) =>
        service.execute(caller, listSharedMemories, { id: hive }, { page: page }),
      );
      const shared = items.find(({ content }) => content === entry.unique);
      if (shared) return this.remove(entry, (service, caller) => service.deleteMemory(caller, shared.id));
      await this.cluster.kernel.sleep(this.random.between(5, 200));
    }
  }

  /** An agent with something of every kind, of which most are deleted. */
  private async agent(unique: string): Promise<void> {
    const { ledger } = this;
    const made = ledger.begin('agent', unique, null);
    const config = { model: 'simulated', multi_step: true };
    await this.create(made, async (service, caller) => {
      return (
        await service.execute(caller, spawnAgent, {}, { name: unique, hives: [], wake_on_message: false, config })
      ).id;
    });
    const id = made.id ?? '';
    await this.createMemory(ledger.begin('memory', `${unique}-memory`, id), id);
    await this.startRun(ledger.begin('run', `${unique}-run`, id), id, `work ${unique}-run`);
    await this.send(ledger.begin('mail', `${unique}-mail`, id, [id]), id, mailOf([], `${unique}-mail`));
    if (this.random.next() < 0.7)
      await this.remove(made, (service, caller) => service.execute(caller, deleteAgent, { id }));
  }

  /** An A2A message; some with a push receiver. */
  private async task(unique: string, agent: string): Promise<void> {
    const push = this.random.next() < 0.6 ? `https://receiver.example/${unique}` : null;
    const input: TaskInput = {
      message: { messageId: `m-${unique}`, role: 'user', parts: [{ kind: 'text', text: `work ${unique}` }] },
      wait: 'started',
      ...(push !== null && { push: { url: push, version: '1.0' } }),
    };
    const entry = this.ledger.begin('task', unique, agent);
    await this.create(entry, async (service, caller) => {
      return (await service.sendTask(withoutCommand(caller), agent, input)).id;
    });
    if (push !== null) this.ledger.pushes.push({ agent, run: entry.id ?? '', path: push });
  }

  private async create(entry: Entry, call: (service: Service, caller: Caller) => Promise<string>): Promise<void> {
    entry.id = await this.ask(entry.unique, call);
    entry.tries = 1;
    if (this.random.next() > 0.15) return;
    this.ledger.looked('same answer to a request sent again');
    const again = await this.ask(entry.unique, call);
    if (again !== entry.id)
      this.ledger.problems.push(`${entry.kind} ${entry.unique} was answered ${entry.id}, and sent again ${again}`);
  }

  /** A delete that is sent again may find nothing left. */
  private async remove(entry: Entry, call: (service: Service, caller: Caller) => Promise<void>): Promise<void> {
    entry.deleted = 'asked';
    await this.ask(`${entry.unique}-delete`, call).catch(gone);
    entry.deleted = 'acknowledged';
  }

  /** Reads a run's events to the end, over as many connections as it takes, each of at most so many ms. */
  async follow(agent: string, run: string, connectionMs: number): Promise<void> {
    const story: Story = { agent, run, ids: [], status: '', connections: 0, problem: 'not begun' };
    this.ledger.stories.push(story);
    await this.readEvents(story, [], connectionMs);
    // Simulation.S7
    this.ledger.looked('a run whose stream has ended');
    let read = '';
    const isEnded = await this.finds(async () => {
      read = (
        await this.ask(`${run}-look`, (service, caller) => service.execute(caller, getRun, { id: agent, runId: run }))
      ).status;
      return read === story.status;
    });
    if (!isEnded)
      this.ledger.problems.push(`Simulation.S7 the stream of run ${run} has told ${story.status}, and it is ${read}`);
  }

  async readEvents(story: Story, statuses: string[] = [], connectionMs = attemptMs - 1_000): Promise<void> {
    while (!isTerminal(story.status)) {
      await this.ask(`${story.run}-events`, async (service, caller) => {
        const connection = ++story.connections;
        const stop = new AbortController();
        const cancel = this.cluster.kernel.after(connectionMs, () => {
          stop.abort();
        });
        const after = story.ids.at(-1) ?? 0;
        for await (const event of await service.runEvents(caller, story.agent, story.run, after, stop.signal)) {
          if (stop.signal.aborted || story.connections !== connection) break;
          story.ids.push(event.seq);
          if (event.type === 'status') statuses.push((story.status = event.status));
        }
        cancel();
      });
    }
    story.problem = null;
  }
}

/** A2A messages name themselves. */
const withoutCommand = ({ idempotencyKey: _, ...caller }: Caller): Caller => caller;

/** What was deleted before an answer was lost. */
function gone(error: unknown): void {
  if (!(error instanceof HivekeepError && error.code === 'NOT_FOUND')) throw error;
}

interface Asked {
  agent: string;
  input: string;
}

class Lost extends Error {}

const callerWith = (idempotencyKey: Caller['idempotencyKey'], tier: Tier): Caller => ({
  workspace: 'default',
  credentialId: 'key_sim',
  tier,
  scopes,
  idempotencyKey,
});
