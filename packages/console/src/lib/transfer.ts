/** Exports as files that the browser saves, and imports of them, with how far they have come. */
import { reach, refused, type Schema } from './api.js';
import { ApiError, ConnectionError } from './errors.js';
import { base } from './router.js';
import { session } from './session.js';

export type ImportReport = Schema<'ImportReport'>;

/** Saves an export of the workspace, or of one agent. Rejects if it was cut: its last line says that it is whole. */
export async function saveExport(
  name: string,
  agent: string | null,
  progress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await reach('GET', '/v1/export', { query: { agent_id: agent }, signal });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  try {
    for (let reader = response.body?.getReader(); reader !== undefined;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      progress((received += value.length));
    }
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new ConnectionError('the service does not answer', { cause });
  }
  const file = new Blob(chunks, { type: 'application/x-ndjson' });
  if (!/(^|\n)\{"record":"end".*\n$/.test(await file.slice(-2000).text()))
    throw new ConnectionError('the service does not answer');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}-${new Date().toISOString().slice(0, 10)}.ndjson`;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, 60_000);
}

/** Sends a file. `progress` gets the share that was sent; only XMLHttpRequest tells it. */
export function sendImport(
  file: Blob,
  label: string | null,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<ImportReport> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    const query = label === null ? '' : `?new_ids=${encodeURIComponent(label)}`;
    sending.open('POST', `${base}/v1/import${query}`);
    sending.setRequestHeader('Content-Type', 'application/x-ndjson');
    sending.setRequestHeader('Authorization', `Bearer ${session.get().key ?? ''}`);
    sending.upload.onprogress = ({ loaded, total }) => {
      progress(total > 0 ? loaded / total : 0);
    };
    sending.onload = () => {
      if (sending.status === 200) resolve((JSON.parse(sending.responseText) as { data: ImportReport }).data);
      else reject(refusal(sending.status, sending.responseText, sending.getResponseHeader('retry-after')));
    };
    sending.onerror = () => {
      reject(new ConnectionError('the service does not answer'));
    };
    sending.onabort = () => {
      reject(new Error('It was stopped. What was taken in before stays.'));
    };
    signal.addEventListener('abort', () => {
      sending.abort();
    });
    sending.send(file);
  });
}

function refusal(status: number, text: string, retryAfter: string | null): ApiError {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = null;
  }
  if (status === 401) refused();
  return new ApiError(status, body, Number(retryAfter) || null);
}
