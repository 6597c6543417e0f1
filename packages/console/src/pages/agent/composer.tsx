/** Where a message is written: with files, and a button that stops what it has begun. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.js';

export function Composer({
  label,
  field,
  text,
  onText,
  files,
  onFiles,
  busy,
  onSend,
  onSteer,
  onInterrupt,
  onStop,
}: {
  label: string;
  /** What it is to screen readers. */
  field: string;
  text: string;
  onText: (text: string) => void;
  files: readonly File[];
  onFiles: (files: readonly File[]) => void;
  busy: boolean;
  onSend: () => void;
  /** Says it to what is at work, and in its place; null while nothing is. */
  onSteer: (() => void) | null;
  onInterrupt: (() => void) | null;
  /** Null while there is nothing to stop. */
  onStop: (() => void) | null;
}) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div class="stack tight">
      {files.length > 0 && (
        <ul class="files" aria-label="Files to send">
          {files.map((file, n) => (
            <li key={`${file.name} ${n}`}>
              <Chosen
                file={file}
                onRemove={() => {
                  onFiles(files.filter((one) => one !== file));
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          (onSteer ?? onSend)();
        }}
      >
        <textarea
          aria-label={field}
          placeholder={label}
          rows={2}
          value={text}
          onInput={(event) => {
            onText(event.currentTarget.value);
          }}
          onPaste={(event) => {
            const pasted = [...(event.clipboardData?.files ?? [])];
            if (pasted.length > 0) onFiles([...files, ...pasted]);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            (onSteer ?? onSend)();
          }}
        />
        <div class="composer-actions">
          {onSteer !== null && onInterrupt !== null && text.trim() !== '' ? (
            <>
              <Button kind="primary" type="submit" needs="agent:spawn">
                Add this
              </Button>
              <Button needs="agent:spawn" onClick={onInterrupt}>
                Interrupt
              </Button>
            </>
          ) : busy && onStop !== null ? (
            <Button kind="danger" needs="agent:manage" onClick={onStop}>
              Stop
            </Button>
          ) : (
            <Button kind="primary" type="submit" busy={busy} needs="agent:spawn">
              {busy ? 'Thinking…' : 'Send'}
            </Button>
          )}
        </div>
      </form>
      <div class="row between hint">
        <span>Enter sends, Shift and Enter begin a new line.</span>
        <Button
          small
          kind="quiet"
          onClick={() => {
            chooser.current?.click();
          }}
        >
          Add images or files
        </Button>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label="Images or files"
          onChange={(event) => {
            onFiles([...files, ...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </div>
    </div>
  );
}

function Chosen({ file, onRemove }: { file: File; onRemove: () => void }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!/^image\/(png|jpeg|gif|webp)$/.test(file.type)) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
    };
  }, [file]);
  return (
    <figure>
      {url !== null && <img src={url} alt={file.name} />}
      <figcaption class="row hint">
        {file.name}
        <Button small kind="quiet" label={`Do not send ${file.name}`} onClick={onRemove}>
          Remove
        </Button>
      </figcaption>
    </figure>
  );
}
