/** Agents (spec 2.1, 4.1; design, sections 6 and 11). */
import { messageInput, patchAgentInput, replaceAgentInput, spawnInput } from '../../src/domain/inputs.js';
import { list, read, remove, write, type Route } from './route.js';

export const agentRoutes: readonly Route[] = [
  write({
    operationId: 'spawnAgent', method: 'POST', path: '/v1/agents/spawn', scope: 'agent:spawn', summary: 'Create an agent.', result: 'Agent', tagged: true,
    body: spawnInput, status: 201,
    handle: (service, { caller, body }) => service.spawnAgent(caller, body),
    location: (agent) => `/v1/agents/${agent.id}`,
  }),
  list({
    operationId: 'listAgents', path: '/v1/agents', scope: 'agent:read', summary: 'List agents.', result: 'Agent',
    paging: { updates: true, offset: true },
    handle: (service, { caller, page }) => service.listAgents(caller, page),
  }),
  read({
    operationId: 'getAgent', path: '/v1/agents/:id', scope: 'agent:read', summary: 'Get an agent.', result: 'Agent', tagged: true,
    handle: (service, { caller, params }) => service.getAgent(caller, params.id),
  }),
  write({
    operationId: 'replaceAgent', method: 'PUT', path: '/v1/agents/:id', scope: 'agent:manage', summary: 'Replace the fields that are named, keep the others.', result: 'Agent', tagged: true, conditional: true,
    body: replaceAgentInput,
    handle: (service, { caller, params, body, onlyIf }) => service.replaceAgent(caller, params.id, body, onlyIf),
  }),
  write({
    operationId: 'patchAgent', method: 'PATCH', path: '/v1/agents/:id', scope: 'agent:manage', summary: 'Merge into an agent; null removes.', result: 'Agent', tagged: true, conditional: true,
    body: patchAgentInput,
    handle: (service, { caller, params, body, onlyIf }) => service.patchAgent(caller, params.id, body, onlyIf),
  }),
  remove({
    operationId: 'deleteAgent', path: '/v1/agents/:id', scope: 'agent:manage', summary: 'Delete an agent and everything of it, for good.',
    removes: 'id', revokes: true, audited: true, conditional: true,
    handle: (service, { caller, params, onlyIf }) => service.deleteAgent(caller, params.id, onlyIf),
  }),
  write({
    operationId: 'messageAgent', method: 'POST', path: '/v1/agents/:id/message', scope: 'agent:spawn', summary: 'Send a message and wait for the answer.', result: 'MessageReply',
    body: messageInput,
    handle: (service, { caller, params, body }) => service.messageAgent(caller, params.id, body),
  }),
];
