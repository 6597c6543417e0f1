/**
 * What was typed into a form and is not saved. It stays while the person looks at other pages, and the browser asks
 * before the tab is closed on it.
 */
import { useCallback, useState } from 'preact/hooks';
import { typedPrefix } from './session.js';
import { createStore, useStore } from './store.js';

const drafts = createStore<Readonly<Record<string, object>>>({});

addEventListener('beforeunload', (event) => {
  if (Object.keys(drafts.get()).length > 0) event.preventDefault();
});

export interface Draft<T> {
  /** What is stored, with what was changed here. */
  value: T;
  isChanged: boolean;
  set: <Name extends keyof T>(name: Name) => (value: T[Name]) => void;
  /** Ends the draft: it was saved, or is not wanted any more. */
  discard: () => void;
}

export function useDraft<T extends object>(name: string, stored: T): Draft<T> {
  const changes = useStore(drafts)[name] as Partial<T> | undefined;
  const keep = (next: Partial<T>): void => {
    const { [name]: _before, ...others } = drafts.get();
    drafts.set(Object.keys(next).length === 0 ? others : { ...others, [name]: next });
  };
  return {
    value: { ...stored, ...changes },
    isChanged: changes !== undefined,
    set: (field) => (value) => {
      const { [field]: _before, ...others } = (drafts.get()[name] ?? {}) as Partial<T>;
      keep((value === stored[field] ? others : { ...others, [field]: value }) as Partial<T>);
    },
    discard: () => {
      keep({});
    },
  };
}

/**
 * A text that is being written, such as a message. It is kept in this tab, also when the page is loaded again, until it
 * is sent or the person signs out.
 */
export function useTyped(name: string): readonly [text: string, set: (text: string) => void] {
  const key = typedPrefix + name;
  const [typed, setTyped] = useState({ key, text: sessionStorage.getItem(key) ?? '' });
  const set = useCallback(
    (text: string) => {
      if (text === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, text);
      setTyped({ key, text });
    },
    [key],
  );
  return [typed.key === key ? typed.text : (sessionStorage.getItem(key) ?? ''), set];
}
