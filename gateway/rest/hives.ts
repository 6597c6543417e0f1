/** Hives: what agents share (spec 1; design, sections 6 and 11). */
import { hiveInput, joinInput, shareInput } from '../../src/domain/inputs.js';
import { list, read, remove, write, type Route } from './route.js';

export const hiveRoutes: readonly Route[] = [
  write({
    operationId: 'createHive', method: 'POST', path: '/v1/hives', scope: 'hive:write', summary: 'Create a hive.', result: 'Hive',
    body: hiveInput, status: 201,
    handle: (service, { caller, body }) => service.createHive(caller, body),
    location: (hive) => `/v1/hives/${hive.id}`,
  }),
  list({
    operationId: 'listHives', path: '/v1/hives', scope: 'hive:read', summary: 'List hives.', result: 'Hive',
    paging: { updates: true, offset: false },
    handle: (service, { caller, page }) => service.listHives(caller, page),
  }),
  read({
    operationId: 'getHive', path: '/v1/hives/:id', scope: 'hive:read', summary: 'Get a hive.', result: 'Hive',
    handle: (service, { caller, params }) => service.getHive(caller, params.id),
  }),
  remove({
    operationId: 'deleteHive', path: '/v1/hives/:id', scope: 'hive:write', summary: 'Delete a hive and what is shared in it.', removes: 'id',
    handle: (service, { caller, params }) => service.deleteHive(caller, params.id),
  }),
  list({
    operationId: 'listHiveAgents', path: '/v1/hives/:id/agents', scope: 'hive:read', summary: 'List the agents of a hive.', result: 'Agent',
    paging: { updates: false, offset: false },
    handle: (service, { caller, params, page }) => service.listMembers(caller, params.id, page),
  }),
  write({
    operationId: 'joinHive', method: 'POST', path: '/v1/hives/:id/agents', scope: 'hive:write', summary: 'Let an agent join a hive.', result: 'Agent',
    body: joinInput, status: 201,
    handle: (service, { caller, params, body }) => service.joinHive(caller, params.id, body.agent_id),
    location: (agent) => `/v1/agents/${agent.id}`,
  }),
  remove({
    operationId: 'leaveHive', path: '/v1/hives/:id/agents/:agentId', scope: 'hive:write', summary: 'Let an agent leave a hive.', removes: 'agentId',
    handle: (service, { caller, params }) => service.leaveHive(caller, params.id, params.agentId),
  }),
  list({
    operationId: 'listSharedMemories', path: '/v1/hives/:id/memories', scope: 'hive:read', summary: 'List what is shared in a hive.', result: 'Memory',
    paging: { updates: true, offset: false },
    handle: (service, { caller, params, page }) => service.listShared(caller, params.id, page),
  }),
  write({
    operationId: 'shareMemory', method: 'POST', path: '/v1/hives/:id/memories', scope: 'hive:write', summary: 'Share a memory, in the name of an agent of the hive.', result: 'Memory',
    body: shareInput, status: 201,
    handle: (service, { caller, params, body }) => service.shareMemory(caller, params.id, body),
    location: (memory) => `/v1/memories/${memory.id}`,
  }),
];
