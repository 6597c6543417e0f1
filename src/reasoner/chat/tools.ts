/** The reasoner's tools as a model is told of them, and the parser for calls of them. */
import { mayAsk } from '../../domain/agent/agent-tools.js';
import type { ToolName } from '../../domain/shared/vocabulary.js';
import type { OwnTools } from './own-tools.js';
import type { ProposedCall, StepContext } from '../port.js';
import { parsedJson, storable, storableJson } from './storable.js';
import type { ChatTool } from './chat.js';

interface Parameter {
  description: string;
  optional?: true;
}

const typeOfMemory = 'semantic (a fact, the default), episodic (an event) or procedural (how something is done).';
const named = 'Its name in brackets (m-...) or id (mem_...), or what it says, word for word.';

const tools: Record<Exclude<ToolName, 'use_tool'>, { description: string; parameters: Record<string, Parameter> }> = {
  recall: {
    description: 'Search your memory and past conversations.',
    parameters: { query: { description: 'Key words.' } },
  },
  remember: {
    description: 'Keep something in your memory.',
    parameters: {
      content: { description: 'Understandable on its own.' },
      type: { description: typeOfMemory, optional: true },
    },
  },
  update_memory: {
    description: 'Replace what has changed in your memory.',
    parameters: { memory: { description: named }, content: { description: 'What holds now.' } },
  },
  forget: {
    description: 'Delete from your memory for good.',
    parameters: { memory: { description: named } },
  },
  block_replace: {
    description: 'Change what one of your blocks says.',
    parameters: {
      label: { description: 'The label of the block.' },
      old: { description: 'A passage of it, word for word, that stands there once.' },
      new: { description: 'What is to stand there instead; nothing if left out.', optional: true },
    },
  },
  block_append: {
    description: 'Add a line to one of your blocks.',
    parameters: { label: { description: 'The label of the block.' }, text: { description: 'What to add.' } },
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
      type: { description: typeOfMemory, optional: true },
      hive_id: { description: "The hive's id (hive_...); needed where you are in several.", optional: true },
    },
  },
  ask_agent: {
    description: 'Ask another agent, and wait for the answer. Questions in one reply are asked side by side.',
    parameters: {
      agent: { description: "The agent's id (agent_...) or its name." },
      question: { description: 'Understandable on its own.' },
      session: { description: 'A name for a conversation with it, to have several.', optional: true },
      max_steps: { description: 'The most steps it may take.', optional: true },
    },
  },
  hand_off: {
    description:
      'Hand this conversation over to another agent: its answer is yours, and what is said next goes to it. To the agent that handed it to you, it gives it back. Ends this step.',
    parameters: {
      agent: { description: "The agent's id (agent_...) or its name." },
      reason: { description: 'Why, and what it has to know beside what was said.' },
    },
  },
  spawn_agent: {
    description:
      'Make another agent for part of the work, and then ask it with ask_agent, by the id that this returns.',
    parameters: {
      name: { description: 'What it is called.' },
      instructions: { description: 'Its role and task.' },
      tools: { description: 'Names of your own tools that it may use, separated by commas.', optional: true },
      ttl: { description: 'How long it is there, such as 30m or 7d.', optional: true },
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

/**
 * The built-in tools that a model is told of: those that it can use, so that a small one is not told of what it does
 * not need. Mail is for agents that have others to write to, and humans are asked where somebody decides about what
 * the agent does; instructions that name a tool have it told, and so has `config.builtin_tools`.
 */
export function isTold(
  name: string,
  { agent, run, messages, humanInputs, withheld = [], blocks = [] }: StepContext,
): boolean {
  const { config, hives } = agent;
  if (withheld.some((tool) => tool === name)) return false;
  if (name === 'answer') return config.output_schema !== undefined;
  if (name === 'spawn_agent') return config.spawn !== undefined;
  if (name.startsWith('block_') && !blocks.some(({ mayChange }) => mayChange)) return false;
  if (config.builtin_tools) return config.builtin_tools.some((tool) => tool === name);
  if (config.instructions?.includes(name)) return true;
  switch (name) {
    case 'send_message':
      return agent.wakes === true || hives.length > 0 || messages.length > 0 || run.triggeredBy === 'message';
    case 'ask_agent':
    case 'hand_off':
      return false;
    case 'share_with_hive':
      return hives.length > 0;
    case 'ask_human':
      return (
        humanInputs.length > 0 ||
        (config.validation_gate ?? 'none') !== 'none' ||
        config.tools?.some(mayAsk) === true ||
        /\bhumans?\b/i.test(config.instructions ?? '')
      );
    default:
      return true;
  }
}

const keeping: ReadonlySet<string> = new Set(['remember', 'update_memory', 'forget', 'block_replace', 'block_append']);
/** Whether a call of it only keeps or drops something in memory, so that what is said beside it is the answer. */
export const onlyKeeps = (name: string): boolean => keeping.has(name);

const isTool = (name: string): name is keyof typeof tools => Object.hasOwn(tools, name);

/** Some models call tools by the name of their namespace, too. */
const nameOf = (name: string, own?: OwnTools): string => {
  const bare = name.replace(/^(?:functions|default_api)\./, '');
  return own?.has(name) || isTool(name) ? name : bare;
};

/** Arguments may be JSON text, JSON text of JSON text, nothing at all, or, as some servers send them, an object. */
function argumentsIn(given: unknown): unknown {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'string') return given;
  if (given.trim() === '') return {};
  const parsed = parsedJson(given);
  if (parsed === null) return {};
  return typeof parsed === 'string' ? (parsedJson(parsed) ?? parsed) : parsed;
}

/**
 * The call as the agent is to make it. One that cannot be made says why, and is then an outcome like any other, so that
 * the model sees it.
 */
export function readCall(called: string, given: unknown, own?: OwnTools): ProposedCall {
  const name = nameOf(called, own);
  const parsed = argumentsIn(given);
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  const asTool = (refused: string): ProposedCall => ({
    tool: 'use_tool',
    arguments: {
      name: storable(name).slice(0, 64),
      input: isObject ? JSON.stringify(storableJson(parsed) ?? {}) : '{}',
    },
    refused,
  });
  if (own?.has(name)) {
    const call = own.read(name, parsed);
    if (typeof call !== 'string') return call;
    const { arguments: made, ...rest } = asTool(call);
    return { ...rest, arguments: { ...made, name: own.nameOf(name) } };
  }
  if (!isTool(name)) return asTool(`there is no tool "${storable(name).slice(0, 64)}"`);
  const out: Record<string, string> = {};
  const refused = (problem: string): ProposedCall => ({ tool: name, arguments: out, refused: problem });
  if (!isObject) return refused(`the arguments of ${name} are not a JSON object`);
  for (const [key, { optional }] of Object.entries(tools[name].parameters)) {
    const value: unknown = Object.hasOwn(parsed, key) ? (parsed as Record<string, unknown>)[key] : undefined;
    const text =
      typeof value === 'string'
        ? storable(value)
        : typeof value === 'number' || typeof value === 'boolean'
          ? String(value)
          : '';
    if (text.trim() !== '') out[key] = text;
    else if (!optional) return refused(`${name} needs "${key}", a text that is not empty`);
  }
  if ((name === 'remember' || name === 'share_with_hive') && out['type'] === undefined) out['type'] = 'semantic';
  return { tool: name, arguments: out };
}

/** Calls that a model has written into its text, because it was not made for tools: the whole text, and nothing else. */
export function callsInText(text: string, own?: OwnTools): { name: string; arguments: unknown }[] {
  const marked = [...text.matchAll(/<tool_call>\s*(.*?)\s*<\/tool_call>/gs)].map(([, call = '']) => call);
  const whole = text.trim();
  if (marked.length === 0 && !/^\{.*\}$/s.test(whole)) return [];
  const calls = (marked.length > 0 ? marked : [whole]).flatMap((one) => {
    const call = parsedJson(one) as Record<string, unknown> | null | undefined;
    const name = call?.['name'];
    const given = call?.['arguments'] ?? call?.['parameters'];
    const known = typeof name === 'string' && (isTool(name) || own?.has(name));
    return known && typeof given === 'object' ? [{ name, arguments: given }] : [];
  });
  return calls;
}
