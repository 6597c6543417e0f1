/** Memories (docs/api.md 2.2, 4.1). */
import { memoryType } from '../../src/domain/input-fields.js';
import {
  createdFilter,
  memoryBatchInput,
  memoryInput,
  memoryPatch,
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
    wasThere: ({ times_seen }) => times_seen > 1,
    location: (memory) => `/v1/memories/${memory.id}`,
  }),
  write({
    operationId: 'createMemories',
    method: 'POST',
    path: '/v1/memories/batch',
    scope: 'memory:write',
    summary: 'Create up to 500 memories, with an outcome for each.',
    result: 'BatchResult',
    body: memoryBatchInput,
    handle: (service, { caller, body }) => service.createMemories(caller, body),
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
    summary: 'Search memories by content, best match first.',
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
    summary: 'List the history of a memory: what it replaced and what replaced it.',
    result: 'Memory',
    paging: { updates: false, offset: false },
    handle: (service, { caller, params, page }) => service.memoryHistory(caller, params.id, page),
  }),
  write({
    operationId: 'patchMemory',
    method: 'PATCH',
    path: '/v1/memories/:id',
    scope: 'memory:write',
    summary: 'Update a memory. Null removes a field.',
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
