/**
 * Who is signed in. The key is in the memory of this page, and in sessionStorage only where the person has ticked so;
 * both end with the tab.
 */
import { request, type Me } from './api.js';
import { ApiError } from './errors.js';
import { base } from './router.js';
import { createStore } from './store.js';

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

/** Throws what the service says of a key that it refuses. */
export async function signIn(key: string, keep: boolean, linkKey: string | null = null): Promise<void> {
  const me = await whoAmI(key);
  session.set({ key, me, linkKey });
  keepInTab(keep);
}

export function keepInTab(keep: boolean): void {
  const now = session.get();
  sessionStorage.removeItem(storageName);
  sessionStorage.removeItem(linkStorageName);
  if (!keep || now.key === null) return;
  sessionStorage.setItem(storageName, now.key);
  if (now.linkKey !== null) sessionStorage.setItem(linkStorageName, now.linkKey);
}

export const isKept = (): boolean => sessionStorage.getItem(storageName) !== null;

/** Signs in with the code of a link, which is in the fragment of the URL and leaves it at once, or with a kept key. */
export async function resume(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) {
    history.replaceState(null, '', location.pathname);
    const made = await redeem(code);
    await signIn(made.key, false, made.id);
    return;
  }
  const kept = sessionStorage.getItem(storageName);
  if (kept !== null) await signIn(kept, true, sessionStorage.getItem(linkStorageName));
}

async function redeem(code: string): Promise<{ key: string; id: string }> {
  const answer = await fetch(`${base}/console/sign-in`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const body = (await answer.json()) as { data: { key: string; id: string } };
  if (!answer.ok) throw new ApiError(answer.status, body, null);
  return body.data;
}

/** Signs out; a key that the sign-in link has made is revoked, since nobody else has it. */
export async function signOut(reason: string | null = null): Promise<void> {
  const before = session.get();
  if (before.key !== null && before.linkKey !== null)
    await request('DELETE', `/v1/keys/${encodeURIComponent(before.linkKey)}`).catch(() => undefined);
  forget(reason);
}

export function forget(reason: string | null): void {
  sessionStorage.removeItem(storageName);
  sessionStorage.removeItem(linkStorageName);
  session.set({ key: null, reason });
}

export const can = (scope: string): boolean => {
  const now = session.get();
  return now.key !== null && (now.me.scopes === null || now.me.scopes.includes(scope));
};

async function whoAmI(key: string): Promise<Me> {
  try {
    return await request<Me>('GET', '/v1/me', { key });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    // A service without this route: the key is valid, and what it may do shows when it is tried.
    return { mode: key.startsWith('svc_test_') ? 'test' : 'live', scopes: null };
  }
}
