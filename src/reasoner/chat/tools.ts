/** The reasoner's tools as a model is told of them, and the parser for calls of them. */
import type { ToolCall } from '../../domain/model.js';
import type { ToolName } from '../../domain/vocabulary.js';
import type { OwnTools } from './own-tools.js';
import { parsedJson, storable } from './storable.js';
import type { ChatTool } from './server.js';

interface Parameter {
  description: string;
  optional?: true;
}

const tools: Record<Exclude<ToolName, 'use_tool'>, { description: string; parameters: Record<string, Parameter> }> = {
  recall: {
    description:
      "Search your memory, your hives' shared memory and past messages. The result is there at your next step.",
    parameters: { query: { description: 'What to look for, in key words.' } },
  },
  remember: {
    description: 'Keep something in your long-term memory.',
    parameters: {
      content: { description: 'What to keep, understandable on its own.' },
      type: {
        description:
          'semantic (a fact, the default), episodic (something that happened) or procedural (how something is done).',
        optional: true,
      },
    },
  },
  update_memory: {
    description: 'Replace something in your long-term memory that has changed. The old text is kept as history.',
    parameters: {
      memory: { description: 'The id of the memory (mem_...), or what it says, word for word.' },
      content: { description: 'What holds now, understandable on its own.' },
    },
  },
  forget: {
    description: 'Delete something from your long-term memory for good.',
    parameters: { memory: { description: 'The id of the memory (mem_...), or what it says, word for word.' } },
  },
  send_message: {
    description: 'Send a message to the mailbox of another agent.',
    parameters: {
      to: { description: "The agent's id (agent_...) or its name." },
      content: { description: 'The message.' },
    },
  },
  share_with_hive: {
    description: 'Share knowledge with all agents of a hive that you are in.',
    parameters: {
      content: { description: 'What to share, understandable on its own.' },
      type: { description: 'semantic (the default), episodic or procedural.', optional: true },
      hive_id: { description: "The hive's id (hive_...); needed where you are in several.", optional: true },
    },
  },
  ask_human: {
    description: 'Ask a human, and wait for the answer. Ends this step.',
    parameters: { question: { description: 'The question.' } },
  },
  answer: {
    description: 'Give your final answer. Ends the run.',
    parameters: { content: { description: 'The answer.' } },
  },
};

export const toolDefinitions: readonly ChatTool[] = Object.entries(tools).map(
  ([name, { description, parameters }]) => ({
    type: 'function',
    function: {
      name,
      description,
      parameters: {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries(parameters).map(([key, p]) => [key, { type: 'string', description: p.description }]),
        ),
        required: Object.entries(parameters)
          .filter(([, p]) => !p.optional)
          .map(([key]) => key),
      },
    },
  }),
);

const isTool = (name: string): name is keyof typeof tools => Object.hasOwn(tools, name);

/**
 * Returns the parsed call, or a sentence that says what is wrong with it. Arguments may be JSON text or, as some
 * servers send them, an object.
 */
export function readCall(name: string, given: unknown, own?: OwnTools): ToolCall | string {
  const parsed = typeof given === 'string' ? parsedJson(given) : given;
  if (own?.has(name)) return own.read(name, parsed === undefined && given === '' ? {} : parsed);
  if (!isTool(name)) return `there is no tool "${name.slice(0, 64)}"`;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return `the arguments of ${name} are not a JSON object`;
  const out: Record<string, string> = {};
  for (const [key, { optional }] of Object.entries(tools[name].parameters)) {
    const value: unknown = Object.hasOwn(parsed, key) ? (parsed as Record<string, unknown>)[key] : undefined;
    const text =
      typeof value === 'string'
        ? storable(value)
        : typeof value === 'number' || typeof value === 'boolean'
          ? String(value)
          : '';
    if (text.trim() !== '') out[key] = text;
    else if (!optional) return `${name} needs "${key}", a text that is not empty`;
  }
  if ((name === 'remember' || name === 'share_with_hive') && out['type'] === undefined) out['type'] = 'semantic';
  return { tool: name, arguments: out };
}
