/**
 * What a run may make its agent do. An agent acts with its own authority, except for requests made with a token that
 * was created with a selection of memory and hive scopes: for those, each tool needs the scope that the same action
 * needs over REST.
 *
 *  - A token that names no scope of memory:* or hive:* selects nothing: it may use the agent with all of the agent's
 *    own authority.
 *  Powers.P2 Powers only shrink. A run has the powers that are common to all tokens that started or continued it and to
 *     all messages that it read; what it sends carries these powers, and so does a fork. So no detour through another
 *     agent, the agent's own mailbox, a pause or a fork restores what the token left out.
 *  Powers.P3 A call that is not allowed is an outcome that the reasoner sees, and is never submitted to anybody for
 *     approval.
 */
import type { Scope, TokenScope, ToolName } from './vocabulary.js';

/** Scopes of memory:* and hive:*; undefined means all of them. */
export type Powers = readonly Scope[] | undefined;

const choices: readonly Scope[] = ['memory:read', 'memory:write', 'hive:read', 'hive:write'];

/** The powers of a token with these scopes. */
export function powersOf(scopes: readonly TokenScope[]): Powers {
  const chosen = choices.filter((scope) => scopes.includes(scope));
  return chosen.length === 0 ? undefined : chosen;
}

/** The powers that both allow (Powers.P2). */
export function commonPowers(a: Powers, b: Powers): Powers {
  if (a === undefined || b === undefined) return a ?? b;
  return a.filter((scope) => b.includes(scope));
}

/** Narrows what a run may do. A run without limits stores no powers. */
export function narrow(run: { powers?: Powers }, by: Powers): void {
  if (by !== undefined) run.powers = commonPowers(run.powers, by);
}

export const allows = (powers: Powers, scope: Scope): boolean => powers?.includes(scope) ?? true;

/**
 * Sending messages needs no scope here: whoever could start the run may also send messages, since both need agent:spawn
 * over REST.
 */
const scopeOfTool: Readonly<Partial<Record<ToolName, Scope>>> = {
  recall: 'memory:read',
  remember: 'memory:write',
  update_memory: 'memory:write',
  forget: 'memory:write',
  share_with_hive: 'hive:write',
};

/** The missing scope because of which this tool may not be used; null if it may be used. */
export function missingScope(powers: Powers, tool: ToolName): Scope | null {
  const scope = scopeOfTool[tool];
  return scope === undefined || allows(powers, scope) ? null : scope;
}

const gatedTools = Object.keys(scopeOfTool) as ToolName[];

/** Tools that need not be offered to a reasoner. */
export const withheldTools = (powers: Powers): readonly ToolName[] =>
  powers === undefined ? [] : gatedTools.filter((tool) => missingScope(powers, tool) !== null);
