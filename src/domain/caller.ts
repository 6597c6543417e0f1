/** Who asks for something: what a credential says of its holder. It is plain data, and goes along to the decision. */
import type { Powers } from './powers.js';
import type { Tier, TokenScope } from './vocabulary.js';

export interface Caller {
  /** A sandbox counts as a workspace of its own (sandbox.ts). */
  workspace: string;
  /** The id of the API key or of the token; all access tokens of one subject have the same. */
  credentialId: string;
  /** The name of the key or token, or the subject of an access token. */
  name?: string;
  tier: Tier;
  scopes: readonly TokenScope[];
  /** Set for an agent's token, and for a key at an agent's endpoint: the caller works for this agent alone. */
  agent?: string;
  /** Set for a token that reaches only the tasks that it began (own-tasks.ts). */
  ownTasks?: true;
  /** Set where a model calls with the credential: it decides at no gate (sight.ts). */
  byModel?: true;
  /** Set for an access token of an authorization server: when it was issued. */
  issued_at?: string;
  /** When the credential expires; absent if it never does. Credentials that it mints expire no later. */
  expires_at?: string;
  /** Set for a token that restricts what it may make its agent do (powers.ts). */
  powers?: Powers;
  /** Set for a request with If-Match: what it changes must have one of these versions (agent-settings.ts). */
  onlyIf?: readonly string[];
  /** Set for a POST with an Idempotency-Key. */
  idempotencyKey?: RequestKey;
  /** The client's address, set where the action is audited. */
  from?: string;
}

/**
 * A request that may be repeated: it takes effect once, and repeats get the same answer for 24 hours. A repeat waits
 * while the first is in progress, and fails with IDEMPOTENCY_MISMATCH if the body differs.
 */
export interface RequestKey {
  /** Derived from the workspace, the path and the client's key. */
  id: string;
  bodyHash: string;
  /** Set by the service if the answer is that of an earlier request. */
  replayed: boolean;
}
