/** Hives: groups of agents that share memories (docs/api.md 1). */
import {
  createHive,
  deleteHive,
  getHive,
  joinHive,
  leaveHive,
  listHiveAgents,
  listHives,
  listSharedMemories,
  updateHive,
} from '../../src/commands/hives.js';
import { shareInput } from '../../src/domain/shared/inputs.js';
import { get, page, patch, post, remove, write, type Route } from './route.js';

const one = '/v1/hives/:id';
const agents = `${one}/agents` as const;
const memories = `${one}/memories` as const;

export const hiveRoutes: readonly Route[] = [
  post('/v1/hives', createHive, { status: 201, location: (hive) => `/v1/hives/${hive.id}` }),
  page('/v1/hives', listHives, { updates: true }),
  get(one, getHive),
  patch(one, updateHive),
  remove(one, deleteHive, { removes: 'id' }),
  page(agents, listHiveAgents),
  post(agents, joinHive, { status: 201, location: (agent) => `/v1/agents/${agent.id}` }),
  remove(`${agents}/:agentId`, leaveHive, { removes: 'agentId' }),
  page(memories, listSharedMemories, { updates: true }),
  write({
    operationId: 'shareMemory',
    path: memories,
    scope: 'hive:write',
    summary: 'Share a memory in a hive on behalf of a member agent.',
    audited: true,
    result: 'Memory',
    body: shareInput,
    status: 201,
    handle: (service, { caller, params, body }) => service.shareMemory(caller, params.id, body),
    wasThere: ({ times_seen }) => times_seen > 1,
    location: (memory) => `/v1/memories/${memory.id}`,
  }),
];
