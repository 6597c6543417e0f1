/** Blocks of an agent (docs/api.md 2.17, 13.11). */
import { deleteBlock, getBlock, listBlocks, patchBlock, setBlock } from '../../src/commands/blocks.js';
import { get, page, patch, put, remove, type Route } from './route.js';

const all = '/v1/agents/:id/blocks';
const one = `${all}/:label` as const;

export const blockRoutes: readonly Route[] = [
  page(all, listBlocks),
  get(one, getBlock, { tagged: true }),
  put(one, setBlock, { tagged: true, conditional: true }),
  patch(one, patchBlock, { tagged: true, conditional: true }),
  remove(one, deleteBlock, { removes: 'label', conditional: true }),
];
