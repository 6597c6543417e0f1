/**
 * Files that come with what is said to an agent, and that its model is given as they are: images and PDFs. Texts, and
 * JSON as a file, are read as text instead (task.ts).
 *
 *  - The bytes of a file are a document of their own, whose id is their SHA-256: an agent has it once, whatever the
 *    number of its runs that hold it. Runs and messages name it.
 *  Files.F2 A file is deleted with the last run that holds it.
 *  - What an agent does not take is refused, and changes nothing: it must not answer as if it had seen it.
 */
import type { AgentDraft } from './agent-draft.js';
import { bounds, type RunRecord } from './agent-state.js';
import { HivekeepError, invalid } from './errors.js';
import { type AgentConfig, asksModel } from './agent-config.js';
import type { RunFile } from './records.js';
import { sizeOf } from './storage.js';
import { type FileType, imageTypes } from './vocabulary.js';

/** A file of a request, whose bytes (base64) the request has at this path. */
export interface GivenFile {
  sha256: string;
  /** In bytes. */
  size: number;
  bytes: string;
  mediaType: string;
  filename?: string | undefined;
  path: string;
}

/** What came with a message, and which of it the agent has already. */
export interface GivenFiles {
  given: readonly GivenFile[];
  held: readonly string[];
}

/** How a message that is stored or shown names a file. */
export const fileUri = (sha256: string): string => `urn:sha256:${sha256}`;

/** The media types of the files that an agent with this configuration takes beside texts. */
export const acceptedTypes = (config: Pick<AgentConfig, 'model' | 'accepts'>): readonly FileType[] =>
  asksModel(config) ? (config.accepts ?? imageTypes) : [];

/** What a document of so many bytes adds to what is stored. */
const storedSize = (size: number): number => sizeOf({ bytes: '' }) + 4 * Math.ceil(size / 3);

/** Adds the files to the run, which has been said to be after so many steps if it is not its input. */
export function takeFiles(
  d: AgentDraft,
  record: RunRecord,
  config: AgentConfig,
  files: GivenFiles | undefined,
  step?: number,
): void {
  if (!files || files.given.length === 0) return;
  const accepted: readonly string[] = acceptedTypes(config);
  const before = record.files ?? [];
  const held = new Set(files.held);
  let bytes = before.reduce((sum, { size }) => sum + size, 0);
  const taken = files.given.map(({ sha256, size, mediaType, filename, path }): RunFile => {
    if (!accepted.includes(mediaType)) throw notAccepted(path, mediaType, accepted);
    bytes += size;
    return {
      sha256,
      size,
      mediaType,
      ...(filename !== undefined && { filename }),
      ...(step !== undefined && { step }),
    };
  });
  const [first] = files.given;
  if (first && (bytes > bounds.filesBytes || before.length + taken.length > bounds.files))
    throw invalid({
      path: first.path,
      message: `is beyond what a run may hold: ${bounds.files} files, of ${bounds.filesBytes / 1024 / 1024} MiB together`,
    });
  for (const { sha256, bytes: content } of files.given) {
    if (held.has(sha256)) continue;
    held.add(sha256);
    d.put('file', sha256, { bytes: content }, true);
  }
  record.files = [...before, ...taken];
}

function notAccepted(path: string, mediaType: string, accepted: readonly string[]): HivekeepError {
  const what = mediaType === '' ? 'without a media type' : `of the media type ${mediaType}`;
  const message = `is a file ${what}: this agent reads ${['text/*', 'application/json', ...accepted].join(', ')}`;
  return new HivekeepError('UNSUPPORTED_MEDIA_TYPE', `${path} ${message}`, {
    details: { issues: [{ path, message }] },
  });
}

/** The files that a fork at this step has of the run. */
export const filesUntil = (record: RunRecord, steps: number): readonly RunFile[] | undefined =>
  record.files?.filter(({ step }) => step === undefined || step < steps);

/** The files that no run holds any more. */
export type FreedFile = Pick<RunFile, 'sha256' | 'size'>;

export function dropFiles(d: AgentDraft, freed: readonly FreedFile[]): void {
  for (const { sha256, size } of freed) d.remove('file', sha256, storedSize(size));
}
