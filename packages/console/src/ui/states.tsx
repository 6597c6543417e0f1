/** What stands where data would: a failure, an empty list, a text to copy. All text is rendered as text. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { ApiError, explain, isTemporary, ConnectionError } from '../lib/errors.js';
import { can } from '../lib/session.js';
import { Button } from './button.js';
import { Icon, type IconName } from './icons.js';
import { say } from './toasts.js';

/** `retry` is for what `useQuery` loads, which asks again by itself while the service is away. */
export function Problem({ error, retry, what }: { error: unknown; retry?: () => void; what?: string }) {
  const box = useRef<HTMLDivElement>(null);
  if (error === null || error === undefined) return null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div class="problem" role="alert" ref={box}>
      <div>
        <strong>{what ?? (error instanceof ConnectionError ? 'No connection.' : 'That did not work.')}</strong>{' '}
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
