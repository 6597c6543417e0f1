/** Blocks of an agent, and its profiles (docs/api.md 2.17, 2.18, 13.11, 13.12). */
import { deleteBlock, getBlock, listBlocks, patchBlock, setBlock } from '../../src/commands/blocks.js';
import { ofBlock } from '../../src/domain/shared/inputs.js';
import { get, page, patch, put, read, removal, remove, type Route } from './route.js';

const ofProfile = ofBlock.subject.describe('Whose profile it is. Without it, that of nobody in particular.');
const all = '/v1/agents/:id/blocks';
const one = `${all}/:label` as const;

export const blockRoutes: readonly Route[] = [
  page(all, listBlocks),
  get(one, getBlock, { tagged: true }),
  put(one, setBlock, { tagged: true, conditional: true }),
  patch(one, patchBlock, { tagged: true, conditional: true }),
  remove(one, deleteBlock, { removes: 'label', conditional: true }),
  read({
    operationId: 'getProfile',
    path: '/v1/agents/:id/profile',
    scope: 'memory:read',
    summary: 'Get what an agent keeps in mind of a subject, and what says it.',
    result: 'Profile',
    filter: { subject: ofProfile },
    handle: (service, { caller, params, filter }) => service.getProfile(caller, params.id, filter),
  }),
  removal({
    operationId: 'rejectProfileEntry',
    path: '/v1/agents/:id/profile/:entryId',
    scope: 'memory:write',
    summary: 'Take an entry out of a profile, so that it does not come back from what says it now.',
    audited: true,
    filter: { subject: ofProfile },
    removes: 'entryId',
    handle: (service, { caller, params, filter }) =>
      service.rejectProfileEntry(caller, params.id, params.entryId, filter),
  }),
];
