/**
 * Blocks as decisions (docs/api.md 13.11): texts that a model is told at each step, which people, programs and the model
 * itself write. Each is a document of its agent; how many there are is in the agent's head, so that an agent without
 * blocks pays nothing for them.
 *
 *  Blocks.K1 A block is of one subject, or of nobody in particular, and its id says of which: a run is told those of its
 *     own subject and those of nobody in particular, and changes only those of its very subject (Subjects.T1, T3).
 *  Blocks.K2 What a model writes in a block directs the agent in other conversations, so it writes only where a client
 *     itself speaks, as with profiles: not for peers, other agents, guests, schedules and forks, not in a step that reads
 *     mail, and never in a block that is read-only or that is not there.
 *  Blocks.K3 A change is made of the block as it is then: of those that were decided on before and are not committed yet
 *     the agent's state knows the newest, whatever was read.
 */
import type { AgentDraft } from '../agent/agent-draft.js';
import { bounds, type ChangedBlocks, type ResolvedCall, type RunRecord } from '../agent/agent-state.js';
import { isSameSubject, speaksAsClient } from '../shared/caller.js';
import type { StoredBlock } from '../shared/documents.js';
import { conflict, HivekeepError, invalid, notFound } from '../shared/errors.js';
import { isTimeZone, limits } from '../shared/input-fields.js';
import type { BlockInput, BlockPatch } from '../shared/inputs.js';
import { sizeOf } from '../workspace/usage.js';

/** What a block said before is kept of its last few versions. */
const keptVersions = 3;
/** So many blocks are known from an activation's own changes; more are not decided on between a read and its decision. */
const mostChanged = 64;

/** Which block is meant, and all of the same subject that were read. */
export interface NamedBlock {
  id: string;
  label: string;
  subject: string | null;
  read: readonly StoredBlock[];
  /** The versions that it may have, where the change is conditional. */
  onlyIf?: readonly string[] | undefined;
}

/** Blocks.K3. */
const present = (d: AgentDraft, id: string, read: StoredBlock | null): StoredBlock | null => {
  const changed = d.blocks?.get(id);
  return changed === undefined ? read : changed;
};

function named(d: AgentDraft, { id, read, onlyIf }: NamedBlock): StoredBlock | null {
  const found = present(d, id, read.find((block) => block.id === id) ?? null);
  if (onlyIf && !(found && onlyIf.includes(found.updated_at)))
    throw new HivekeepError('PRECONDITION_FAILED', 'the block has changed since it was read: fetch it again');
  return found;
}

function existing(d: AgentDraft, name: NamedBlock): StoredBlock {
  const found = named(d, name);
  if (!found) throw notFound('block', name.label);
  return found;
}

/** Makes the block, or has it be as the input says; the same again changes nothing. */
export function putBlock(d: AgentDraft, input: BlockInput, name: NamedBlock): StoredBlock {
  const { id, label, subject, read } = name;
  const { value, description = '', limit = limits.usualBlockCharacters, read_only = false } = input;
  const before = named(d, name);
  if (before) return write(d, before, { value, description, limit, read_only }, 'client');
  const others = new Set(read.flatMap((one) => (present(d, one.id, one) ? [one.id] : [])));
  for (const one of d.blocks?.values() ?? []) if (one && isSameSubject(one, { subject })) others.add(one.id);
  if (others.size >= bounds.blocks)
    throw conflict(`an agent has at most ${bounds.blocks} blocks for one subject; delete one`);
  const made: StoredBlock = {
    ...{ id, agent_id: d.agent.id, subject, label, description, value, limit, read_only },
    ...{ version: 1, by: 'client', versions: [], created_at: d.time, updated_at: d.time },
  };
  checkValue(made);
  d.agent.blocks = (d.agent.blocks ?? 0) + 1;
  return keep(d, made, null);
}

export function changeBlock(d: AgentDraft, { restore, ...patch }: BlockPatch, name: NamedBlock): StoredBlock {
  const before = existing(d, name);
  if (restore === undefined) return write(d, before, patch, 'client');
  if (patch.value !== undefined)
    throw conflict('the request has a `value` and a version to `restore`: leave one of them out');
  const kept = before.versions.find(({ version }) => version === restore);
  if (!kept) {
    const known = before.versions.map(({ version }) => version).join(', ');
    throw conflict(`version ${restore} of the block is not kept: ${known === '' ? 'none is' : `kept are ${known}`}`);
  }
  return write(d, before, { ...patch, value: kept.value }, 'client');
}

export function removeBlock(d: AgentDraft, name: NamedBlock): void {
  const { id } = name;
  d.remove('block', id, sizeOf(existing(d, name)));
  const left = (d.agent.blocks ?? 1) - 1;
  if (left > 0) d.agent.blocks = left;
  else delete d.agent.blocks;
  note(d, id, null);
}

type Changes = { [F in 'value' | 'description' | 'limit' | 'read_only']?: StoredBlock[F] | undefined };

function write(d: AgentDraft, before: StoredBlock, changes: Changes, by: StoredBlock['by']): StoredBlock {
  const {
    value = before.value,
    description = before.description,
    limit = before.limit,
    read_only = before.read_only,
  } = changes;
  const after: StoredBlock = { ...before, value, description, limit, read_only };
  if (isSame(before, after)) return before;
  checkValue(after);
  if (value !== before.value) {
    const was = { version: before.version, value: before.value, by: before.by, at: before.updated_at };
    after.versions = [was, ...before.versions].slice(0, keptVersions);
  }
  return keep(d, { ...after, version: before.version + 1, by, updated_at: d.time }, before);
}

const isSame = (a: StoredBlock, b: StoredBlock): boolean =>
  a.value === b.value && a.description === b.description && a.limit === b.limit && a.read_only === b.read_only;

function keep(d: AgentDraft, block: StoredBlock, before: StoredBlock | null): StoredBlock {
  d.put('block', block.id, block, before === null, before ?? undefined);
  note(d, block.id, block);
  return block;
}

function note(d: AgentDraft, id: string, block: StoredBlock | null): void {
  const changed = new Map(d.blocks);
  changed.delete(id);
  changed.set(id, block);
  for (const oldest of changed.keys()) {
    if (changed.size <= mostChanged) break;
    changed.delete(oldest);
  }
  d.blocks = changed satisfies ChangedBlocks;
}

const charactersOf = (text: string): number => Array.from(text).length;

/** The block that says where its subject is. */
export const zoneLabel = 'timezone';
const noZone = 'must be a time zone of the IANA database, such as Europe/Berlin';
const isNoZone = (label: string, value: string): boolean => label === zoneLabel && value !== '' && !isTimeZone(value);

function checkValue({ label, value, limit }: StoredBlock): void {
  const length = charactersOf(value);
  if (length > limit) throw invalid({ path: 'value', message: tooLong(length, limit) });
  if (isNoZone(label, value)) throw invalid({ path: 'value', message: noZone });
}
const tooLong = (length: number, limit: number): string =>
  `must have at most ${limit} characters, the \`limit\` of the block, and has ${length}`;

/** The block as it was when a run began; null if it was not there. Older versions than are kept are told as they are. */
export function blockAt(block: StoredBlock, began: string): StoredBlock | null {
  if (block.created_at > began) return null;
  if (block.updated_at <= began) return block;
  const then = block.versions.find(({ at }) => at <= began);
  return then ? { ...block, value: then.value } : block;
}

/** Why the run's model may not write the block (Blocks.K1, Blocks.K2); null if it may. */
export function whyNotWritten(run: RunRecord, block: StoredBlock | null | undefined, label: string): string | null {
  if (!block) return `there is no block ${JSON.stringify(label)}`;
  if (!isSameSubject(run, block)) return `the block ${label} is for everybody, and cannot be changed for one of them`;
  if (block.read_only) return `the block ${label} is read-only`;
  if (!speaksAsClient(run)) return `the block ${label} can only be changed in a conversation with a client`;
  return null;
}

type Writing = Extract<ResolvedCall, { tool: 'block_replace' | 'block_append' }>;

/** What comes of a call of the model that writes a block; a problem is an outcome that it sees. */
export function writeFor(d: AgentDraft, run: RunRecord, call: Writing): { ok: boolean; result: string } {
  const { label = '', old = '', new: by = '', text = '' } = call.arguments;
  const block = call.block && present(d, call.block.id, call.block);
  const problem = whyNotWritten(run, block, label);
  if (!block || problem !== null) return { ok: false, result: problem ?? '' };
  let value: string;
  if (call.tool === 'block_append') value = block.value === '' ? text : `${block.value}\n${text}`;
  else {
    const parts = block.value.split(old);
    if (old === '' || parts.length !== 2)
      return {
        ok: false,
        result:
          parts.length < 2 || old === ''
            ? `the block does not say ${JSON.stringify(old)}; it says: ${block.value}`
            : `the block says ${JSON.stringify(old)} ${parts.length - 1} times: name more of what stands around it`,
      };
    value = parts.join(by);
  }
  const length = charactersOf(value);
  if (length > block.limit) return { ok: false, result: `the block ${tooLong(length, block.limit)}: shorten it first` };
  if (isNoZone(label, value)) return { ok: false, result: `the block ${noZone}` };
  write(d, block, { value }, 'model');
  return { ok: true, result: `the block ${label} says now: ${value}` };
}
