/**
 * What a run may make its agent do. An agent acts with its own authority, but for what a token asks of it that was
 * minted with a choice of memory and hive scopes: then each tool needs the scope that the same act needs over REST.
 *
 *  Powers.P1 A token that names none of memory:* and hive:* chooses nothing: it may use the agent as the agent is.
 *  Powers.P2 Powers only shrink. A run has those of all tokens that began it or went on with it, and of all messages
 *     that it read; what it sends carries them, and so does a fork. So no detour over another agent, the agent's own
 *     mailbox, a pause or a fork gives back what the token left out.
 *  Powers.P3 A call that is not allowed is an outcome that the reasoner sees, and is never shown to anybody for
 *     approval.
 */
import type { ToolName } from './model.js';
import type { Scope } from './vocabulary.js';

/** Of memory:* and hive:*; undefined: all of them. */
export type Powers = readonly Scope[] | undefined;

const choices: readonly Scope[] = ['memory:read', 'memory:write', 'hive:read', 'hive:write'];

/** Powers.P1. */
export function powersOf(scopes: Iterable<Scope>): Powers {
  const chosen = [...scopes].filter((scope) => choices.includes(scope));
  return chosen.length === 0 ? undefined : chosen;
}

/** What both allow (Powers.P2). */
export function commonPowers(a: Powers, b: Powers): Powers {
  if (a === undefined || b === undefined) return a ?? b;
  return a.filter((scope) => b.includes(scope));
}

/** Narrows what a run may do; those without limits keep no note of it. */
export function narrow(run: { powers?: Powers }, by: Powers): void {
  if (by !== undefined) run.powers = commonPowers(run.powers, by);
}

export const allows = (powers: Powers, scope: Scope): boolean => powers?.includes(scope) ?? true;

/** Who could start the run may send messages: over REST both need agent:spawn. */
const scopeOfTool: Readonly<Partial<Record<ToolName, Scope>>> = {
  recall: 'memory:read',
  remember: 'memory:write',
  share_with_hive: 'hive:write',
};

/** The scope for want of which this tool may not be used; null where it may be. */
export function missingScope(powers: Powers, tool: ToolName): Scope | null {
  const scope = scopeOfTool[tool];
  return scope === undefined || allows(powers, scope) ? null : scope;
}

const gatedTools = Object.keys(scopeOfTool) as ToolName[];

/** Tools that a reasoner need not be offered. */
export const withheldTools = (powers: Powers): readonly ToolName[] =>
  powers === undefined ? [] : gatedTools.filter((tool) => missingScope(powers, tool) !== null);
