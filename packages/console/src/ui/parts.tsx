/** The parts that pages are made of. All text is rendered as text: nothing here interprets markup. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Paged } from '../lib/use-query.js';
import { ApiError, explain, isTemporary, Unreachable } from '../lib/errors.js';
import { count, exactTime, percent, shortTime } from '../lib/format.js';
import { can } from '../lib/session.js';
import { Icon, type IconName } from './icons.js';
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

export const Time = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={exactTime(at)} class="nowrap">
      {shortTime(at)}
    </time>
  ) : (
    <span>never</span>
  );

const tones: Readonly<Record<string, string>> = {
  completed: 'good',
  active: 'good',
  live: 'good',
  running: 'info running',
  pending: 'info',
  connecting: 'info',
  paused: 'warn',
  inactive: 'warn',
  lost: 'warn',
  test: 'info',
  failed: 'bad',
  timeout: 'bad',
  cancelled: 'plain-tone',
  terminated: 'bad',
};

export const Badge = ({ of, children }: { of: string; children?: ComponentChildren }) => (
  <span class={`badge ${tones[of] ?? ''}`}>{children ?? of}</span>
);

export const Tag = ({ children }: { children: ComponentChildren }) => <span class="badge plain">{children}</span>;

/** `retry` is for what `useQuery` loads, which asks again by itself while the service is away. */
export function Problem({ error, retry, what }: { error: unknown; retry?: () => void; what?: string }) {
  const box = useRef<HTMLDivElement>(null);
  if (error === null || error === undefined) return null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div class="problem" role="alert" ref={box}>
      <div>
        <strong>{what ?? (error instanceof Unreachable ? 'No connection.' : 'That did not work.')}</strong>{' '}
        {explain(error)}
        {retry !== undefined && isTemporary(error) ? '. It is tried again by itself.' : ''}
      </div>
      <div class="row">
        {retry && (
          <Button small onClick={retry}>
            Try now
          </Button>
        )}
        {requestId !== null && (
          <span class="hint">
            Request <code>{requestId}</code>
          </span>
        )}
      </div>
    </div>
  );
}

export const Skeleton = () => (
  <div class="skeleton" aria-busy="true">
    <span class="visually-hidden">Loading</span>
    <i />
    <i />
    <i />
    <i />
  </div>
);

export const Empty = ({
  icon = 'agents',
  title,
  children,
  command,
}: {
  icon?: IconName;
  title: string;
  children?: ComponentChildren;
  command?: string;
}) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
    {command !== undefined && <Snippet text={command} label="Copy the command" />}
  </div>
);

export function copy(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => {
      say('Copied.');
    },
    () => {
      say('The browser did not allow copying: select the text and copy it yourself.', { bad: true });
    },
  );
}

export const Snippet = ({ text, label = 'Copy' }: { text: string; label?: string }) => (
  <div class="snippet">
    {/* A long text scrolls, and has to be reachable by keyboard for that. */}
    <pre tabIndex={0} role="group" aria-label="Code to copy">
      {text}
    </pre>
    <Button
      small
      label={label}
      onClick={() => {
        copy(text);
      }}
    >
      Copy
    </Button>
  </div>
);

export interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  children: (attributes: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ComponentChildren;
}

/** A label, a control and what is to be known about it, tied together for screen readers. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const about = hint !== undefined || error !== undefined ? `${id}-about` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': error !== undefined })}
      {about !== undefined && (
        <div id={about} class={error === undefined ? 'hint' : 'error-text'}>
          {error ?? hint}
        </div>
      )}
    </div>
  );
}

export interface TextFieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: ComponentChildren;
  error?: string | undefined;
  rows?: number;
  type?: 'text' | 'password' | 'number' | 'url' | 'search' | 'datetime-local';
  placeholder?: string;
  required?: boolean;
  autoFocus?: boolean;
  min?: number;
  max?: number;
  step?: number | 'any';
  autocomplete?: string;
}

export function TextField({ label, value, onInput, hint, error, rows, autoFocus, ...rest }: TextFieldProps) {
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    // a dialog that opens around it goes by the attribute
    if (autoFocus) control.current?.focus();
  }, [autoFocus]);
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) =>
        rows === undefined ? (
          <input
            {...attributes}
            {...(rest as object)}
            autofocus={autoFocus}
            ref={control}
            class="input"
            value={value}
            onInput={(event) => {
              onInput(event.currentTarget.value);
            }}
          />
        ) : (
          <textarea
            {...attributes}
            placeholder={rest.placeholder}
            required={rest.required}
            ref={control}
            rows={rows}
            value={value}
            onInput={(event) => {
              onInput(event.currentTarget.value);
            }}
          />
        )
      }
    </Field>
  );
}

export interface SelectFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [value: string, text: string])[];
  hint?: ComponentChildren;
}

export const SelectField = ({ label, value, onChange, options, hint }: SelectFieldProps) => (
  <Field label={label} hint={hint}>
    {(attributes) => (
      <select
        {...attributes}
        value={value}
        onChange={(event) => {
          onChange(event.currentTarget.value);
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

export const Check = ({
  checked,
  onChange,
  label,
  hint,
  disabled = false,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: ComponentChildren;
  hint?: string;
  disabled?: boolean;
}) => (
  <label class="check">
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={(event) => {
        onChange(event.currentTarget.checked);
      }}
    />
    <span>
      {label}
      {hint !== undefined && <small>{hint}</small>}
    </span>
  </label>
);

export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div>
        <div class="row between">
          <h2 id={id}>{title}</h2>
          <Button small kind="quiet" label="Close" onClick={onClose}>
            <Icon name="close" />
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** Asks before an action that cannot be undone; `typed` has to be typed first. */
export function Confirm({
  title,
  children,
  verb,
  typed,
  act,
  onClose,
}: {
  title: string;
  children: ComponentChildren;
  verb: string;
  typed?: string;
  act: () => Promise<string | null>;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const { run, busy, error } = useAction(async () => {
    const done = await act();
    onClose();
    return done;
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === undefined || text === typed) run();
        }}
      >
        <div>{children}</div>
        {typed !== undefined && (
          <TextField label={`Type “${typed}” to confirm`} value={text} onInput={setText} autocomplete="off" autoFocus />
        )}
        <Problem error={error} />
        <div class="actions">
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" type="submit" busy={busy} disabled={typed !== undefined && text !== typed}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** A secret that is shown this once. */
export const SecretDialog = ({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) => (
  <Dialog title={title} onClose={onClose}>
    <p>This is shown once and kept nowhere. Copy it now to where it will be used.</p>
    <Snippet text={secret} label="Copy the secret" />
    <div class="actions">
      <Button kind="primary" onClick={onClose}>
        I have copied it
      </Button>
    </div>
  </Dialog>
);

export interface ListProps<T> {
  list: Paged<T>;
  children: (items: readonly T[]) => ComponentChildren;
  empty: ComponentChildren;
  noun: string;
}

/** One page of a list, in any of its states. */
export function List<T>({ list, children, empty, noun }: ListProps<T>) {
  const { data, error, items, loading } = list;
  if (data === null)
    return error === null ? (
      <Skeleton />
    ) : (
      <div class="stack" style={{ padding: '1rem' }}>
        <Problem error={error} retry={list.reload} />
      </div>
    );
  return (
    <>
      {error !== null && <Problem error={error} retry={list.reload} />}
      {items.length === 0 && list.pageNumber === 1 ? empty : children(items)}
      {(list.next !== null || list.previous !== null) && (
        <div class="pager">
          <span aria-live="polite">
            Page {list.pageNumber} · {count(list.total)} {noun}
            {loading ? ' · loading' : ''}
          </span>
          <div class="actions">
            <Button small disabled={list.previous === null} onClick={() => list.previous?.()}>
              Previous
            </Button>
            <Button small disabled={list.next === null} onClick={() => list.next?.()}>
              Next
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

export const Relevance = ({ value }: { value: number }) => (
  <span class="relevance" title={`Relevance ${value.toFixed(3)} of 1`}>
    <Meter share={value} />
    <span>
      <span class="visually-hidden">relevance </span>
      {percent(value)}
    </span>
  </span>
);

export const Meter = ({
  share,
  bad = false,
  marks = [],
}: {
  share: number;
  bad?: boolean;
  marks?: readonly number[];
}) => (
  <div class={`meter ${bad ? 'bad' : ''}`} aria-hidden="true">
    <i style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }} />
    {marks.map((mark) => (
      <b key={mark} style={{ left: `calc(${mark * 100}% - 1px)` }} />
    ))}
  </div>
);

export const Facts = ({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {of.map(([name, value]) => (
      <>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
);

/** The head of a page; its title is also the tab's, and gets the focus when the page opens. */
export function PageHead({
  title,
  crumbs,
  children,
  actions,
}: {
  title: string;
  crumbs?: ComponentChildren;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · hivekeep`;
  }, [title]);
  return (
    <header class="page-head">
      <div>
        {crumbs !== undefined && (
          <nav class="crumbs" aria-label="Breadcrumb">
            {crumbs}
          </nav>
        )}
        <h1>{title}</h1>
        {children}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </header>
  );
}

export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly (readonly [name: string, url: string, text: string])[];
  current: string;
}) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen the row of tabs scrolls.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav class="tabs" aria-label={label} ref={list}>
      {tabs.map(([name, url, text]) => (
        <a key={name} href={url} aria-current={name === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** Shows its children only to a key with the scope, and otherwise says which scope is missing. */
export const Needs = ({ scope, children }: { scope: string; children: ComponentChildren }) =>
  can(scope) ? (
    <>{children}</>
  ) : (
    <div class="card">
      <Empty icon="key" title="Your key may not see this">
        <p>
          It lacks the scope <code>{scope}</code>. Sign in with a key that has it, or mint one where you have the scope
          workspace:admin.
        </p>
      </Empty>
    </div>
  );
