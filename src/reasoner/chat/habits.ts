/**
 * What is known of how a model on a server wants to be asked: by its settings, and learnt from what it has refused.
 *
 *  Habits.L1 What a server refuses is asked again without it, or in its other form, once for each thing that it
 *     refuses. What then goes well is remembered for this model of this server, as long as the process lives.
 *  - A refusal teaches only about what the request had, so a text that happens to name a parameter teaches nothing else.
 */
import type { ServerProblem } from './problems.js';
import type { Chat } from './chat.js';

export interface Habits {
  /** Parameters that are left out. */
  without: readonly string[];
  /** Rules stand in a system message, or at the head of the user's first. */
  system: 'system' | 'user';
  /** Whether tools are offered. */
  tools: boolean;
  /**
   * A tool that has to be called is named; or it is the only one that is offered, of which one is required; or what it
   * takes is the form of the text.
   */
  choice: 'named' | 'required' | 'form';
  /** Earlier calls and their results are told as such, or in plain text. */
  calls: 'calls' | 'text';
  /** What an assistant's message without text has as its content. */
  noText: null | '';
  /** How the limit of a reply is called, and the highest that the server takes. */
  limit: 'max_tokens' | 'max_completion_tokens';
  mostTokens: number;
  /** How thinking is asked for, by Anthropic's models. */
  thinking: 'enabled' | 'adaptive';
  /** Calls that it did not make itself, or whose thoughts were not kept, need something in their place. */
  placeholders: readonly ('thought_signature' | 'reasoning_content')[];
  streams: boolean;
  /** How many tokens a request may have, by the estimate of the house. */
  window: number;
}

export const usualHabits: Habits = {
  without: [],
  system: 'system',
  tools: true,
  choice: 'named',
  calls: 'calls',
  noText: null,
  limit: 'max_tokens',
  mostTokens: Infinity,
  thinking: 'enabled',
  placeholders: [],
  streams: true,
  window: Infinity,
};

const mostModels = 1000;

/** The habits of the models of a server, by name. */
export class KnownHabits {
  private readonly models = new Map<string, Habits>();

  constructor(private readonly first: Habits) {}

  of(model: string): Habits {
    return this.models.get(model) ?? this.first;
  }

  /** Adds to what is known of the model meanwhile. */
  learn(model: string, changes: Partial<Habits>): void {
    const known = this.of(model);
    const both = (name: 'without' | 'placeholders'): readonly string[] => [
      ...new Set([...known[name], ...(changes[name] ?? [])]),
    ];
    this.models.delete(model);
    this.models.set(model, {
      ...known,
      ...changes,
      without: both('without'),
      placeholders: both('placeholders') as Habits['placeholders'],
    });
    const [oldest] = this.models.keys();
    if (this.models.size > mostModels && oldest !== undefined) this.models.delete(oldest);
  }
}

/** What a refusal teaches, and how that is told. */
export interface Lesson {
  changes: Partial<Habits>;
  told: string;
}

type Body = Readonly<Record<string, unknown>>;
interface Refused {
  /** What the server says, with the names of parameters that it points at. */
  said: string;
  body: Body;
  chat: Chat;
  habits: Habits;
}

const without = (name: string, { habits }: Refused): Lesson => ({
  changes: { without: [...habits.without, name] },
  told: `without \`${name}\``,
});

/** What a request is not complete without. */
const needed: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'system',
  'instructions',
  'tools',
  'stream',
]);
const names = (said: string, name: string): boolean => new RegExp(`(?<![a-z_])${name}(?![a-z_])`, 'i').test(said);

/** Whether it speaks of a parameter, and not of a thing that is called by the same word. */
const pointsAt = (said: string, name: string): boolean =>
  /_|^(?:temperature|thinking|reasoning)$/.test(name)
    ? names(said, name)
    : new RegExp(`['"\`]${name}['"\`]`).test(said);

const limits = ['max_completion_tokens', 'max_tokens'] as const;

/** The highest limit that a refusal of a limit names. */
function highestIn(said: string, asked: number): number | null {
  const below = (said.match(/\d{2,9}/g) ?? []).map(Number).filter((n) => n < asked);
  return below.length === 0 ? null : Math.max(...below);
}

/** Each looks for one kind of refusal; the first that finds it teaches. */
const teachers: readonly ((refused: Refused) => Lesson | null)[] = [
  ({ said, body, habits }) => {
    const sent = limits.find((name) => name in body);
    if (!sent || !names(said, sent)) return null;
    const asked = Number(body[sent]);
    const highest = /exceed|at most|maximum|too (?:large|big|high)|>|less than/i.test(said)
      ? highestIn(said, asked)
      : null;
    if (highest !== null) return { changes: { mostTokens: highest }, told: `with \`${sent}\` ${highest}` };
    const other = sent === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    const left = { without: [...habits.without, sent] };
    return habits.without.includes(other)
      ? { changes: left, told: `without \`${sent}\`` }
      : { changes: { ...left, limit: other }, told: `with \`${other}\` in place of \`${sent}\`` };
  },
  ({ said, body }) =>
    'tools' in body &&
    (/auto\W{0,3} tool choice requires/i.test(said) ||
      /(?:not support|unsupported|no endpoints?[^.]{0,40}support)[^.]{0,40}\b(?:tools?|functions?)\b(?! ?_?choice)/i.test(
        said,
      ) ||
      /\b(?:tools?|functions?)(?: use| calling| calls)?(?: is| are)? (?:not |un)support/i.test(said))
      ? { changes: { tools: false, calls: 'text' }, told: 'without tools' }
      : null,
  ({ said, habits }) => {
    const name = (['thought_signature', 'reasoning_content'] as const).find(
      (field) => said.includes(field) && !habits.placeholders.includes(field),
    );
    return name
      ? { changes: { placeholders: [...habits.placeholders, name] }, told: `with a placeholder for \`${name}\`` }
      : null;
  },
  (refused) => {
    const { said, body } = refused;
    if (!('tool_choice' in body) || !/tool.?choice/i.test(said)) return null;
    return without('tool_choice', refused);
  },
  ({ said, body, habits }) =>
    (body['thinking'] as { type?: unknown } | undefined)?.type === 'enabled' &&
    habits.thinking === 'enabled' &&
    /thinking|adaptive|budget_tokens/i.test(said)
      ? { changes: { thinking: 'adaptive' }, told: 'with adaptive thinking' }
      : null,
  (refused) => {
    const name = Object.keys(refused.body).find((key) => !needed.has(key) && pointsAt(refused.said, key));
    return name === undefined ? null : without(name, refused);
  },
  ({ said, body }) =>
    body['stream'] === true && /\bstream/i.test(said)
      ? { changes: { streams: false }, told: 'without a stream' }
      : null,
  ({ said, chat, habits }) =>
    habits.noText === null &&
    /content/i.test(said) &&
    /null|none|string|empty|required/i.test(said) &&
    chat.messages.some(({ role, content }) => role === 'assistant' && content === null)
      ? { changes: { noText: '' }, told: 'with empty texts' }
      : null,
  ({ said, body, chat, habits }) => {
    if (!/\broles?\b|\bsystem\b|alternat/i.test(said)) return null;
    const aboutSystem = /\bsystem\b|only user and (?:assistant|model)|developer/i.test(said);
    if (aboutSystem && habits.system === 'system')
      return { changes: { system: 'user' }, told: 'with its rules in the first message of the user' };
    if (habits.calls === 'calls' && chat.messages.some(({ role }) => role === 'tool'))
      return { changes: { calls: 'text' }, told: 'with earlier calls of tools as text' };
    return habits.tools && 'tools' in body ? { changes: { tools: false, calls: 'text' }, told: 'without tools' } : null;
  },
];

/** What a reply teaches in which a tool is not called that had to be; null if it is none. */
export function lessonOfReply(completion: unknown, body: Body, chat: Chat, habits: Habits): Lesson | null {
  const { toolChoice } = chat;
  if (typeof toolChoice !== 'object' || !('tool_choice' in body)) return null;
  const { choices } = (completion ?? {}) as { choices?: { finish_reason?: unknown; message?: Said | null }[] };
  const [choice] = Array.isArray(choices) ? choices : [];
  const { content, refusal, tool_calls: calls } = choice?.message ?? {};
  if (choice?.finish_reason === 'content_filter' || refusal || (Array.isArray(calls) && calls.length > 0)) return null;
  // JSON is a call that is written as text
  if (typeof content !== 'string' || content.trim() === '' || /[[{]/.test(content)) return null;
  const next = nextChoice[habits.choice];
  return next ?? without('tool_choice', { said: '', body, chat, habits });
}
const nextChoice: Readonly<Record<Habits['choice'], Lesson | null>> = {
  named: { changes: { choice: 'required' }, told: 'to call the only tool that it was offered' },
  required: { changes: { choice: 'form' }, told: 'for a text of the form that the tool takes' },
  form: null,
};
interface Said {
  content?: unknown;
  refusal?: unknown;
  tool_calls?: unknown;
}

const mayRefuse: ReadonlySet<number | undefined> = new Set([400, 404, 405, 415, 422, 500, 501]);

/** Null if the refusal teaches nothing about how to ask. */
export function lessonOf(problem: ServerProblem, body: Body, chat: Chat, habits: Habits): Lesson | null {
  if (!mayRefuse.has(problem.status)) return null;
  const refused = { said: `${problem.code} ${problem.message}`, body, chat, habits };
  for (const teach of teachers) {
    const lesson = teach(refused);
    if (lesson) return lesson;
  }
  return null;
}
