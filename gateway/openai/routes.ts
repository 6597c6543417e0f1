/**
 * Agents as models of any client of OpenAI (docs/api.md 4.5): chat completions, responses, and the list of models.
 *
 *  - It needs what messaging an agent over REST needs: an API key with agent:spawn; listing needs agent:read.
 *  - A run that has failed is answered with a status that no client tries again, because that would say the same once
 *    more. Errors before there is a run have the statuses of docs/api.md 7.1.
 */
import { getAgent, listAgents } from '../../src/commands/agents.js';
import type { OnBusy } from '../../src/domain/shared/vocabulary.js';
import { listTurns } from '../../src/commands/sessions.js';
import { HivekeepError, invalid, type Issue, notFound } from '../../src/domain/shared/errors.js';
import { acceptedTypes } from '../../src/domain/run/conversation.js';
import { type Agent, isSettled, type Run, type RunUpdate } from '../../src/domain/model/model.js';
import type { ModelApi } from '../../src/config/model-servers.js';
import { eventOfQuestion } from '../../src/domain/agent/agent-state.js';
import type { After, Caller, RequestKey, Said, Service } from '../../src/service.js';
import { requireScope, withOrigin } from '../auth/bearer.js';
import type { CredentialWatch } from '../auth/credential-watch.js';
import { type BodyBudget, readBody } from '../http/body.js';
import type { Endpoint, GatewayRequest, GatewayResponse } from '../http/prototypes.js';
import { statusOf, toHivekeepError } from '../http/error-envelope.js';
import { requestKeyOf } from '../http/idempotency.js';
import { parseObject, requireJson, validate } from '../http/json.js';
import { jsonType, type Responder } from '../http/responder.js';
import type { SseFrame, Streams } from '../streams/port.js';
import { endingWith } from '../streams/while-valid.js';
import { type AnswerTerms, chunksOf, completionOf, settled } from './answer.js';
import { runFailure, openAiError, openAiRoot } from './errors.js';
import { historyIn, isAboutConversation, retold } from './history.js';
import { chatFields, ignoredOf, responseFields } from './ignored.js';
import { filesIn } from './parts.js';
import {
  type ChatRequest,
  chatRequest,
  inItsWords,
  type NamedSession,
  saidInRequest,
  namedSession,
  subjectOf,
  onBusyHeader,
} from './request.js';
import { type AskedResponse, responseEvents, responseOf } from './response-answer.js';
import {
  asChat,
  inResponseWords,
  responseId,
  type ResponseRequest,
  type OfResponse,
  responseRequest,
  runOfResponse,
} from './responses.js';
import { type Begun, goOn, refuseUnread, resultsIn } from './results.js';
import { getRun } from '../../src/commands/runs.js';

export interface OpenAiDeps {
  service: Service;
  responder: Responder;
  streams: Streams;
  watch: CredentialWatch;
  bodyLimit: number;
  bodies: BodyBudget;
  /** The client's address. */
  addressOf: (req: GatewayRequest) => string;
  /** The APIs of the model servers, by name. */
  modelApis: ReadonlyMap<string, ModelApi>;
}

export const completionsPath = `${openAiRoot}v1/chat/completions`;
export const modelsPath = `${openAiRoot}v1/models`;
export const responsesPath = `${openAiRoot}v1/responses`;

export function openAiRoutes(deps: OpenAiDeps): Endpoint[] {
  return [
    {
      path: completionsPath,
      method: 'POST',
      serve: (req, res) => {
        const caller = withOrigin(callerOf(req, 'agent:spawn'), req, deps.addressOf);
        return complete(deps, req, res, caller);
      },
    },
    {
      path: responsesPath,
      method: 'POST',
      serve: (req, res) => respond(deps, req, res, withOrigin(callerOf(req, 'agent:spawn'), req, deps.addressOf)),
    },
    {
      path: `${responsesPath}/compact`,
      method: 'POST',
      serve: () => {
        throw new HivekeepError('NOT_FOUND', 'nothing is compacted: an agent is told what fits of its conversation');
      },
    },
    {
      path: `${responsesPath}/:id`,
      method: 'GET',
      serve: (req, res) => retrieve(deps, req, res, callerOf(req, 'agent:read')),
    },
    {
      path: `${modelsPath}/:id`,
      method: 'GET',
      serve: async (req, res) => {
        const caller = callerOf(req, 'agent:read');
        deps.responder.json(req, res, 200, modelOf(await agentOf(deps.service, caller, req.params['id'] ?? '')));
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
  for (let found = await service.execute(caller, listAgents, {}, { status: 'active', page }); ;) {
    agents.push(...found.items);
    if (found.next === null || agents.length >= mostModels) return agents;
    found = await service.execute(caller, listAgents, {}, { status: 'active', page: { ...page, after: found.next } });
  }
}

/** The agent that is meant by its id or its name. */
async function agentOf(service: Service, caller: Caller, model: string): Promise<Agent> {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(model))
    try {
      return await service.execute(caller, getAgent, { id: model }, {});
    } catch (error) {
      if (!(error instanceof HivekeepError && error.code === 'NOT_FOUND')) throw error;
    }
  const { items } = await service.execute(
    caller,
    listAgents,
    {},
    { name: model, page: { sort: 'created_at', order: 'asc', limit: 100 } },
  );
  const [agent, other] = items.filter(({ name }) => name === model);
  if (!agent) throw notFound('agent', model.slice(0, 200));
  if (other) throw invalid({ path: 'model', message: 'must be an id: several agents have this name' });
  return agent;
}

async function isKnown(service: Service, caller: Caller, agent: string, session: string): Promise<boolean> {
  try {
    await service.execute(
      caller,
      listTurns,
      { id: agent, sessionId: session },
      { page: { sort: 'created_at', order: 'desc', limit: 1 } },
    );
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
  /** The run after which it is said, if the request names one. */
  after: After | null;
  subject: string | undefined;
  /** What becomes of it where its session is busy. */
  onBusy: OnBusy | undefined;
  /** What Open WebUI wants the answer for. */
  task: string | string[] | undefined;
}

/** Says to the agent what the request says: in the session that it names, or else in that of its history. */
async function say(
  service: Service,
  asker: Caller,
  { id: agent, config }: Agent,
  { request, named, after, subject, onBusy, task }: ChatMessage,
  idempotencyKey: RequestKey | null,
): Promise<Begun> {
  const { messages } = request;
  const history = await historyIn(messages);
  const { files, paths } = filesIn(messages, history.last, acceptedTypes(config));
  const said = { ...saidInRequest(request, history, subject, files), on_busy: onBusy };
  const caller = idempotencyKey ? { ...asker, idempotencyKey } : asker;
  const place = isAboutConversation(request.metadata, task, history.said) ? { passing: true } : await placeOf();
  const { run, answers } = await service.converse(caller, agent, { ...said, ...place }).catch((error: unknown) => {
    throw inItsWords(error, request, paths);
  });
  const replayed = idempotencyKey?.replayed === true;
  return answers === null || replayed
    ? { run, after: 0, replayed, completion: run.id, used: null }
    : { run, after: eventOfQuestion(answers), replayed, completion: `${answers}.answer`, used: run.usage };

  async function placeOf(): Promise<Pick<Said, 'sessionId' | 'earlier' | 'chain' | 'after'>> {
    if (after) return { after };
    if (named !== null) return { sessionId: named, ...((await isKnown(service, asker, agent, named)) ? {} : told()) };
    const found = history.before && (await service.findConversation(asker, agent, { ...history.before, subject }));
    return { chain: history.chain, ...told(), ...(found && { after: found }) };
  }

  function told(): Pick<Said, 'earlier'> {
    const earlier = retold(messages, history.last);
    return earlier.length > 0 ? { earlier } : {};
  }
}

/** What both kinds of requests have. */
interface Answering {
  request: ChatRequest;
  named: NamedSession | null;
  after: OfResponse | null;
  path: string;
  /** The body of the request. */
  given: object;
}

/** Begins what the request asks for, or has the run go on that it is for. */
async function begin(
  { service }: OpenAiDeps,
  req: GatewayRequest,
  res: GatewayResponse,
  asker: Caller,
  { request, named, after, path, given }: Answering,
): Promise<Begun & { agent: Agent }> {
  const subject = subjectOf(req.headers['x-hivekeep-subject']);
  const onBusy = onBusyHeader(req.headers['x-hivekeep-on-busy']);
  const agent = await agentOf(service, asker, request.model);
  if (after && after.agent !== agent.id)
    throw invalid({ path: 'previous_response_id', message: 'must be the id of a response of this agent' });
  const results = resultsIn(request.messages);
  if (results && results.said !== null) await refuseUnread(service, asker, agent.id, results);
  const begun =
    results?.said === null
      ? await goOn(service, asker, agent.id, results, request, named, subject)
      : await say(
          service,
          asker,
          agent,
          { request, named: named?.id ?? null, after, subject, onBusy, task: req.headers['x-openwebui-task'] },
          requestKeyOf(req, asker, path, given),
        );
  res.setHeader('X-Hivekeep-Session', encodeURIComponent(begun.run.sessionId));
  if (begun.replayed) res.setHeader('Idempotent-Replayed', 'true');
  return { ...begun, agent };
}

async function complete(deps: OpenAiDeps, req: GatewayRequest, res: GatewayResponse, asker: Caller): Promise<void> {
  const { responder } = deps;
  requireJson(req.headers);
  const bytes = await readBody(req, res, deps.bodyLimit, deps.bodies);
  const given = parseObject(bytes);
  const request = validate(chatRequest, given);
  const named = namedSession(request, req.headers['x-hivekeep-session']);
  const begun = await begin(deps, req, res, asker, { request, named, after: null, path: completionsPath, given });
  const asked: AnswerTerms = {
    id: begun.completion,
    model: request.model,
    requestId: req.exchange?.id ?? 'req_',
    includeUsage: request.stream_options?.include_usage === true,
    used: begun.used,
    ignored: ignoredOf(request, begun.agent, chatFields, deps.modelApis),
  };
  if (request.stream === true) {
    const failed = failedBy(asked);
    await stream(deps, req, res, asker, begun, failed, (events, now) => chunksOf(begun.run, events, now, asked));
    return;
  }
  const run = await settledRun(deps, req, res, asker, begun);
  const failure = runFailure(run, asked.requestId);
  // of a response that was kept alive the status is 200 already, and the body says what went wrong
  if (failure) responder.json(req, res, res.headersSent ? 200 : 422, failure, { 'X-Should-Retry': 'false' });
  else responder.json(req, res, 200, completionOf(run, asked));
}

async function respond(deps: OpenAiDeps, req: GatewayRequest, res: GatewayResponse, asker: Caller): Promise<void> {
  const { responder } = deps;
  requireJson(req.headers);
  const bytes = await readBody(req, res, deps.bodyLimit, deps.bodies);
  const given = parseObject(bytes);
  const request = validate(responseRequest, given);
  const begun = await beginResponse(deps, req, res, asker, request, given);
  const asked: AskedResponse = {
    id: responseId(begun.agent.id, begun.completion),
    model: request.model,
    requestId: req.exchange?.id ?? 'req_',
    includeUsage: true,
    used: begun.used,
    ignored: ignoredOf(request, begun.agent, responseFields, deps.modelApis),
    request,
  };
  if (request.stream === true) {
    const failed = (thrown: unknown): { event: string; data: object } => {
      const { code, message } = toHivekeepError(thrown);
      return { event: 'error', data: { type: 'error', code, message, param: null, sequence_number: 0 } };
    };
    await stream(deps, req, res, asker, begun, failed, (events, now) => responseEvents(begun.run, events, now, asked));
    return;
  }
  if (request.background === true) {
    responder.json(req, res, 200, responseOf(begun.run, asked));
    return;
  }
  const run = await settledRun(deps, req, res, asker, begun);
  const failure = runFailure(run, asked.requestId);
  // of a response that was kept alive the status is 200 already, and the body says what went wrong
  if (failure) responder.json(req, res, res.headersSent ? 200 : 422, failure, { 'X-Should-Retry': 'false' });
  else responder.json(req, res, 200, responseOf(run, asked));
}

async function beginResponse(
  deps: OpenAiDeps,
  req: GatewayRequest,
  res: GatewayResponse,
  asker: Caller,
  request: ResponseRequest,
  given: object,
): Promise<Begun & { agent: Agent }> {
  const chat = asChat(request);
  try {
    const header = req.headers['x-hivekeep-session'];
    const { previous_response_id: previous } = request;
    const after = previous ? runOfResponse(previous) : null;
    if (previous && !after) throw invalid({ path: 'previous_response_id', message: 'must be the id of a response' });
    const named = after ? await sessionAfter(deps, asker, after) : namedSession(chat, header);
    return await begin(deps, req, res, asker, { request: chat, named, after, path: responsesPath, given });
  } catch (thrown) {
    if (!(thrown instanceof HivekeepError)) throw thrown;
    const [issue] = (thrown.details['issues'] ?? []) as Issue[];
    if (!issue) throw thrown;
    const { message } = issue;
    const path = inResponseWords(issue.path);
    throw new HivekeepError(thrown.code, `${path}: ${message}`, { details: { issues: [{ path, message }] } });
  }
}

/** The session of the response after which a conversation goes on. */
async function sessionAfter(
  { service }: OpenAiDeps,
  caller: Caller,
  { agent, run: id }: OfResponse,
): Promise<NamedSession> {
  const run = await service.execute(caller, getRun, { id: agent, runId: id });
  return { path: 'previous_response_id', id: run.sessionId };
}

async function retrieve(deps: OpenAiDeps, req: GatewayRequest, res: GatewayResponse, caller: Caller): Promise<void> {
  const id = req.params['id'] ?? '';
  const named = runOfResponse(id);
  if (named === null) throw notFound('response', id.slice(0, 200));
  const run = await deps.service.execute(caller, getRun, { id: named.agent, runId: named.run });
  const requestId = req.exchange?.id ?? 'req_';
  const asked = { id, model: named.agent, requestId, includeUsage: true, used: null, ignored: [], request: null };
  deps.responder.json(req, res, 200, responseOf(run, asked));
}

const failedBy =
  ({ requestId }: AnswerTerms) =>
  (thrown: unknown): { data: object } => {
    const error = toHivekeepError(thrown);
    return { data: openAiError(error, statusOf[error.code], requestId) };
  };

/** Follows the run by the frames that `framesOf` makes of its events. */
async function stream(
  { service, streams }: OpenAiDeps,
  req: GatewayRequest,
  res: GatewayResponse,
  caller: Caller,
  { run, after }: Begun,
  failed: (thrown: unknown) => SseFrame,
  framesOf: (events: AsyncIterable<RunUpdate>, now: () => Promise<Run>) => AsyncIterable<SseFrame>,
): Promise<void> {
  const now = (): Promise<Run> => service.execute(caller, getRun, { id: run.agent_id, runId: run.id });
  const events = await service.runUpdates(caller, run.agent_id, run.id, after);
  await streams.frames(req, res, framesOf(events, now), (frame) => frame, {
    failed,
    aged: () => failed(new HivekeepError('UNAVAILABLE', `the stream's time is up; run ${run.id} goes on`)),
  });
}

/** The run once it has settled; waits for as long as the client does, and its key is valid. */
async function settledRun(
  { service, watch, responder }: OpenAiDeps,
  req: GatewayRequest,
  res: GatewayResponse,
  caller: Caller,
  { run, after }: Begun,
): Promise<Run> {
  if (isSettled(run)) return run;
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  responder.keepAlive(req, res, 200, jsonType);
  const events = await service.runEvents(caller, run.agent_id, run.id, after, gone.signal);
  return settled(endingWith(req, events, watch), () =>
    service.execute(caller, getRun, { id: run.agent_id, runId: run.id }),
  );
}
