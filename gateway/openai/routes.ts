/**
 * Agents as models of any client of OpenAI (docs/api.md 4.5): chat completions, and the list of models.
 *
 *  - It needs what messaging an agent over REST needs: an API key with agent:spawn; listing needs agent:read.
 *  - A run that has failed is answered with a status that no client tries again, because that would say the same once
 *    more. Errors before there is a run have the statuses of docs/api.md 7.1.
 */
import { HivekeepError, invalid, notFound } from '../../src/domain/errors.js';
import { type Agent, isSettled, type Run } from '../../src/domain/model.js';
import { eventOfQuestion } from '../../src/domain/agent-state.js';
import type { Caller, RequestKey, Said, Service } from '../../src/service.js';
import { requireScope } from '../auth/scopes.js';
import type { CredentialWatch } from '../auth/credential-watch.js';
import { readBody } from '../http/body.js';
import type { BodyBudget } from '../http/body-budget.js';
import type { Endpoint } from '../http/endpoint.js';
import { statusOf, toHivekeepError } from '../http/error-envelope.js';
import { idempotencyKeyOf } from '../http/idempotency.js';
import { parseObject, requireJson, validate } from '../http/json.js';
import type { GatewayRequest, GatewayResponse } from '../http/prototypes.js';
import { jsonType, type Responder } from '../http/responder.js';
import type { Streams } from '../streams/port.js';
import { endingWith } from '../streams/while-valid.js';
import { type Asked, chunksOf, completionOf, settled } from './answer.js';
import { failureOf, openAiError, openAiRoot } from './errors.js';
import { historyOf, isAboutConversation, retold } from './history.js';
import { type ChatRequest, chatRequest, inItsWords, saidIn, sessionOf, subjectOf } from './request.js';
import { type Begun, goOn, refuseUnread, resultsIn } from './results.js';

export interface OpenAiDeps {
  service: Service;
  responder: Responder;
  streams: Streams;
  watch: CredentialWatch;
  bodyLimit: number;
  bodies: BodyBudget;
}

export const completionsPath = `${openAiRoot}v1/chat/completions`;
export const modelsPath = `${openAiRoot}v1/models`;

export function openAiRoutes(deps: OpenAiDeps): Endpoint[] {
  return [
    {
      path: completionsPath,
      method: 'POST',
      serve: (req, res) => {
        const caller = callerOf(req, 'agent:spawn');
        return complete(deps, req, res, caller);
      },
    },
    {
      path: modelsPath,
      method: 'GET',
      serve: async (req, res) => {
        const caller = callerOf(req, 'agent:read');
        deps.responder.json(req, res, 200, {
          object: 'list',
          data: (await activeAgents(deps.service, caller)).map(modelOf),
        });
      },
    },
  ];
}

const callerOf = (req: GatewayRequest, scope: 'agent:spawn' | 'agent:read'): Caller =>
  requireScope(req.exchange?.principal ?? null, scope);

const modelOf = (agent: Agent): object => ({
  id: agent.id,
  object: 'model',
  created: Math.floor(Date.parse(agent.created_at) / 1000),
  owned_by: 'hivekeep',
  name: agent.name,
});

/** Clients of OpenAI read one page. */
const mostModels = 1000;

async function activeAgents(service: Service, caller: Caller): Promise<Agent[]> {
  const agents: Agent[] = [];
  const page = { sort: 'created_at', order: 'desc', limit: 100 } as const;
  for (let found = await service.listAgents(caller, { status: 'active' }, page); ;) {
    agents.push(...found.items);
    if (found.next === null || agents.length >= mostModels) return agents;
    found = await service.listAgents(caller, { status: 'active' }, { ...page, after: found.next });
  }
}

/** The id of the agent that is meant by its id or its name. */
async function agentOf(service: Service, caller: Caller, model: string): Promise<string> {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(model))
    try {
      return (await service.getAgent(caller, model)).id;
    } catch (error) {
      if (!(error instanceof HivekeepError && error.code === 'NOT_FOUND')) throw error;
    }
  const { items } = await service.listAgents(caller, { name: model }, { sort: 'created_at', order: 'asc', limit: 100 });
  const [agent, other] = items.filter(({ name }) => name === model);
  if (!agent) throw notFound('agent', model.slice(0, 200));
  if (other) throw invalid({ path: 'model', message: 'must be an id: several agents have this name' });
  return agent.id;
}

async function isKnown(service: Service, caller: Caller, agent: string, session: string): Promise<boolean> {
  try {
    await service.listTurns(caller, agent, session, { sort: 'created_at', order: 'desc', limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof HivekeepError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

interface ChatMessage {
  request: ChatRequest;
  /** The session that the request names; null if it names none. */
  named: string | null;
  subject: string | undefined;
  /** What Open WebUI wants the answer for. */
  task: string | string[] | undefined;
}

/** Says to the agent what the request says: in the session that it names, or else in that of its history. */
async function say(
  service: Service,
  asker: Caller,
  agent: string,
  { request, named, subject, task }: ChatMessage,
  idempotencyKey: RequestKey | null,
): Promise<Begun> {
  const { messages } = request;
  const history = historyOf(messages);
  const said = saidIn(request, history, subject);
  const caller = idempotencyKey ? { ...asker, idempotencyKey } : asker;
  const place = isAboutConversation(request.metadata, task, history.said) ? { passing: true } : await placeOf();
  const { run, answers } = await service.converse(caller, agent, { ...said, ...place }).catch((error: unknown) => {
    throw inItsWords(error, request);
  });
  const replayed = idempotencyKey?.replayed === true;
  return answers === null || replayed
    ? { run, after: 0, replayed, completion: run.id, used: null }
    : { run, after: eventOfQuestion(answers), replayed, completion: `${answers}.answer`, used: run.usage };

  async function placeOf(): Promise<Pick<Said, 'sessionId' | 'earlier' | 'chain'>> {
    const known = named === null ? await found() : (await isKnown(service, asker, agent, named)) ? named : null;
    const earlier = known === null ? retold(messages, history.last) : [];
    const sessionId = named ?? known;
    return {
      ...(named === null && { chain: history.chain }),
      ...(sessionId !== null && { sessionId }),
      ...(earlier.length > 0 && { earlier }),
    };
  }

  async function found(): Promise<string | null> {
    return history.before && service.findConversation(asker, agent, { ...history.before, subject });
  }
}

async function complete(deps: OpenAiDeps, req: GatewayRequest, res: GatewayResponse, asker: Caller): Promise<void> {
  const { service, responder, streams } = deps;
  requireJson(req.headers);
  const bytes = await readBody(req, res, deps.bodyLimit, deps.bodies);
  const given = parseObject(bytes);
  const request = validate(chatRequest, given);
  const session = sessionOf(request, req.headers['x-hivekeep-session']);
  const subject = subjectOf(req.headers['x-hivekeep-subject']);
  const agent = await agentOf(service, asker, request.model);
  const results = resultsIn(request.messages);
  if (results && results.said !== null) await refuseUnread(service, asker, agent, results);
  const { run, after, ...begun } =
    results?.said === null
      ? await goOn(service, asker, agent, results, request, session, subject)
      : await say(
          service,
          asker,
          agent,
          { request, named: session?.id ?? null, subject, task: req.headers['x-openwebui-task'] },
          idempotencyKeyOf(req, asker, completionsPath, given),
        );
  const requestId = req.exchange?.id ?? 'req_';
  const asked: Asked = {
    id: begun.completion,
    model: request.model,
    requestId,
    includeUsage: request.stream_options?.include_usage === true,
    used: begun.used,
  };
  res.setHeader('X-Hivekeep-Session', encodeURIComponent(run.sessionId));
  if (begun.replayed) res.setHeader('Idempotent-Replayed', 'true');
  const now = (): Promise<Run> => service.getRun(asker, agent, run.id);
  if (request.stream === true) {
    const failed = (thrown: unknown): { data: object } => {
      const error = toHivekeepError(thrown);
      return { data: openAiError(error, statusOf[error.code], requestId) };
    };
    const events = await service.runUpdates(asker, agent, run.id, after);
    await streams.frames(req, res, chunksOf(run, events, now, asked), (frame) => frame, {
      failed,
      aged: () => failed(new HivekeepError('UNAVAILABLE', `the stream's time is up; run ${run.id} goes on`)),
    });
    return;
  }
  const ended = isSettled(run) ? run : await outcome(deps, req, res, asker, run, after, now);
  const failure = failureOf(ended, requestId);
  // of a response that was kept alive the status is 200 already, and the body says what went wrong
  if (failure) responder.json(req, res, res.headersSent ? 200 : 422, failure, { 'X-Should-Retry': 'false' });
  else responder.json(req, res, 200, completionOf(ended, asked));
}

/** The run once it has settled; waits for as long as the client does, and its key is valid. */
async function outcome(
  { service, watch, responder }: OpenAiDeps,
  req: GatewayRequest,
  res: GatewayResponse,
  caller: Caller,
  run: Run,
  after: number,
  now: () => Promise<Run>,
): Promise<Run> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  responder.keepAlive(req, res, 200, jsonType);
  return settled(
    endingWith(req, await service.runEvents(caller, run.agent_id, run.id, after, gone.signal), watch),
    now,
  );
}
