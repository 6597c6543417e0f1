/**
 * Who is signed in. The key is in the memory of this page, and in sessionStorage only where the person has ticked so;
 * both end with the tab.
 */
import { createStore } from './store.js';

/** What the key is and may do; `scopes` is null where the service does not tell. */
export interface Me {
  workspace?: { id: string; name?: string; tier?: string };
  key?: { id: string; name: string; expires_at?: string | null };
  mode?: string;
  tier?: string;
  scopes: readonly string[] | null;
  /** Undefined where the service does not tell. */
  model_servers?: readonly string[];
}

export interface Session {
  readonly key: string;
  readonly me: Me;
  /** The id of the key that the sign-in link made, which signing out revokes. */
  readonly linkKey: string | null;
}

export interface SignedOut {
  readonly key: null;
  /** Why, where that is worth telling. */
  readonly reason: string | null;
}

export const session = createStore<Session | SignedOut>({ key: null, reason: null });

const storageName = 'hivekeep.key';
const linkStorageName = 'hivekeep.link-key';
/** What was typed and not sent is kept under names that begin so (drafts.ts). */
export const typedPrefix = 'hivekeep.typed ';

export function keepInTab(keep: boolean): void {
  const now = session.get();
  sessionStorage.removeItem(storageName);
  sessionStorage.removeItem(linkStorageName);
  if (!keep || now.key === null) return;
  sessionStorage.setItem(storageName, now.key);
  if (now.linkKey !== null) sessionStorage.setItem(linkStorageName, now.linkKey);
}

export const isKept = (): boolean => sessionStorage.getItem(storageName) !== null;

/** What this tab has kept of an earlier page. */
export const kept = (): { key: string; linkKey: string | null } | null => {
  const key = sessionStorage.getItem(storageName);
  return key === null ? null : { key, linkKey: sessionStorage.getItem(linkStorageName) };
};

export function forget(reason: string | null): void {
  sessionStorage.removeItem(storageName);
  sessionStorage.removeItem(linkStorageName);
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(typedPrefix)) sessionStorage.removeItem(name);
  session.set({ key: null, reason });
}

export const can = (scope: string): boolean => {
  const now = session.get();
  return now.key !== null && (now.me.scopes === null || now.me.scopes.includes(scope));
};
