/** The commands that go to other processes: each is named there, and found here. */
import type { Change, Command } from './command.js';
import * as agents from './agents.js';
import * as blocks from './blocks.js';
import * as deadLetters from './dead-letters.js';
import * as hives from './hives.js';
import * as journals from './journals.js';
import * as keys from './keys.js';
import * as mailbox from './mailbox.js';
import * as passedAnswers from './passed-answers.js';
import * as profiles from './profiles.js';
import * as questions from './questions.js';
import * as runs from './runs.js';
import * as schedules from './schedules.js';
import * as sessions from './sessions.js';
import * as subjectUse from './subject-use.js';
import * as subjects from './subjects.js';
import * as tasks from './tasks.js';
import * as tokens from './tokens.js';
import * as webhooks from './webhooks.js';
import * as workspace from './workspace.js';

const isCommand = (value: unknown): value is Command => typeof value === 'object' && value !== null && 'kind' in value;

export const commands: readonly Command[] = [
  agents,
  blocks,
  deadLetters,
  hives,
  journals,
  keys,
  mailbox,
  passedAnswers,
  profiles,
  questions,
  runs,
  schedules,
  sessions,
  subjectUse,
  subjects,
  tasks,
  tokens,
  webhooks,
  workspace,
].flatMap((noun) => Object.values<unknown>(noun).filter(isCommand));

export const changes: ReadonlyMap<string, Change> = new Map(
  commands.flatMap((command) => (command.kind === 'change' ? [[command.name, command] as const] : [])),
);
