/** What agents send each other about the questions of their runs (questions.ts). */
import type { Powers } from '../shared/caller.js';
import type { RetoldTurn, RunRecord, TreeShare, TreeUse } from '../run/records.js';
import type { SpawnInput } from '../shared/inputs.js';
import type { AgentSnapshot } from '../shared/snapshots.js';

/** A question on its way to the agent that is asked. */
export interface AskedQuestion {
  type: 'ask';
  /** The id of the call that asks it. */
  call: string;
  /** The agent and the run that ask. */
  from: string;
  run: string;
  question: string;
  /** The conversation between the two, as the asked agent calls it. */
  session: string;
  subject?: string;
  maxSteps?: number;
  hops: number;
  budget: number;
  powers?: Powers;
  begunBy?: string;
  /** What its run may use of the budget of the tree (budgets.ts). */
  share?: TreeShare;
  /** The agents that wait for the answer, the first that asked first. */
  via: readonly string[];
  /** The last of them, who have handed the conversation over; omitted where it is a question. */
  handed?: readonly string[];
  /** What of the question was said, where data came with it, and what was said before it, of what is handed over. */
  said?: string;
  earlier?: readonly RetoldTurn[];
}
/** Nobody waits for the answer any more. */
export interface WithdrawnQuestion {
  type: 'withdraw';
  call: string;
}
/** What the run of a question waits for by now; null if it goes on. */
export interface ToldQuestion {
  type: 'tell';
  call: string;
  run: string;
  /** The run that was begun for the question, and when this was so, by the clock of its agent. */
  by: string;
  at: number;
  waitsFor: Awaited | null;
}
export interface AnsweredQuestion {
  type: 'answer';
  call: string;
  run: string;
  by: string;
  ok: boolean;
  result: string;
  /** What its run has used of the share that has come with the question. */
  used?: TreeUse;
  /** The conversation is handed back to this agent, which waits directly or through others; `result` is why. */
  back?: string;
}
/** What the user has answered to what the run of a question has asked, whose conversation was handed over. */
export interface SaidToAsked {
  type: 'say';
  id: string;
  call: string;
  input: string;
  said?: string;
  powers?: Powers;
}
/** An agent that is to be there (spawning.ts). */
export interface SpawnedChild {
  type: 'spawn';
  call: string;
  run: string;
  settings: SpawnInput;
  spawned: NonNullable<AgentSnapshot['spawned']>;
}
/** The end of an agent that was spawned, and by whom. */
export interface EndedChild {
  type: 'end';
  by: string;
}
export interface SpawnedAgent {
  id: string;
  name: string;
}
export type QuestionMessage =
  SpawnedChild | EndedChild | AskedQuestion | WithdrawnQuestion | ToldQuestion | AnsweredQuestion | SaidToAsked;

export type OpenQuestion = NonNullable<RunRecord['asked']>[number];
/** What a run that was asked waits for, and which run that is: another one, if it has asked on. */
export type Awaited = NonNullable<OpenQuestion['waitsFor']>;
