/** Export and import, as buttons that show how far they have come. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { bytes, count, percent } from '../lib/format.js';
import { saveExport, sendImport, type ImportReport } from '../lib/transfer.js';
import { Button } from './button.js';
import { Check, Field, TextField } from './fields.js';
import { Meter } from './labels.js';
import { Problem } from './states.js';
import { say } from './toasts.js';

/** Work that can be stopped, and ends with the part of the page that began it. */
function useStoppable(): {
  busy: boolean;
  error: unknown;
  run: (work: (signal: AbortSignal) => Promise<void>) => void;
  stop: () => void;
} {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  return {
    ...state,
    stop: () => {
      current.current?.abort();
    },
    run: (work) => {
      const own = (current.current = new AbortController());
      setState({ busy: true, error: null });
      work(own.signal).then(
        () => {
          setState({ busy: false, error: null });
        },
        (error: unknown) => {
          setState({ busy: false, error: own.signal.aborted ? null : error });
        },
      );
    },
  };
}

/** `agent` is null for the whole workspace. */
export function ExportButton({ name, agent, children }: { name: string; agent: string | null; children: string }) {
  const { busy, error, run, stop } = useStoppable();
  const [received, setReceived] = useState(0);
  const begin = (): void => {
    setReceived(0);
    run(async (signal) => {
      await saveExport(name, agent, setReceived, signal);
      say('The export is complete: your browser has saved it.');
    });
  };
  return (
    <div class="stack tight">
      <div class="actions">
        <Button needs="workspace:admin" busy={busy} onClick={begin}>
          {children}
        </Button>
        {busy && (
          <>
            <Button kind="quiet" onClick={stop}>
              Stop
            </Button>
            <span class="hint" role="status">
              {bytes(received)} received
            </span>
          </>
        )}
      </div>
      <Problem error={error} />
    </div>
  );
}

export function ImportForm() {
  const { busy, error, run, stop } = useStoppable();
  const [file, setFile] = useState<File | null>(null);
  const [isCopy, setIsCopy] = useState(false);
  const [label, setLabel] = useState('copy');
  const [share, setShare] = useState(0);
  const [report, setReport] = useState<ImportReport | null>(null);
  const begin = (): void => {
    if (file === null) return;
    setShare(0);
    setReport(null);
    run(async (signal) => {
      setReport(await sendImport(file, isCopy ? label : null, setShare, signal));
    });
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) begin();
      }}
    >
      <Field
        label="File"
        hint="An export of hivekeep, of up to 1 GiB. Larger ones and other formats: npx --no-install hivekeep import."
      >
        {(props) => (
          <input
            {...props}
            type="file"
            accept=".ndjson,.jsonl,application/x-ndjson"
            onChange={(event) => {
              setFile(event.currentTarget.files?.[0] ?? null);
            }}
          />
        )}
      </Field>
      <Check label="As a copy, with new ids" checked={isCopy} onChange={setIsCopy} />
      {isCopy && (
        <TextField
          label="Label of the copy"
          value={label}
          onInput={setLabel}
          hint="The same file and label give the same ids; another label makes another copy."
        />
      )}
      <div class="actions">
        <Button type="submit" kind="primary" needs="workspace:admin" busy={busy} disabled={file === null}>
          Import
        </Button>
        {busy && (
          <Button kind="quiet" onClick={stop}>
            Stop
          </Button>
        )}
      </div>
      {busy && (
        <div class="stack tight" role="status">
          <Meter share={share} />
          <span class="hint">{share < 1 ? `${percent(share)} sent` : 'It is checked and taken in.'}</span>
        </div>
      )}
      <Problem error={error} />
      {report !== null && <Told report={report} />}
    </form>
  );
}

function Told({ report: { added, present, refused, reasons } }: { report: ImportReport }) {
  const told = (counts: object): string => {
    const parts = Object.entries(counts as Record<string, number>).map(([name, n]) => `${count(n)} ${name}`);
    return parts.length === 0 ? 'nothing' : parts.join(', ');
  };
  return (
    <div role="status">
      <p>
        <strong>Added:</strong> {told(added)}. <strong>There already:</strong> {told(present)}.
      </p>
      {refused > 0 && (
        <p>
          <strong>Left out:</strong> {count(refused)} ({reasons.join('; ')}).
        </p>
      )}
    </div>
  );
}
