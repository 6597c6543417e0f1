/** What can be asked of blocks, the texts that an agent is told at each step (docs/api.md 2.17, 13.11; memory/blocks.ts). */
import { removeBlock, type NamedBlock, changeBlock, putBlock as writeBlock } from '../domain/memory/blocks.js';
import type { Caller } from '../domain/shared/caller.js';
import { HivekeepError, notFound } from '../domain/shared/errors.js';
import { type BlockInput, blockInput, type BlockPatch, blockPatch, ofBlock } from '../domain/shared/inputs.js';
import type { Block } from '../domain/model/model.js';
import { isLarge } from '../domain/workspace/usage.js';
import { blockId, blocksIn, listOfBlocks } from './block-reads.js';
import type { z } from 'zod';
import { type Call, change, query, type Reading, takes } from './command.js';
import { agentRef, headOf } from './entities.js';
import { pageOf, type PageRequest } from './lists.js';

/** Whom the block is about stands beside its label. */
type About = { subject?: string | undefined };
type Accepts<T> = z.ZodType<T & About>;
const accepts = <T>(body: z.ZodType<T>): Accepts<T> => body as Accepts<T>;
type Named = Call<'id' | 'label', About>;

/** The same again changes nothing, so that a program may set its blocks whenever it starts. */
export const setBlock = change({
  name: 'setBlock',
  summary: 'Make a block of an agent, or replace what there is of its label.',
  scope: 'memory:write',
  result: 'Block',
  audit: 'block.updated',
  of: 'agent',
  target: ['id', 'label'],
  filter: ofBlock,
  input: accepts<BlockInput>(blockInput),
  adds: true,
  read: (reading, call) => named(reading, call),
  decide: (d, { caller, input }, found): Block => writeBlock(d, input, { ...found, onlyIf: caller.onlyIf }),
});

export const patchBlock = change({
  name: 'patchBlock',
  summary: 'Change fields of a block, or give it again what it said before.',
  scope: 'memory:write',
  result: 'Block',
  audit: 'block.updated',
  of: 'agent',
  target: ['id', 'label'],
  filter: ofBlock,
  input: accepts<BlockPatch>(blockPatch),
  adds: ({ input }) => isLarge(input),
  read: (reading, call) => named(reading, call),
  decide: (d, { caller, input }, found): Block => changeBlock(d, input, { ...found, onlyIf: caller.onlyIf }),
});

export const deleteBlock = change({
  name: 'deleteBlock',
  summary: 'Delete a block of an agent, with what it said before.',
  scope: 'memory:write',
  result: 'Deleted',
  audit: 'block.deleted',
  of: 'agent',
  target: ['id', 'label'],
  filter: ofBlock,
  takes: takes<About>(),
  read: (reading, call) => named(reading, call),
  decide(d, { caller }, found): void {
    removeBlock(d, { ...found, onlyIf: caller.onlyIf });
  },
});

export const getBlock = query({
  name: 'getBlock',
  summary: 'Get a block of an agent.',
  scope: 'memory:read',
  result: 'Block',
  target: ['id', 'label'],
  filter: ofBlock,
  async run(services, { caller, target: { id, label }, input: { subject } }: Named): Promise<Block> {
    const agent = agentRef(caller, id);
    await headOf(services, agent);
    const doc = await services.store.get(agent, 'block', blockId({ label, subject }));
    if (!doc) throw notFound('block', label);
    return doc.body;
  },
});

export const listBlocks = query({
  name: 'listBlocks',
  summary: 'List the blocks of an agent, optionally those of one subject.',
  scope: 'memory:read',
  result: 'Block',
  target: ['id'],
  filter: ofBlock,
  async run(services, { caller, target: { id }, input: { subject, page } }: Call<'id', About & { page: PageRequest }>) {
    const agent = agentRef(caller, id);
    const { snapshot } = await headOf(services, agent);
    const all = { workspace: agent.workspace, entity: agent, collection: 'block', list: 'made' } as const;
    return subject === undefined
      ? pageOf(services, all, page, snapshot.blocks ?? 0, ({ body }) => body)
      : pageOf(services, listOfBlocks(agent, { subject }), page, null, ({ body }) => body);
  },
});

/** With all blocks of the same subject, because there may only be so many. */
async function named(
  reading: Reading<'agent'>,
  { caller, target: { label }, input: { subject } }: Named,
): Promise<NamedBlock> {
  checkWrites(caller);
  const { items } = await reading.settled(() => blocksIn(reading.deps.store, reading.entity, { subject }));
  const of = { label, subject: subject ?? null };
  return { ...of, id: blockId(of), read: items.map(({ body }) => body) };
}

/** Who reaches only its own tasks may not direct the agent for others (Blocks.K2). */
function checkWrites({ ownTasks }: Caller): void {
  if (ownTasks)
    throw new HivekeepError('INSUFFICIENT_SCOPE', 'a token that reaches only its own tasks changes no blocks');
}
