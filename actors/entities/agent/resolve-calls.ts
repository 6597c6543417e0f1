/** Looks up what the tool calls of a step name: the memories, agents and hives that the decision needs to know. */
import { toldOf } from '../../../src/domain/run/hand-off.js';
import { hash } from 'node:crypto';
import { asksModel, usualRecallTokens } from '../../../src/domain/agent/agent-config.js';
import { bytesOfToken } from '../../../src/domain/run/conversation.js';
import { type A2aPeer, nameAtServer, toolNamed } from '../../../src/domain/agent/agent-tools.js';
import { bounds, external, type ResolvedCall } from '../../../src/domain/agent/agent-state.js';
import { firstBytes } from '../../../src/domain/shared/bounded.js';
import { wordingOf } from '../../../src/domain/memory/identities.js';
import type { ToolCall, ToolOutcome } from '../../../src/domain/model/model.js';
import { askedIn, saidToPeer } from '../../../src/domain/mailbox/peers.js';
import { toldAnew } from '../../../src/domain/run/tools.js';
import { type Owned, allows, isSameSubject, mayRecall, maySee } from '../../../src/domain/shared/caller.js';
import { allOf, finish, wait, type Waiting } from '../../../src/maybe-promise.js';
import type { RecallHit } from '../../../src/memory/port.js';
import { idNamed } from '../../../src/reasoner/memory-lines.js';
import type { ProposedCall, RecalledMemory } from '../../../src/reasoner/port.js';
import type { EntityRef } from '../../../src/store/port.js';
import { documentOf, turnIn } from '../recall-indexes.js';
import type { EntityDeps } from '../deps.js';
import { type FullInput, powersOfStep, searchForStep, spacesOf, type StepInput } from './step-recall.js';

/** A call with what it names; a name that means nothing, or more than one thing, is a problem of the call. */
export function* resolveCall(
  deps: EntityDeps,
  input: FullInput,
  call: ProposedCall,
  given: readonly RecalledMemory[],
): Waiting<ResolvedCall> {
  if (call.refused !== undefined) return unresolved(call);
  const args = call.arguments;
  switch (call.tool) {
    case 'recall':
      return {
        ...call,
        tool: 'recall',
        found: textsOf(yield* searchForStep(deps, input, args['query'] ?? '', 10, 0.1), input),
      };
    case 'send_message':
      return { ...call, tool: 'send_message', ...(yield* resolveAgent(deps, input, (args['to'] ?? '').trim())) };
    case 'ask_agent': {
      const found = yield* resolveAgent(deps, input, (args['agent'] ?? '').trim());
      return { ...call, tool: 'ask_agent', ...found, session: sessionBetween(input, args['session']) };
    }
    case 'hand_off': {
      const found = yield* resolveAgent(deps, input, (args['agent'] ?? '').trim());
      const { agent, live, turns } = input;
      return {
        ...call,
        tool: 'hand_off',
        ...found,
        ...toldOf(agent, live.record, { turns, reason: args['reason'] ?? '' }),
      };
    }
    case 'share_with_hive':
      return resolveHive(input, call, args['hive_id']);
    case 'update_memory':
    case 'forget':
      return yield* resolveMemory(deps, input, withId({ ...call, tool: call.tool }, given), given);
    case 'block_replace':
    case 'block_append':
      return (input.messages.length === 0 ? call : { ...call, refused: readsMail }) as ResolvedCall;
    case 'remember':
    case 'spawn_agent':
    case 'answer':
    case 'ask_human':
      return call as ResolvedCall;
    case 'use_tool':
      return resolveTool(deps, input, call);
    default:
      return call.tool satisfies never;
  }
}

/** Blocks.K2. */
const readsMail = 'no block is changed in a step that reads mail';

/** A call that is not made names nothing. */
const unresolved = (call: ProposedCall): ResolvedCall => ({ ...call, id: null, to: null, hive: null, problem: null });

/** With what the tool's server says of it now (AgentTools.T3), or the conversation with a peer. */
function resolveTool({ mcp }: EntityDeps, input: FullInput, call: ToolCall): ResolvedCall {
  const { agent } = input;
  const { name = '' } = call.arguments;
  const tool = toolNamed(agent.config, name);
  if (tool?.kind === 'a2a') return resolvePeer(input, tool, call);
  const claimed = tool?.kind === 'mcp' ? mcp.claims(tool, nameAtServer(name)) : undefined;
  return { ...call, tool: 'use_tool', ...(claimed && { claimed }) };
}

/**
 * A message answers a task of the peer only where that was told in this conversation: what others have asked it is
 * theirs.
 */
function resolvePeer(input: FullInput, { name }: A2aPeer, call: ToolCall): ResolvedCall {
  const { entity, live, turns } = input;
  const id = hash('sha256', `${entity.id}\0${live.record.sessionId}\0${name}`);
  const context = [id.slice(0, 8), id.slice(8, 12), `8${id.slice(13, 16)}`, `a${id.slice(17, 20)}`, id.slice(20, 32)];
  const { task } = saidToPeer(call);
  const told = [...live.transcript.flat(), ...turns.flatMap(({ results }) => results ?? [])];
  const isKnown = ({ arguments: given, result }: ToolOutcome): boolean =>
    given['name'] === name && result.startsWith(askedIn(task ?? ''));
  const refused = task === undefined || told.some(isKnown) ? undefined : `it has asked nothing here in a task ${task}`;
  return { ...call, tool: 'use_tool', context: context.join('-'), ...(refused !== undefined && { refused }) };
}

/** The result of a recall for the reasoner: the best memories first, as many as fit. */
function textsOf(found: readonly RecalledMemory[], { agent: { config } }: StepInput): { id: string; text: string }[] {
  const most = bytesOfToken * (config.memory?.recall_tokens ?? usualRecallTokens);
  let left: number = asksModel(config) ? Math.min(most, bounds.recallBytes) : bounds.recallBytes;
  const texts: { id: string; text: string }[] = [];
  for (const { id, content, relevance, at } of found) {
    const said = `${at ? `${at}, ` : ''}relevance ${relevance.toFixed(2)}`;
    const kept = firstBytes(content, left);
    if (kept.length > 0)
      texts.push({ id, text: kept === content ? `${content} (${said})` : `${kept} (cut short; ${said})` });
    left -= Buffer.byteLength(kept);
  }
  return texts;
}

/** Finds an agent by its id, or by a name that only one agent of the workspace has. */
function* resolveAgent(deps: EntityDeps, { entity }: StepInput, to: string): Waiting<FoundAgent> {
  const { workspace } = entity;
  const found = (id: string, name: string): FoundAgent => ({ to: { id, name }, problem: null });
  const missing = (problem: string): FoundAgent => ({ to: null, problem });
  if (to === external) return missing(`"${external}" is a client and has no mailbox`);
  const head = yield* wait(deps.store.head({ workspace, kind: 'agent', id: to }));
  if (head && !head.deleted) return found(to, String(head.snapshot['name']));
  const named = deps.store.list({ workspace, collection: 'agent', list: 'name', by: to, order: 'asc', limit: 2 });
  const [one, two] = (yield* wait(named)).items;
  if (!one) return missing(`there is no agent "${to}"`);
  return two ? missing(`more than one agent is called "${to}"; use its id`) : found(one.id, to);
}

interface FoundAgent {
  to: { id: string; name: string } | null;
  problem: string | null;
}

/**
 * The conversation of the run's session with another agent, or one of several that the model has given names. It is of
 * this session alone, so that what one client or subject has asked is no part of another's.
 */
const sessionBetween = ({ entity, live }: StepInput, named = ''): string =>
  `${entity.id}~${hash('sha256', `${live.record.sessionId}\0${named}`).slice(0, 32)}`;

type Naming = Extract<ResolvedCall, { tool: 'update_memory' | 'forget' }>;

/** The call with the id of the memory in place of the short name that the prompt has for it. */
function withId<C extends ToolCall>(call: C, given: readonly RecalledMemory[]): C {
  const name = (call.arguments['memory'] ?? '').trim();
  const id = idNamed(name, given);
  return id === name ? call : { ...call, arguments: { ...call.arguments, memory: id } };
}

const idOfTurn = /^run_\w+\.(?:input|message\d+)$/;

/**
 * Finds a memory of the agent, or a turn of a client, by its id or by what it says. `given` are the memories that the
 * step was given.
 */
function* resolveMemory(
  deps: EntityDeps,
  input: FullInput,
  call: ToolCall & { tool: Naming['tool'] },
  given: readonly RecalledMemory[],
): Waiting<ResolvedCall> {
  const reference = (call.arguments['memory'] ?? '').trim();
  const resolved = (id: string | null, problem: string | null, read: Read = {}): ResolvedCall => ({
    ...call,
    id,
    problem,
    ...(read.seen !== undefined && { seen: read.seen }),
    ...(read.says !== undefined && { says: read.says }),
  });
  if (idOfTurn.test(reference)) return resolved(reference, null);
  if (/^mem_\S+$/.test(reference)) return resolved(reference, null, yield* readById(deps, input, reference, given));
  const wanted = wordingOf(reference);
  if (!allows(powersOfStep(input), 'memory:read') || reference === '') return resolved(null, 'no memory is named');
  const query = { query: reference.slice(0, 4000), spaces: spacesOf(input), limit: mostOfWording, minRelevance: 0 };
  const found = yield* wait(deps.recall.search({ ...query, now: deps.clock.now() }));
  const read = (yield* wait(allOf(found.map((hit) => finish(wordsOf(deps, hit)))))).filter(
    (one) => one !== undefined && wordingOf(one.text) === wanted && maySay(input, one),
  ) as Worded[];
  const own = read.filter(isOwn(input));
  const others = read.filter((one) => !own.includes(one));
  const [first, ...also] = own.map(({ id, seen }) => ({ id, ...(seen !== undefined && { seen }) }));
  const remains = [
    ...others.map(({ id, space }) =>
      space.kind === 'hive' ? `${id} of ${space.id}` : `${id}, which is for everybody`,
    ),
    ...(read.length === mostOfWording ? ['perhaps more of the same'] : []),
  ].join('; ');
  if (!first)
    return resolved(
      null,
      remains === ''
        ? `the agent has no memory that says "${reference}"`
        : `what says "${reference}" cannot be changed here: ${remains}`,
    );
  return {
    ...resolved(first.id, null, first),
    ...(also.length > 0 && { also }),
    ...(remains !== '' && { remains }),
  };
}

/** At most so many memories of one wording are taken at once. */
const mostOfWording = 50;

/** Whether the run may know of what says it: what it may not is as if it were not there. */
const maySay = ({ live: { record } }: FullInput, { of }: Worded): boolean =>
  maySee(record, of) && mayRecall(record, of.sessionId ?? null);
/** Subjects.T3: what is in a hive, or for everybody, is read by a run of one subject and not changed. */
const isOwn =
  ({ entity, live: { record } }: FullInput) =>
  ({ space, of }: Worded): boolean =>
    space.id === entity.id && isSameSubject(record, of);

/** When a client had changed a memory last, as it was read, and how it begins. */
interface Read {
  seen?: string | undefined;
  says?: string;
}

const shownOfMemory = 300;

/**
 * A memory that is named by its id was read when the step began, if the step was given it; else when its run began, or
 * when an earlier step told what it says now (Memories.M1).
 */
function* readById(
  { store }: EntityDeps,
  { entity, live }: FullInput,
  id: string,
  given: readonly RecalledMemory[],
): Waiting<Read> {
  const known = given.find((memory) => memory.id === id);
  if (known) return { seen: known.patched_at, says: firstBytes(known.content, shownOfMemory) };
  const doc = yield* wait(store.get(entity, 'memory', id));
  if (!doc) return {};
  const { content, patched_at } = doc.body;
  const says = firstBytes(content, shownOfMemory);
  const isKnown =
    patched_at === undefined ||
    patched_at <= live.record.created_at ||
    live.transcript.flat().some(({ result }) => result.includes(toldAnew(content)));
  return isKnown ? { seen: patched_at, says } : { says };
}

/** What says something, and where. */
interface Worded {
  id: string;
  space: EntityRef;
  text: string;
  of: Owned & { sessionId?: string | null };
  seen: string | undefined;
}

/** What a memory, or a turn of a client, says. */
function* wordsOf({ store }: EntityDeps, { id, kind, space }: RecallHit): Waiting<Worded | undefined> {
  if (kind === 'message' || (kind === 'turn' && !idOfTurn.test(id))) return undefined;
  const doc = yield* wait(documentOf(store, { space, kind, id }));
  if (doc?.kind === 'run') {
    const text = turnIn(doc, id)?.content;
    return text === undefined ? undefined : { id, space, text, of: doc.body, seen: undefined };
  }
  return doc?.kind === 'memory'
    ? { id, space, text: doc.body.content, of: doc.body, seen: doc.body.patched_at }
    : undefined;
}

function resolveHive({ agent }: StepInput, call: ToolCall, wanted: string | undefined): ResolvedCall {
  const hive = wanted ?? (agent.hives.length === 1 ? agent.hives[0] : undefined);
  const belongs = hive !== undefined && agent.hives.includes(hive);
  const problem = belongs
    ? null
    : wanted !== undefined
      ? `the agent is not in hive ${wanted}`
      : agent.hives.length === 0
        ? 'the agent is in no hive'
        : `the agent is in ${agent.hives.length} hives; name one of ${agent.hives.slice(0, 5).join(', ')}`;
  return { ...call, tool: 'share_with_hive', hive: belongs ? hive : null, problem };
}
