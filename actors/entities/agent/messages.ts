/** The messages of an agent's actor: what it is asked, and what it sends to itself. */
import type { CommandMessage } from '../../../src/commands/command.js';
import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import type { AgentState } from '../../../src/domain/agent/agent-state.js';
import type { ModelUsage } from '../../../src/domain/model/model.js';
import type { CitedSpan } from '../../../src/reasoner/port.js';
import type { DeliveryEnd } from '../deliveries.js';
import type { EntityShell } from '../entity.js';
import type { AgentRequest } from './operations.js';

/** What a model cites of a turn (learner.ts). */
export interface Cited extends Omit<CitedSpan, 'turn'> {
  run: string;
  turn: string;
}
/** What the learner tells its actor: to begin, and what came of it (learner.ts). */
export type LearnerMessage =
  | { type: 'study' }
  | {
      type: 'learnt';
      /** Whom the request was about, if there was one. */
      of: string | null;
      runs: readonly string[];
      cited: readonly Cited[];
      usage?: ModelUsage;
    };

/** What the actor sends to itself, because work beside its queue has come to an end or is to go on. */
export type OwnMessage =
  | (AgentCommand<'step' | 'deadline' | 'abandon'> & { trace?: string })
  | DeliveryEnd
  | { type: 'continue' }
  | { type: 'refill' }
  | { type: 'fetchNext' }
  | LearnerMessage;

export type AgentMessage = AgentRequest | CommandMessage | OwnMessage;

export type AgentShell = EntityShell<AgentState, AgentMessage, AgentCommand>;
