/** The files of a run: images are shown, others can be saved. */
import { useEffect, useState } from 'preact/hooks';
import { path, request, type Run, type Schema } from '../lib/api.js';
import { bytes } from '../lib/format.js';
import { explain } from '../lib/errors.js';
import { Button } from './button.js';
import { say } from './toasts.js';

type RunFile = Run['files'][number];

/** Those that browsers show, and that contain no program. */
const shown = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export const Files = ({ agent, files }: { agent: string; files: readonly RunFile[] }) =>
  files.length === 0 ? null : (
    <ul class="files" aria-label="Files">
      {files.map((file) => (
        <li key={file.sha256}>
          {shown.has(file.mediaType) ? <Picture agent={agent} file={file} /> : <Other agent={agent} file={file} />}
        </li>
      ))}
    </ul>
  );

const nameOf = ({ filename, mediaType }: RunFile): string => filename ?? `a file of the type ${mediaType}`;

async function read(agent: string, { sha256, mediaType }: RunFile, signal?: AbortSignal): Promise<Blob> {
  const url = path`/v1/agent-constellations/${agent}/files/${sha256}`;
  const file = await request<Schema<'File'>>('GET', url, { signal });
  return new Blob([Uint8Array.from(atob(file.bytes), (byte) => byte.charCodeAt(0))], { type: mediaType });
}

function Picture({ agent, file }: { agent: string; file: RunFile }) {
  const [url, setUrl] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { sha256 } = file;
  useEffect(() => {
    const controller = new AbortController();
    let made: string | null = null;
    read(agent, file, controller.signal).then(
      (blob) => {
        if (controller.signal.aborted) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setProblem(explain(error));
      },
    );
    return () => {
      controller.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [agent, sha256]);
  return (
    <figure>
      {url === null ? <span class="picture" aria-busy={problem === null} /> : <img src={url} alt={nameOf(file)} />}
      <figcaption class="hint">{problem ?? `${nameOf(file)} · ${bytes(file.size)}`}</figcaption>
    </figure>
  );
}

const Other = ({ agent, file }: { agent: string; file: RunFile }) => (
  <Button
    small
    onClick={() => {
      read(agent, file).then(
        (blob) => {
          const link = document.createElement('a');
          link.href = URL.createObjectURL(blob);
          link.download = file.filename ?? 'file';
          link.click();
          setTimeout(() => {
            URL.revokeObjectURL(link.href);
          }, 60_000);
        },
        (error: unknown) => {
          say(explain(error), { bad: true });
        },
      );
    }}
  >
    Save {nameOf(file)} ({bytes(file.size)})
  </Button>
);
