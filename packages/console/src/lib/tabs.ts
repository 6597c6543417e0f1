/**
 * The tabs of one browser that show this console: a tab that is opened from another, as by a click with Ctrl, is signed
 * in as the other is, and signing out of one signs out of all that have its key. Only pages of the same origin hear it.
 */
import { forget, isKept, session } from './session.js';

export interface OfferedKey {
  key: string;
  linkKey: string | null;
  keep: boolean;
}

type Message = { type: 'ask' } | { type: 'offer'; offered: OfferedKey } | { type: 'signed-out'; key: string };

/** Tabs answer within a few milliseconds; a browser may hold up one in the background for longer. */
const patienceMs = 150;

const channel = new BroadcastChannel('hivekeep.console');
let take: ((offered: OfferedKey) => void) | null = null;

const tell = (message: Message): void => {
  channel.postMessage(message);
};

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  const now = session.get();
  switch (data.type) {
    case 'ask':
      if (now.key !== null) tell({ type: 'offer', offered: { key: now.key, linkKey: now.linkKey, keep: isKept() } });
      break;
    case 'offer':
      take?.(data.offered);
      break;
    case 'signed-out':
      if (now.key === data.key) forget('You have signed out in another tab.');
      break;
  }
});

/** The key of another tab that is signed in, or null. */
export async function askOtherTabs(): Promise<OfferedKey | null> {
  const answer = await new Promise<OfferedKey | null>((resolve) => {
    take = resolve;
    tell({ type: 'ask' });
    setTimeout(() => {
      resolve(null);
    }, patienceMs);
  });
  take = null;
  return answer;
}

export const tellSignedOut = (key: string): void => {
  tell({ type: 'signed-out', key });
};
