/** Memories (docs/api.md 2.2, 4.1). */
import {
  createdFilter,
  memoryInput,
  memoryPatch,
  memoryType,
  metadataFilter,
  occurredFilter,
  searchInput,
  thoughtFilter,
} from '../../src/domain/inputs.js';
import { list, read, remove, search, write, type Route } from './route.js';

const { sessionId } = thoughtFilter;
/** Accepts any text: the format of an id is checked where it is looked up. */
const reference = sessionId;

export const memoryRoutes: readonly Route[] = [
  write({
    operationId: 'createMemory',
    method: 'POST',
    path: '/v1/memories',
    scope: 'memory:write',
    summary: 'Create a memory.',
    result: 'Memory',
    body: memoryInput,
    status: 201,
    handle: (service, { caller, body }) => service.createMemory(caller, body),
    location: (memory) => `/v1/memories/${memory.id}`,
  }),
  list({
    operationId: 'listMemories',
    path: '/v1/memories',
    scope: 'memory:read',
    summary: 'List memories.',
    result: 'Memory',
    paging: { updates: true, offset: true },
    filter: {
      agent_id: reference,
      hive_id: reference,
      type: memoryType,
      sessionId,
      source: reference,
      ...createdFilter,
      ...occurredFilter,
      metadata: metadataFilter,
    },
    handle: (service, { caller, filter, page }) => service.listMemories(caller, filter, page),
  }),
  search({
    operationId: 'searchMemories',
    path: '/v1/memories/search',
    scope: 'memory:read',
    summary: 'Find memories by what they say, best first.',
    result: 'FoundMemory',
    body: searchInput,
    handle: (service, { caller, body }) => service.searchMemories(caller, body),
  }),
  read({
    operationId: 'getMemory',
    path: '/v1/memories/:id',
    scope: 'memory:read',
    summary: 'Get a memory.',
    result: 'Memory',
    handle: (service, { caller, params }) => service.getMemory(caller, params.id),
  }),
  list({
    operationId: 'listMemoryHistory',
    path: '/v1/memories/:id/history',
    scope: 'memory:read',
    summary: 'List a memory with those that it replaced, and those that replaced it.',
    result: 'Memory',
    paging: { updates: false, offset: false },
    handle: (service, { caller, params, page }) => service.memoryHistory(caller, params.id, page),
  }),
  write({
    operationId: 'patchMemory',
    method: 'PATCH',
    path: '/v1/memories/:id',
    scope: 'memory:write',
    summary: 'Change a memory; null removes.',
    result: 'Memory',
    body: memoryPatch,
    handle: (service, { caller, params, body }) => service.patchMemory(caller, params.id, body),
  }),
  remove({
    operationId: 'deleteMemory',
    path: '/v1/memories/:id',
    scope: 'memory:write',
    summary: 'Delete a memory.',
    removes: 'id',
    handle: (service, { caller, params }) => service.deleteMemory(caller, params.id),
  }),
];
