/**
 * The sandbox of a workspace is a workspace of its own beside it, in which svc_test_ keys work (docs/api.md 5.3). So no
 * query, stream or count of one can reach into the other, and no other code knows that there are sandboxes.
 *
 *  Sandbox.S1 Its id is that of its workspace with a suffix that no other id has: ids of workspaces contain no dot.
 *  Sandbox.S2 API keys of both modes belong to the workspace itself, since a live key may mint, list and revoke test
 *     keys. A test key mints, lists and revokes test keys only.
 */
import type { Mode } from './vocabulary.js';

const suffix = '.sandbox';

export const sandboxOf = (workspace: string): string => workspace + suffix;
export const isSandbox = (workspace: string): boolean => workspace.endsWith(suffix);
/** The workspace that a sandbox belongs to; any other workspace is its own. */
export const homeOf = (workspace: string): string =>
  isSandbox(workspace) ? workspace.slice(0, -suffix.length) : workspace;
/** Of the keys that work in it. */
export const modeOf = (workspace: string): Mode => (isSandbox(workspace) ? 'test' : 'live');
