/** Says what an action did, to eyes and screen readers, and offers to undo it where that is possible. */
import { createStore, useStore } from '../lib/store.js';
import { Icon } from './icons.js';

interface Toast {
  id: number;
  text: string;
  bad: boolean;
  undo: (() => void) | null;
}

const toasts = createStore<readonly Toast[]>([]);
let last = 0;

export function say(
  text: string,
  { bad = false, undo = null }: { bad?: boolean; undo?: (() => void) | null } = {},
): void {
  const id = ++last;
  toasts.set([...toasts.get().slice(-3), { id, text, bad, undo }]);
  setTimeout(
    () => {
      drop(id);
    },
    undo === null && !bad ? 6000 : 12_000,
  );
}

const drop = (id: number): void => {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
};

export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {useStore(toasts).map(({ id, text, bad, undo }) => (
      <div key={id} class={`toast ${bad ? 'bad' : ''}`}>
        <span>{text}</span>
        <span class="row">
          {undo && (
            <button
              type="button"
              class="button small"
              onClick={() => {
                drop(id);
                undo();
              }}
            >
              Undo
            </button>
          )}
          <button
            type="button"
            class="button small quiet"
            aria-label="Dismiss"
            onClick={() => {
              drop(id);
            }}
          >
            <Icon name="close" />
          </button>
        </span>
      </div>
    ))}
  </div>
);
