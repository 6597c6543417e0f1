/**
 * A server that runs, for the commands `export` and `import` with --url. What fails for a moment is tried again for
 * most of a minute.
 */
import pRetry, { AbortError } from 'p-retry';
import type { Environment } from '../../src/config/config.js';
import { checkRecord, type CheckedRecord } from '../../src/domain/import/import-records.js';
import { readLines } from '../../src/transfer/lines.js';
import { longestLine, newHash, type ExportRecord, type RecordCounts } from '../../src/transfer/records.js';
import { Failure } from './failure.js';

export interface Remote {
  url: string;
  key: string;
  /** How its address is given. Default: by --url. */
  named?: string;
}

export interface RemoteWorkspace {
  id: string;
  name: string;
  tier: string;
}

export interface RemoteImportReport {
  added: RecordCounts;
  present: RecordCounts;
  refused: number;
  reasons: string[];
}

/** It may work when it is tried again. */
class Passing extends Failure {}

const retries = { retries: 8, minTimeout: 500, maxTimeout: 10_000 };
const passing: ReadonlySet<number> = new Set([409, 429, 502, 503, 504]);

export function remoteOf(url: string, { HIVEKEEP_KEY: key = '' }: Environment): Remote {
  const { protocol = '', username = '', password = '' } = URL.canParse(url) ? new URL(url) : {};
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '')
    throw new Failure('--url must be the address of a server, such as https://hive.example.com, without credentials');
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Failure('HIVEKEEP_KEY must be an API key with workspace:admin, which says the workspace');
  return { url: url.replace(/\/+$/, ''), key };
}

/** Where a response sends a command. Followed, it would give what is sent to whoever it names. */
export const redirectOf = ({ status, headers }: Response): string | null =>
  status >= 300 && status < 400 ? headers.get('location') : null;

export const sentTo = (elsewhere: string, named: string): string =>
  `the server sends this command to ${elsewhere}: name that server with ${named}, if it is the one`;

/** Repeats work that a server, or the way to it, has failed. */
export async function insistent<T>(what: string, work: () => Promise<T>, tries = retries): Promise<T> {
  try {
    return await pRetry(async () => {
      try {
        return await work();
      } catch (error) {
        throw error instanceof Passing ? error : new AbortError(error as Error);
      }
    }, tries);
  } catch (error) {
    if (!(error instanceof Passing)) throw error;
    throw new Failure(`${what} stopped: ${error.message}. Run the same command again: it goes on where it stopped`, {
      cause: error,
    });
  }
}

export async function remoteWorkspace(remote: Remote): Promise<RemoteWorkspace> {
  const data = await dataOf<{ workspace: RemoteWorkspace; tier: string }>(await askRemote(remote, '/v1/me'));
  return { id: data.workspace.id, name: data.workspace.name, tier: data.tier };
}

/** The lines of an export of everything, or of what comes after an entity. */
export async function* remoteLines(
  remote: Remote,
  agent: string | undefined,
  after: string | undefined,
): AsyncGenerator<string> {
  const query = new URLSearchParams({ ...(agent && { agent_id: agent }), ...(after !== undefined && { after }) });
  const { body } = await askRemote(remote, `/v1/export?${query.toString()}`);
  const received = newHash();
  for await (const { bytes } of readLines(arriving(body), longestLine)) {
    const text = `${bytes.toString()}\n`;
    const record = parsed<ExportRecord>(text);
    if (record.record === 'end' && record.sha256 !== received.digest('hex'))
      throw new Passing('what came is not what was sent');
    yield text;
    if (record.record === 'end') return;
    received.update(text);
  }
  throw new Passing('the connection was cut');
}

export async function sendPart(remote: Remote, text: string): Promise<RemoteImportReport> {
  return dataOf(await askRemote(remote, '/v1/import', { method: 'POST', body: text, type: 'application/x-ndjson' }));
}

/** The record that opens an agent, as its export has it. */
export async function remoteAgent(remote: Remote, agent: string): Promise<CheckedRecord> {
  const { body } = await askRemote(remote, `/v1/export?agent_id=${encodeURIComponent(agent)}`);
  for await (const { bytes } of readLines(arriving(body), longestLine)) {
    const { record, id, data } = parsed<{ record: string; id: string; data: unknown }>(bytes.toString());
    if (record !== 'agent') continue;
    const checked = checkRecord('agent', id, data);
    if (typeof checked === 'string') throw new Failure(`The server tells of ${agent} what cannot be read: ${checked}`);
    return checked;
  }
  throw new Passing('the connection was cut');
}

/** What the answer holds. It may be cut off, or be that of a proxy. */
async function dataOf<T>(answer: Response): Promise<T> {
  const text = await answer.text().catch((cause: unknown) => {
    throw new Passing('the connection was cut', { cause });
  });
  return parsed<{ data: T }>(text).data;
}

function parsed<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new Passing('what came is not JSON', { cause });
  }
}

async function* arriving(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    if (body) yield* body as unknown as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new Passing('the connection was cut', { cause });
  }
}

/** Resolves to an answer that is none of an error. */
export async function askRemote(
  { url, key, named = '--url' }: Remote,
  path: string,
  { method = 'GET', body, type }: { method?: string; body?: string; type?: string } = {},
): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}`, ...(type && { 'Content-Type': type }) };
  let response: Response;
  try {
    response = await fetch(url + path, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
  } catch (cause) {
    throw new Passing(`no server answers at ${url}`, { cause });
  }
  if (response.ok) return response;
  const elsewhere = redirectOf(response);
  if (elsewhere !== null) throw new Failure(sentTo(elsewhere, named));
  const told = await response.text().then(messageOf, () => '');
  const what = told === '' ? `the server answered ${response.status}` : `the server answered: ${told}`;
  throw passing.has(response.status) ? new Passing(what) : new Failure(what);
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    return ''; // what stands between, such as a proxy, has answered: its status is told
  }
}
