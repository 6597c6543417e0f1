/** Buttons, and what they do. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { explain } from '../lib/errors.js';
import { can } from '../lib/session.js';
import { say } from './toasts.js';

export interface ButtonProps {
  children: ComponentChildren;
  onClick?: () => void;
  kind?: 'primary' | 'danger' | 'quiet' | 'plain';
  small?: boolean;
  type?: 'button' | 'submit';
  busy?: boolean;
  disabled?: boolean;
  /** The scope without which the service would refuse; the button then says so instead. */
  needs?: string | undefined;
  label?: string;
  /** What it opens and closes, and whether that is open. */
  expands?: { id: string; open: boolean };
}

export function Button({
  children,
  onClick,
  kind = 'plain',
  small = false,
  type = 'button',
  busy = false,
  disabled = false,
  needs,
  label,
  expands,
}: ButtonProps) {
  const lacks = needs !== undefined && !can(needs);
  const idle = busy || disabled || lacks;
  const classes = ['button', kind, small && 'small', busy && 'busy'].filter(Boolean).join(' ');
  return (
    <button
      type={type}
      class={classes}
      aria-disabled={idle}
      aria-expanded={expands?.open}
      aria-controls={expands?.id}
      aria-label={label === undefined ? undefined : lacks ? `${label} (your key lacks ${needs})` : label}
      title={lacks ? `Your key lacks the scope ${needs}` : undefined}
      onClick={(event) => {
        if (idle) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
      {lacks && label === undefined && <span class="visually-hidden"> (your key lacks the scope {needs})</span>}
    </button>
  );
}

/** Runs an action once at a time, and tells how it went. */
export function useAction<A extends readonly unknown[]>(
  act: (...args: A) => Promise<string | null>,
): { run: (...args: A) => void; busy: boolean; error: unknown; clear: () => void } {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  const busy = useRef(false);
  return {
    ...state,
    clear: () => {
      setState({ busy: false, error: null });
    },
    run: (...args) => {
      if (busy.current) return;
      busy.current = true;
      setState({ busy: true, error: null });
      act(...args)
        .then(
          (done) => {
            setState({ busy: false, error: null });
            if (done !== null) say(done);
          },
          (error: unknown) => {
            setState({ busy: false, error });
          },
        )
        .finally(() => {
          busy.current = false;
        });
    },
  };
}

/** For actions without a place of their own for an error. */
export function attempt(action: Promise<unknown>, done: string, undo?: () => void): void {
  action.then(
    () => {
      say(done, { undo: undo ?? null });
    },
    (error: unknown) => {
      say(explain(error), { bad: true });
    },
  );
}
