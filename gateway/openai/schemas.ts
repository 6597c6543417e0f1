/** What is answered to clients of OpenAI, as the OpenAPI document has it; OpenAI specifies the rest. */
import { z } from 'zod';
import { chatRequest } from './request.js';
import { responseRequest } from './responses.js';

const about = z
  .looseObject({
    run_id: z.string().describe('The run that answers.'),
    session_id: z.string().describe('The session that it is part of.'),
    status: z.string().describe('`completed`, or `paused` if it waits.'),
    ignored: z.array(z.string()).optional().describe('Fields of the request that have no effect.'),
  })
  .describe('The run, with `waitingFor` as in a Run.');

export const openAiSchemas = {
  OpenAiChatRequest: chatRequest,
  OpenAiCompletion: z.looseObject({
    id: z.string().describe('The id of the run.'),
    object: z.literal('chat.completion'),
    choices: z.array(z.looseObject({})).describe('One choice: the answer, or what the run asks.'),
    usage: z.looseObject({}).describe('The tokens that model servers counted.'),
    hivekeep: about,
  }),
  OpenAiChunk: z.looseObject({
    id: z.string().optional().describe('The id of the run.'),
    choices: z.array(z.looseObject({})).optional().describe('One choice with a `delta`; none beside the usage.'),
    hivekeep: about.optional(),
  }),
  OpenAiResponseRequest: responseRequest,
  OpenAiResponse: z.looseObject({
    id: z.string().describe('The id of the response, which names the agent and the run.'),
    object: z.literal('response'),
    status: z.string().describe('`completed`, `incomplete`, `failed` or `in_progress`.'),
    output: z.array(z.looseObject({})).describe('The answer as a message, or the calls of functions.'),
    hivekeep: about,
  }),
  OpenAiEvent: z.looseObject({ type: z.string().describe('The kind of event, as OpenAI names it.') }),
  OpenAiModel: z.looseObject({ id: z.string().describe('The id of the agent.'), object: z.literal('model') }),
  OpenAiModels: z.object({
    object: z.literal('list'),
    data: z
      .array(z.looseObject({ id: z.string().describe('The id of the agent.'), object: z.literal('model') }))
      .describe('The active agents, the newest 1,000.'),
  }),
  OpenAiError: z.object({
    error: z
      .looseObject({
        message: z.string().describe('A human-readable message.'),
        type: z.string().describe('The kind of error, as OpenAI names it, or `run_failed`.'),
        param: z.string().nullable().describe('The field that is wrong, if it is one.'),
        code: z.string().describe('The code as in Error, or that of the failure of the run.'),
        request_id: z.string().describe('The id of the request, as in X-Request-Id.'),
      })
      .describe('The error.'),
  }),
};
