/** Tokens of agents: credentials for the A2A and MCP endpoints of one agent (docs/api.md 2.4). */
import type { AuditActor } from '../shared/draft.js';
import type { AgentDraft } from './agent-draft.js';
import { bounds } from './agent-state.js';
import { type Credential, expiryOf, recordAudit } from '../workspace/audit.js';
import { conflict } from '../shared/errors.js';
import type { TokenInput } from '../shared/inputs.js';
import type { AgentToken } from '../model/model.js';
import { sizeOf } from '../workspace/usage.js';

export interface NewToken {
  token: TokenInput;
  hash: string;
  hint: string;
  /** How many tokens the agent has. */
  held: number;
  by: AuditActor;
}

export function addToken(d: AgentDraft, { token: input, hash, hint, held, by }: NewToken): AgentToken {
  if (held >= bounds.tokens) throw conflict(`an agent has at most ${bounds.tokens} tokens; revoke one`);
  const token: AgentToken = {
    id: d.env.ids('token', d.at),
    agent_id: d.agent.id,
    name: input.name,
    scopes: [...new Set(input.scopes)],
    ...(input.tasks === 'own' && { tasks: 'own' }),
    hint,
    expires_at: expiryOf(d, input),
    last_used_at: null,
    created_at: d.time,
  };
  d.put('token', token.id, { ...token, hash }, true);
  recordAudit(d, by, 'token.created', token);
  return token;
}

export function removeToken(d: AgentDraft, token: Credential, by: AuditActor): void {
  d.remove('token', token.id, sizeOf(token));
  recordAudit(d, by, 'token.revoked', token);
}
