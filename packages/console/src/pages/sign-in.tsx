import { useState } from 'preact/hooks';
import { ApiError } from '../lib/errors.js';
import { signIn } from '../lib/sign-in.js';
import { Logo } from '../ui/icons.js';
import { Button, useAction } from '../ui/button.js';
import { Check, TextField } from '../ui/fields.js';
import { Problem } from '../ui/states.js';

/** `problem` is why there is nobody signed in, or null. */
export function SignIn({ problem }: { problem: unknown }) {
  const [key, setKey] = useState('');
  const [keep, setKeep] = useState(false);
  const [empty, setEmpty] = useState(false);
  const { run, busy, error } = useAction(async () => {
    await signIn(key.trim(), keep);
    return null;
  });
  const shown = error ?? (busy ? null : problem);
  const refused = error instanceof ApiError && error.status === 401;
  document.title = 'Sign in · hivekeep';
  return (
    <div class="sign-in">
      <main id="main">
        <h1 class="brand">
          <Logo />
          <span>hivekeep</span>
        </h1>
        <form
          class="card form"
          onSubmit={(event) => {
            event.preventDefault();
            setEmpty(key.trim() === '');
            if (key.trim() !== '') run();
          }}
        >
          <Problem
            error={shown}
            what={refused ? 'This key was refused.' : error === null ? 'Please sign in.' : undefined}
          />
          <TextField
            label="API key"
            type="password"
            value={key}
            onInput={setKey}
            placeholder="svc_live_… or svc_test_…"
            autocomplete="off"
            autoFocus
            error={empty && key === '' ? 'Paste a key first.' : undefined}
            hint="It goes to this server only, and is forgotten when you close or reload this page."
          />
          <Check
            checked={keep}
            onChange={setKeep}
            label="Keep me signed in in this tab"
            hint="Stores the key in this tab’s session storage until you close it."
          />
          <Button kind="primary" type="submit" busy={busy}>
            {busy ? 'Signing in…' : 'Sign in'}
          </Button>
        </form>
        <details>
          <summary>Where do I find a key?</summary>
          <div class="stack tight hint">
            <p>
              The first start writes one to <code>first-key</code> in the data folder and shows it on the terminal, with
              a link that signs you in. Another is made by:
            </p>
            <pre tabIndex={0}>npx --no-install hivekeep key create --workspace default --mode live --name me</pre>
          </div>
        </details>
      </main>
    </div>
  );
}
