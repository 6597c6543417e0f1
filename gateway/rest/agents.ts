/** Agents (docs/api.md 2.1, 4.1). */
import { deleteAgent, getAgent, listAgents, patchAgent, replaceAgent, spawnAgent } from '../../src/commands/agents.js';
import { messageInput, toolTryInput } from '../../src/domain/shared/inputs.js';
import { get, page, patch, post, put, remove, write, type Route } from './route.js';

const one = '/v1/agents/:id';

export const agentRoutes: readonly Route[] = [
  post('/v1/agents/spawn', spawnAgent, { status: 201, tagged: true, location: (agent) => `/v1/agents/${agent.id}` }),
  page('/v1/agents', listAgents, { updates: true, offset: true }),
  get(one, getAgent, { tagged: true }),
  put(one, replaceAgent, { tagged: true, conditional: true }),
  patch(one, patchAgent, { tagged: true, conditional: true }),
  remove(one, deleteAgent, { removes: 'id', revokes: true, conditional: true }),
  write({
    operationId: 'messageAgent',
    path: '/v1/agents/:id/message',
    scope: 'agent:spawn',
    summary: 'Send a message and wait for the answer.',
    audited: true, // it may answer a question
    result: 'MessageReply',
    body: messageInput,
    takesFiles: true,
    handle: (service, { caller, params, body, decided }) => service.messageAgent(caller, params.id, body, decided),
  }),
  write({
    operationId: 'tryTool',
    path: '/v1/agents/:id/tools/:toolName/try',
    scope: 'agent:manage',
    summary: 'Call a tool of an agent once, as a run would, and note it in the audit log.',
    result: 'ToolTry',
    audited: true,
    body: toolTryInput,
    handle: (service, { caller, params, body }) => service.tryTool(caller, params.id, params.toolName, body),
  }),
];
