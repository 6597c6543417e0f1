/**
 * Extensions of A2A that agents declare in their cards. A client asks for one by naming its URI in `A2A-Extensions`
 * (1.0) or `X-A2A-Extensions` (0.3).
 */

/**
 * Streams tell what the agent thinks, and the text of its answer while it is written, to callers with agent:read.
 * Without it 0.2 and 0.3 tell in short neutral words what the agent is doing, and 1.0 tells states and the artifact.
 */
export const thoughtsExtension = 'urn:hivekeep:a2a:thoughts:v1';

/** A message names the question that it answers, as `hivekeep/answers` in its metadata (docs/api.md 11.5). */
const answersExtension = 'urn:hivekeep:a2a:answers:v1';

/** Without `required`, which is false: fields with their default value are left out of signed cards (A2A 1.0, 8.4). */
export const declared = [
  {
    uri: thoughtsExtension,
    description: 'Streams tell thoughts, and answers while they are written.',
  },
  {
    uri: answersExtension,
    description: 'The metadata `hivekeep/answers` of a message names the messageId of the question that it answers.',
  },
] as const;

const known: ReadonlySet<string> = new Set(declared.map(({ uri }) => uri));

/** Which of the agent's extensions a header asks for. */
export const requestedExtensions = (header: string | string[] | undefined): ReadonlySet<string> =>
  header === undefined
    ? none
    : new Set(
        String(header)
          .split(',')
          .map((uri) => uri.trim())
          .filter((uri) => known.has(uri)),
      );

const none: ReadonlySet<string> = new Set();
