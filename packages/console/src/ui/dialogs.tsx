/** Dialogs: a plain one, a question before what cannot be undone, a secret. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button, useAction } from './button.js';
import { TextField } from './fields.js';
import { Icon } from './icons.js';
import { Problem, Snippet } from './states.js';

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
