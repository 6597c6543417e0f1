/** Signing in, with a key, with a link or because another tab is, and signing out. */
import { request } from './api.js';
import { ApiError } from './errors.js';
import { base } from './router.js';
import { forget, keepInTab, kept, session, type Me } from './session.js';
import { askOtherTabs, tellSignedOut } from './tabs.js';

/** Throws what the service says of a key that it refuses. */
export async function signIn(key: string, keep: boolean, linkKey: string | null = null): Promise<void> {
  const me = await whoAmI(key);
  session.set({ key, me, linkKey });
  keepInTab(keep);
}

/**
 * Signs in with the code of a link, which is in the fragment of the URL and leaves it at once, with a key that this tab
 * has kept, or with that of another tab of this browser. What a link has made is kept in the tab: nobody else has it,
 * so a reload must not lose it.
 */
export async function resume(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) {
    history.replaceState(null, '', location.pathname);
    const made = await redeem(code);
    await signIn(made.key, true, made.id);
    return;
  }
  const before = kept();
  if (before !== null) {
    await signIn(before.key, true, before.linkKey);
    return;
  }
  const other = await askOtherTabs();
  if (other !== null) await signIn(other.key, other.keep, other.linkKey);
}

async function redeem(code: string): Promise<{ key: string; id: string }> {
  const answer = await fetch(`${base}/console/sign-in`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const body = (await answer.json()) as { data: { key: string; id: string } };
  if (!answer.ok) throw new ApiError(answer.status, body);
  return body.data;
}

/** Signs out; a key that the sign-in link has made is revoked, since nobody else has it. */
export async function signOut(reason: string | null = null): Promise<void> {
  const before = session.get();
  if (before.key !== null && before.linkKey !== null)
    await request('DELETE', `/v1/keys/${encodeURIComponent(before.linkKey)}`).catch(() => undefined);
  if (before.key !== null) tellSignedOut(before.key);
  forget(reason);
}

async function whoAmI(key: string): Promise<Me> {
  try {
    return await request<Me>('GET', '/v1/me', { key });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    // A service without this route: the key is valid, and what it may do shows when it is tried.
    return { mode: key.startsWith('svc_test_') ? 'test' : 'live', scopes: null };
  }
}
