/**
 * What the official conformance kit of MCP asks a server for: tools, resources and prompts of names and contents that
 * it knows. Added to an endpoint (server.ts, `Extend`), they go the way of all others.
 */
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  type GetPromptResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  isInputRequiredResult,
  ResourceTemplate,
  type ServerContext,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { runTools, stateBinding } from '../../gateway/mcp/run-tools.js';
import type { Extend } from '../../gateway/mcp/server.js';
import { isCreatedTask } from '../../gateway/mcp/tasks.js';
import { resultOf, type McpSession, type Tool } from '../../gateway/mcp/tool.js';

/** A PNG of one pixel, and a WAV without samples. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (told: string): CallToolResult => ({ content: [{ type: 'text', text: told }] });
const said = (told: string): GetPromptResult['messages'][number] => ({
  role: 'user',
  content: { type: 'text', text: told },
});
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 50);
  });

type Call = (
  request: ServerContext,
) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;

const contents: Record<string, Call> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [{ type: 'image', data: png, mimeType: 'image/png' }] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'An embedded resource.' },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: png, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      if (progress < 100) await pause();
    }
    return text('It has made its progress.');
  },
};

const person = z.object({ name: z.string() });
const ask = (message: string, requestedSchema: z.ZodObject): ReturnType<typeof inputRequired.elicit> =>
  inputRequired.elicit({ message, requestedSchema });
const think = (question: string, maxTokens: number): ReturnType<typeof inputRequired.createMessage> =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens,
  });

/** Tools that need something of the client before they answer. `sign` makes a state that the endpoint takes back. */
const questions = (sign: (step: string) => string): Record<string, Call> => ({
  test_input_required_result_elicitation({ mcpReq }) {
    const given = acceptedContent(mcpReq.inputResponses, 'user_name', person);
    if (given) return text(`Hello, ${given.name}!`);
    return inputRequired({ inputRequests: { user_name: ask('What is your name?', person) } });
  },
  test_input_required_result_sampling({ mcpReq }) {
    const given = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (given.kind === 'sampling') return text(JSON.stringify(given.result.content));
    return inputRequired({ inputRequests: { capital_question: think('What is the capital of France?', 100) } });
  },
  test_input_required_result_list_roots({ mcpReq }) {
    const given = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (given.kind === 'roots') return text(given.roots.map(({ uri }) => uri).join(', '));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: confirmed(sign),
  test_input_required_result_tampered_state: confirmed(sign),
  test_input_required_result_multiple_inputs({ mcpReq }) {
    const kinds = ['user_name', 'greeting', 'client_roots'].map(
      (key) => inputResponse(mcpReq.inputResponses, key).kind,
    );
    if (mcpReq.requestState() !== undefined && kinds.join() === 'elicit,sampling,roots') return text('All there.');
    return inputRequired({
      inputRequests: {
        user_name: ask('What is your name?', person),
        greeting: think('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: sign('several'),
    });
  },
  test_input_required_result_multi_round({ mcpReq }) {
    const step = mcpReq.requestState<string[]>()?.[0];
    const color = z.object({ color: z.string() });
    if (step === 'second' && acceptedContent(mcpReq.inputResponses, 'step2', color)) return text('Both told.');
    if (step === 'first' && acceptedContent(mcpReq.inputResponses, 'step1', person))
      return inputRequired({
        inputRequests: { step2: ask('Step 2: What is your favorite color?', color) },
        requestState: sign('second'),
      });
    return inputRequired({
      inputRequests: { step1: ask('Step 1: What is your name?', person) },
      requestState: sign('first'),
    });
  },
  test_missing_capability: () => inputRequired({ inputRequests: { greeting: think('Generate a greeting', 50) } }),
  async test_streaming_elicitation({ mcpReq }) {
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 0, progress: 1 } });
    return inputRequired({ inputRequests: { user_name: ask('What is your name?', person) } });
  },
  async test_tool_with_logging({ mcpReq }) {
    for (const told of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', told);
      await pause();
    }
    return text('Logged.');
  },
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'for whoever asked for logs');
    return text('Logged.');
  },
  test_input_required_result_capabilities({ mcpReq }) {
    const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
    const able = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Record<string, unknown>;
    const inputRequests = {
      ...(able['elicitation'] !== undefined && { name: ask('What is your name?', person) }),
      ...(able['sampling'] !== undefined && { greeting: think('Generate a greeting', 50) }),
      ...(able['roots'] !== undefined && { roots: inputRequired.listRoots() }),
    };
    return Object.keys(inputRequests).length === 0 ? text('Nothing to ask.') : inputRequired({ inputRequests });
  },
});

function confirmed(sign: (step: string) => string): Call {
  const confirmation = z.object({ ok: z.boolean() });
  return ({ mcpReq }) =>
    mcpReq.requestState() !== undefined && acceptedContent(mcpReq.inputResponses, 'confirm', confirmation)
      ? text('state-ok')
      : inputRequired({
          inputRequests: { confirm: ask('Please confirm', confirmation) },
          requestState: sign('confirm'),
        });
}

/** Tools whose work is a run of the agent (agent.ts), begun as `start_run` begins it. */
const works = (
  session: McpSession,
): Record<string, (given: Record<string, unknown>, request: ServerContext) => Begun> => {
  const { call, hasFailed } = runTools.find(({ name }) => name === 'start_run') as Tool;
  const begin = async (input: string, request: ServerContext): Begun => {
    const came = await call(
      { ...session, request, ask: () => Promise.resolve(), follows: () => Promise.resolve(), notes: [] },
      { input } as never,
      session.agent as never,
    );
    return isCreatedTask(came) || isInputRequiredResult(came)
      ? (came as unknown as CallToolResult)
      : resultOf(came, hasFailed?.(came));
  };
  return {
    greet: ({ name }) => Promise.resolve(text(`Hello, ${String(name)}!`)),
    slow_compute: ({ seconds }, request) => begin(`sleep ${String(seconds)}`, request),
    failing_job: (_, request) => begin('fail', request),
    confirm_delete: (_, request) => begin('ask', request),
    test_tool_with_task(_, request) {
      const given = acceptedContent(request.mcpReq.inputResponses, 'user_name', person);
      if (given) return begin(`greet ${given.name}`, request);
      return Promise.resolve(inputRequired({ inputRequests: { user_name: ask('What is your name?', person) } }));
    },
  };
};
type Begun = Promise<CallToolResult | InputRequiredResult>;

const description = 'For the conformance kit.';

export const kitFixture: Extend = (server, session) => {
  server.server.registerCapabilities({ logging: {} });
  const sign = (step: string): string => session.cursors.sign([step], stateBinding(session));
  for (const [name, call] of Object.entries({ ...contents, ...questions(sign) }))
    server.registerTool(name, { description, inputSchema: z.object({}) }, (_, request) => call(request));

  for (const [name, call] of Object.entries(works(session)))
    server.registerTool(name, { description, inputSchema: z.looseObject({}) }, call);

  const resource = (
    name: string,
    uri: string,
    mimeType: string,
    content: { text: string } | { blob: string },
  ): void => {
    server.registerResource(name, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, ...content }] }));
  };
  resource('static-text', 'test://static-text', 'text/plain', {
    text: 'This is the content of the static text resource.',
  });
  resource('static-binary', 'test://static-binary', 'image/png', { blob: png });
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );

  server.registerPrompt('test_simple_prompt', { description }, () => ({
    messages: [said('This is a simple prompt for testing.')],
  }));
  const argument = completable(z.string(), () => []);
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description, argsSchema: z.object({ arg1: argument, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        said('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: png, mimeType: 'image/png' } },
      said('Please analyze the image above.'),
    ],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description }, ({ mcpReq }) => {
    const wanted = z.object({ context: z.string() });
    const given = acceptedContent(mcpReq.inputResponses, 'user_context', wanted);
    if (given) return { messages: [said(`In the context of ${given.context}.`)] };
    return inputRequired({ inputRequests: { user_context: ask('What context should the prompt use?', wanted) } });
  });
};
