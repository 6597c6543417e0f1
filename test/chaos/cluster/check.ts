/**
 * What must hold when the cluster has come to rest, whatever was done to it. Pure: what the clients were told against
 * what is there. Every check answers with the sentences of what is wrong, so that one look shows all of it.
 *
 *  ClusterCheck.K1 What was acknowledged and not deleted is there, by its id and in the lists; what is there was sent.
 *  ClusterCheck.K2 It is there once, however often it was sent.
 *  ClusterCheck.K3 What was deleted is gone, with all that belonged to it.
 *  ClusterCheck.K4 Every run has ended with its answer; each of its steps counts once.
 *  ClusterCheck.K5 Mail arrives once, at everyone whom it was sent to, and nothing else arrives.
 *  ClusterCheck.K6 A stream gave 1, 2, 3... up to its run's end, over all its connections.
 *  ClusterCheck.K7 Every change of a task's status was pushed, and first arrived in the order of the changes; none was
 *     given up.
 *  ClusterCheck.K8 Numbers equal what is listed.
 */
import type { AgentFacts, Facts, Listing, RunEvents } from './facts.js';
import type { Json } from './clients/gateways.js';
import { isTerminal, type Story } from './clients/story.js';
import type { Entry, Ledger, Push } from './ledger.js';
import { stepsOfWork } from '../model-server.js';
import { bounds } from '../../../src/domain/agent/agent-state.js';
import { mailAlong, shareInput } from './script.js';

/** `stepping`: agents whose runs take the steps of `work`. */
export interface Standing {
  all: readonly string[];
  stepping: ReadonlySet<string>;
  hive: string;
}

export function problemsOf(ledger: Ledger, facts: Facts, { all, stepping, hive }: Standing): string[] {
  const { entries } = ledger;
  const gone = new Set(entries.filter((e) => e.kind === 'agent' && e.deleted !== 'no').map((e) => e.id));
  const problems: string[] = [];
  const living = entries.filter((e) => !gone.has(e.agent));
  problems.push(...agentProblems(entries, facts), ...memoryProblems(entries, facts, gone));
  for (const [id, found] of facts.agents) {
    if (!found) {
      if (all.includes(id)) problems.push(`K1 agent ${id} is gone`);
      continue;
    }
    const own = living.filter((e) => e.agent === id);
    const steps = stepping.has(id) || !all.includes(id);
    problems.push(
      ...runProblems(id, own, found, hive),
      ...(steps ? stepProblems(own, found) : []),
      ...countProblems(id, found),
    );
  }
  problems.push(
    ...shareProblems(entries, facts),
    ...mailProblems(living, facts),
    ...eventProblems(facts),
    ...storyProblems(ledger.stories, facts.events),
    ...pushProblems(ledger.pushes, facts),
  );
  if (facts.memoriesInUsage !== facts.memories.items.length)
    problems.push(`K8 usage counts ${facts.memoriesInUsage} memories, and ${facts.memories.items.length} are listed`);
  return [...problems, ...totalProblems('memories of the workspace', facts.memories)];
}

function agentProblems(entries: readonly Entry[], { agents, agentList }: Facts): string[] {
  return entries
    .filter((e) => e.kind === 'agent')
    .flatMap((e) => {
      const listed = agentList.filter((a) => a['name'] === e.unique).map((a) => a['id']);
      const there = e.id !== null && agents.get(e.id) !== null;
      if (e.deleted === 'no')
        return [
          ...onceProblems(e, listed),
          ...(e.id !== null && !there ? [`K1 agent ${e.id} (${e.unique}) was acknowledged, and GET finds none`] : []),
        ];
      return listed.length > 0 || there ? [`K3 agent ${e.id ?? ''} (${e.unique}) was deleted, and is there`] : [];
    });
}

function memoryProblems(
  entries: readonly Entry[],
  { memories, memoryById }: Facts,
  goneAgents: ReadonlySet<string | null>,
): string[] {
  const listed = grouped(memories.items, 'content');
  return entries
    .filter((e) => e.kind === 'memory')
    .flatMap((e) => {
      const ids = (listed.get(e.unique) ?? []).map((m) => m['id']);
      const status = memoryById.get(e.id ?? '');
      if (e.deleted === 'no' && !(e.agent !== null && goneAgents.has(e.agent)))
        return [
          ...onceProblems(e, ids),
          ...(e.id !== null && status !== 200
            ? [`K1 memory ${e.id} (${e.unique}) was acknowledged, and GET is ${status}`]
            : []),
        ];
      return ids.length > 0 || status === 200
        ? [
            `K3 memory ${e.id ?? ''} (${e.unique}) was deleted, and is there: listed ${ids.length} times, GET is ${status}`,
          ]
        : [];
    });
}

/** Of an agent: runs, direct messages and tasks each make one run, and no run is there that nobody asked for. */
function runProblems(agent: string, own: readonly Entry[], { runs }: AgentFacts, hive: string): string[] {
  const asked = new Map(
    own.filter((e) => ['run', 'message', 'task', 'share'].includes(e.kind)).map((e) => [inputOf(e, hive), e]),
  );
  const found = grouped(runs.items, 'input');
  return [
    ...[...asked].flatMap(([input, e]) =>
      onceProblems(
        e,
        (found.get(input) ?? []).map((r) => r['id']),
      ),
    ),
    ...runs.items
      .filter((r) => r['triggeredBy'] !== 'message' && !asked.has(String(r['input'])))
      .map((r) => `K1 run ${text(r['id'])} of ${agent} was asked for by nobody: ${text(r['input'])}`),
    ...runs.items
      .filter((r) => r['status'] !== 'completed' || r['stopReason'] !== 'answer')
      .map(
        (r) =>
          `K4 run ${text(r['id'])} of ${agent} (${text(r['input'])}) is ${text(r['status'])}, ${JSON.stringify(r['stopReason'])} ${JSON.stringify(r['error'])}`,
      ),
  ];
}

const inputOf = ({ kind, unique }: Entry, hive: string): string =>
  kind === 'message' ? `what about ${unique}?` : kind === 'share' ? shareInput(hive, unique) : `work ${unique}`;

/** What a run shares goes through its agent's outbox to the hive: there once, and nothing else. */
function shareProblems(entries: readonly Entry[], { shared }: Facts): string[] {
  const found = grouped(shared.items, 'content');
  const sent = new Map(entries.filter((e) => e.kind === 'share').map((e) => [e.unique, e]));
  return [
    ...[...sent.values()].flatMap((e) => {
      const times = found.get(e.unique)?.length ?? 0;
      if (e.deleted !== 'no') return times > 0 ? [`K3 ${e.unique} was shared and deleted, and is in the hive`] : [];
      if (times > 1) return [`K2 ${e.unique} was shared once, and is in the hive ${times} times`];
      return times === 0 && e.id !== null ? [`K1 ${e.unique} was shared by ${e.id}, and is not in the hive`] : [];
    }),
    ...[...found.keys()]
      .filter((content) => !sent.has(content))
      .map((content) => `K1 "${content}" is in the hive, and nobody shared it`),
    ...(shared.counted === shared.items.length
      ? []
      : [`K8 the hive counts ${shared.counted} memories and lists ${shared.items.length}`]),
    ...totalProblems('memories of the hive', shared),
  ];
}

/** A step that ran again after a crash has counted once: its memory is there once, and its checkpoint. */
function stepProblems(own: readonly Entry[], { memories, runs, checkpoints }: AgentFacts): string[] {
  const contents = memories.items.map((m) => String(m['content']));
  const byRun = grouped(checkpoints, 'runId');
  return [
    ...own
      .filter((e) => (e.kind === 'run' || e.kind === 'task') && e.id !== null)
      .flatMap((e) => {
        const wanted = Array.from({ length: stepsOfWork }, (_, i) => `${e.unique} step ${i + 1}`);
        const there = contents.filter((c) => c.startsWith(`${e.unique} step `)).sort();
        return same(there, wanted)
          ? []
          : [`K4 the steps of ${e.id ?? ''} (${e.unique}) remembered ${there.join(', ') || 'nothing'}`];
      }),
    ...runs.items.flatMap((r) => {
      const steps = (byRun.get(String(r['id'])) ?? []).map((c) => Number(c['step'])).sort((a, b) => a - b);
      return same(steps, upTo(Number(r['steps'])))
        ? []
        : [`K4 run ${text(r['id'])} took ${text(r['steps'])} steps and has the checkpoints ${steps.join()}`];
    }),
  ];
}

/**
 * Whether this message waits until its reader has something else to do: it has passed so many agents that it wakes
 * nobody. Agents pass on all that they read in a step with the highest of its hops, so any mail may come to that.
 */
const wakesNobody = (message: Json): boolean => message['read_at'] === null && Number(message['hops']) > bounds.maxHops;

/**
 * Every mail is another one, also on its way. One that was never answered may have arrived, and one that wakes nobody
 * may not go on.
 */
function mailProblems(living: readonly Entry[], { agents }: Facts): string[] {
  const sent = new Map<string, Entry>();
  const got = new Map<string, number>();
  const problems: string[] = [];
  const waiting = new Set<string>();
  const mayBeMissing = new Set<string>();
  for (const [id, found] of agents)
    for (const m of found?.messages.items ?? []) {
      const key = `"${text(m['content'])}" at ${id}`;
      got.set(key, (got.get(key) ?? 0) + 1);
      if (wakesNobody(m)) waiting.add(key);
    }
  for (const e of living) {
    let waits = false;
    for (const { agent, content } of mailAlong(e.path, e.unique)) {
      const key = `"${content}" at ${agent}`;
      sent.set(key, e);
      if (waits || e.id === null) mayBeMissing.add(key);
      waits ||= waiting.has(key);
    }
  }
  for (const key of new Set([...sent.keys(), ...got.keys()])) {
    const times = got.get(key) ?? 0;
    if (!sent.has(key)) problems.push(`K5 ${key} was sent by nobody`);
    else if (times > 1 || (times === 0 && !mayBeMissing.has(key)))
      problems.push(`K5 ${key} was sent once and arrived ${times} times`);
  }
  for (const e of living) {
    if (e.id === null || (e.kind !== 'mail' && e.kind !== 'hops')) continue;
    if (!agents.get(e.path[0] ?? '')?.messages.items.some((m) => m['id'] === e.id))
      problems.push(
        `K1 message ${e.id} (${e.unique}) was acknowledged, and is not in the mailbox of ${e.path[0] ?? ''}`,
      );
  }
  return problems;
}

function eventProblems({ events }: Facts): string[] {
  return [...events].flatMap(([run, { ids, statuses, problem }]) => [
    ...(problem === null ? [] : [`K6 the events of ${run} do not end: ${problem}`]),
    ...(same(ids, upTo(ids.length)) ? [] : [`K6 the events of ${run} are ${ids.join()}`]),
    ...(statuses.filter(isTerminal).length === 1 && isTerminal(statuses.at(-1) ?? '')
      ? []
      : [`K4 run ${run} has been ${statuses.join(', ')}`]),
  ]);
}

/** Against what is stored, so that a stream that ended too early shows too. */
export function storyProblems(stories: readonly Story[], events: ReadonlyMap<string, RunEvents>): string[] {
  return stories.flatMap((s) => {
    const wanted = events.get(s.run)?.ids.length ?? 0;
    if (s.problem !== null)
      return [`K6 the stream of ${s.run || `a task of ${s.agent}`} did not end: ${s.problem}; it has ${s.ids.join()}`];
    return same(s.ids, upTo(wanted))
      ? []
      : [
          `K6 the stream of ${s.run} gave ${s.ids.join()}, and the run has ${wanted} events (${s.connections} connections)`,
        ];
  });
}

const spelt: Record<string, string> = {
  pending: 'submitted',
  running: 'working',
  cancelled: 'canceled',
  paused: 'input-required',
};

/** A process that is killed between a delivery and its commit delivers again, so first arrivals are what counts. */
export function pushProblems(
  pushes: readonly Push[],
  { events, arrivals, deadLetters }: Pick<Facts, 'events' | 'arrivals' | 'deadLetters'>,
): string[] {
  return [
    ...pushes.flatMap(({ run, path }) => {
      const wanted = (events.get(run)?.statuses ?? []).map((s) => spelt[s] ?? s);
      const first = [...new Set(arrivals.get(path) ?? [])];
      return same(first, wanted)
        ? []
        : [`K7 ${run} was ${wanted.join(', ')}, and to ${path} was pushed ${first.join(', ') || 'nothing'}`];
    }),
    ...deadLetters.map((letter) => `K7 a push was given up: ${JSON.stringify(letter).slice(0, 300)}`),
  ];
}

function countProblems(id: string, { agent, memories, messages, runs }: AgentFacts): string[] {
  const listed = memories.items.length;
  const counted = agent['memory_count'];
  return [
    ...(counted === listed ? [] : [`K8 ${id} counts ${text(counted)} memories and lists ${listed}`]),
    ...totalProblems(`memories of ${id}`, memories),
    ...totalProblems(`messages of ${id}`, messages),
    ...totalProblems(`runs of ${id}`, runs),
  ];
}

const totalProblems = (what: string, { items, total }: Listing): string[] => [
  ...(items.length === total ? [] : [`K8 ${what}: ${items.length} are listed and total_count is ${total}`]),
  ...(new Set(items.map((i) => i['id'])).size === items.length ? [] : [`K2 ${what}: an id is listed twice`]),
];

/** Acknowledged: there once, under its id. Not answered: at most once. */
function onceProblems(e: Entry, ids: readonly unknown[]): string[] {
  if (ids.length > 1)
    return [`K2 ${e.kind} ${e.unique}, sent ${e.tries} times, is there ${ids.length} times: ${ids.join(', ')}`];
  if (e.id === null || ids[0] === e.id) return [];
  return [
    `K1 ${e.kind} ${e.unique} was acknowledged as ${e.id}, and ${ids.length === 0 ? 'is not listed' : `${text(ids[0])} is listed`}`,
  ];
}

function grouped(items: readonly Json[], field: string): Map<string, Json[]> {
  const groups = new Map<string, Json[]>();
  for (const item of items) groups.set(String(item[field]), [...(groups.get(String(item[field])) ?? []), item]);
  return groups;
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
const same = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i]);
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
