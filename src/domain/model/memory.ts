/** Memories (docs/api.md 2.2). A memory belongs to an agent, to a hive, or (if neither is set) to the workspace. */
import { z } from 'zod';
import { errorCodes } from '../shared/errors.js';
import { changed, count, created, expiryTime, fixedList, id, metadataObject, share, time } from './fields.js';

export const memory = z.object({
  id: id('mem').describe('The id of the memory.'),
  type: z.string().describe('The kind of memory, for example episodic, semantic or procedural.'),
  content: z.string().describe('The remembered text.'),
  agent_id: id('agent')
    .nullable()
    .describe('The agent it belongs to, or null for memories of a hive or of the workspace.'),
  hive_id: id('hive')
    .nullable()
    .describe('The hive it belongs to. If `agent_id` is null as well, it is a memory of the workspace.'),
  shared_by: id('agent').nullable().describe('For hive memories, the agent that shared it.'),
  sessionId: z.string().nullable().describe('The conversation it is part of, if any.'),
  subject: z.string().nullable().describe('Whom it belongs to, or null if to nobody in particular.'),
  position: count
    .nullable()
    .describe('Its position in the session, starting at 0. Null without a session, and for what was learnt.'),
  importance: share
    .nullable()
    .describe('The importance set by the client. It breaks ties between memories that match a search equally well.'),
  occurred_at: time.describe('When the content was said or happened.'),
  speaker: z.string().nullable().describe('Who said it.'),
  source: id('run').nullable().describe('The run whose input it was learnt from.'),
  run_id: id('run').nullable().describe('The run that wrote it, by a tool or by learning; null for what others wrote.'),
  supersedes: z.string().nullable().describe('The id of the memory it replaced.'),
  superseded_by: z.string().nullable().describe('The id of the memory that replaced it.'),
  valid_until: time
    .nullable()
    .describe('When the fact stopped being true. Null means that it still holds, as far as is known.'),
  times_seen: z
    .int()
    .min(1)
    .describe('How often it was stated. A repetition raises this count and adds no second memory.'),
  last_seen_at: time.describe('When it was last stated.'),
  metadata: metadataObject.describe('Arbitrary metadata set by clients. Lists can be filtered by it.'),
  expires_at: expiryTime,
  created_at: created,
  updated_at: changed,
});
export type Memory = z.infer<typeof memory>;
export const batchResult = z.object({
  created: count.describe('The number of memories added.'),
  repeated: count.describe('The number of memories that were there already, and were counted as seen again.'),
  failed: count.describe('The number of memories rejected.'),
  results: z
    .array(
      z.object({
        memory: memory.nullable().describe('The memory as stored, or null if it was rejected.'),
        error: z
          .object({
            code: z.enum(errorCodes).describe('As in errors of POST /v1/memories.'),
            message: z.string().describe('A human-readable explanation.'),
            details: z.record(z.string(), z.unknown()).describe('As in errors of POST /v1/memories.'),
          })
          .nullable()
          .describe('Why it was rejected, or null if it was added.'),
      }),
    )
    .describe('The outcome for each memory, in the order of the request.'),
});
export type BatchResult = z.infer<typeof batchResult>;
/** What became of one memory of a batch. */
export type BatchItem = BatchResult['results'][number];
const relevance = share.describe('A score from 0 to 1; higher is better.');
const explanation = z
  .object({
    score: z.number().describe('The score by which results are ordered.'),
    shares: z
      .record(z.string(), z.number())
      .describe('The contribution of each feature to the score. Features that contributed nothing are left out.'),
  })
  .describe('Present if the search set `explain`.');
export const foundMemory = memory.extend({
  id: z
    .string()
    .meta({ pattern: '^(mem|msg|run)_' })
    .describe('The id of a memory, a mailbox message or a conversation turn, depending on `type`.'),
  relevance,
  explanation: explanation.optional(),
});
export type FoundMemory = z.infer<typeof foundMemory>;
export const consultedMemory = z.object({
  id: z.string().describe('The id of the memory or the message.'),
  type: z.string().describe('The type of the memory, or `message` for a mailbox message.'),
  content: z.string().describe('Its text.'),
  relevance,
});
export type ConsultedMemory = z.infer<typeof consultedMemory>;

export const promptContextResult = z.object({
  text: z
    .string()
    .describe(
      'The block to put into a prompt, with a line for each memory between fences. Empty if nothing was found.',
    ),
  tokens: count.describe('The size of the text in tokens, estimated near what common tokenizers count.'),
  items: z
    .array(
      z.object({
        id: z
          .string()
          .meta({ pattern: '^(mem|msg|run|block)_' })
          .describe('The id of a memory, a mailbox message, a conversation turn or a block, depending on `kind`.'),
        part: z
          .enum(['blocks', 'profile', 'facts', 'conversation'])
          .describe(
            'The part of the text that it stands in. What was said in a session stands in the conversation; how somebody wants things always done, and what they prefer, in the profile; the blocks of the agent before all of it.',
          ),
        kind: z
          .enum(['memory', 'message', 'turn', 'block'])
          .describe('What it is: turns, messages and blocks are no memories.'),
        type: z.string().describe('The type, as in a search result.'),
        sessionId: memory.shape.sessionId,
        at: time.describe('When it was said or happened.'),
        relevance: relevance.nullable().describe('As in a search. Null if it stands beside what was found.'),
        score: z
          .number()
          .nullable()
          .describe('The score by which it was chosen. Null if it stands beside what was found.'),
        tokens: count.describe('The estimated number of tokens that it takes in the text.'),
        cut: z.boolean().describe('Whether only a passage of it is in the text.'),
      }),
    )
    .describe('What the text consists of, in its order.'),
  left_out: count.describe('How much else was found and did not fit.'),
});
export type PromptContext = z.infer<typeof promptContextResult>;

/** Blocks: texts that an agent is told at each step (docs/api.md 2.17). */
const writtenBy = z.enum(['client', 'model']);

export const keptVersion = z.object({
  version: count.describe('Its number, which `restore` names.'),
  value: z.string().describe('What it said.'),
  by: writtenBy.describe('Who had written that.'),
  at: time.describe('When that was written.'),
});

export const block = z.object({
  id: id('block').describe('The id of the block, which follows from its label and its subject.'),
  agent_id: id('agent').describe('The agent that is told it.'),
  subject: z
    .string()
    .nullable()
    .describe('Whom it is about: it is told for this subject alone. Null: it is told whoever the agent works for.'),
  label: z.string().describe('Its name among the blocks of the agent for this subject.'),
  description: z.string().describe('What it is for, which the model is told with it.'),
  value: z.string().describe('What it says.'),
  limit: z.int().min(1).describe('The most characters that it may have.'),
  read_only: z.boolean().describe('Whether only clients change it, and the model of the agent never does.'),
  version: z.int().min(1).describe('Its number, which grows by one with each change.'),
  by: writtenBy.describe('Who has changed it last: a `client`, or the `model` of the agent.'),
  versions: fixedList(keptVersion).describe(
    'What it said before, the newest first: the last few that said something else.',
  ),
  created_at: created,
  updated_at: changed,
});
export type Block = z.infer<typeof block>;

/** What an agent keeps in mind of somebody, or of nobody in particular (docs/api.md 2.18). */
const slot = z
  .object({
    value: z.string().describe('What the block says.'),
    since: time.describe('When that was written.'),
  })
  .nullable();
export const profile = z.object({
  agent_id: id('agent').describe('The agent whose profile it is.'),
  subject: z.string().nullable().describe('Whose it is. Null: that of nobody in particular.'),
  slots: z
    .object({
      name: slot.describe('The block `name`: what the subject is called. Null if there is none.'),
      language: slot.describe('The block `language`: in which language the subject is to be answered, or null.'),
      timezone: slot.describe(
        'The block `timezone`: where the subject is, as a time zone of the IANA database. Models are told the time there. Null if there is none.',
      ),
    })
    .describe('Blocks of the subject with these labels.'),
  blocks: z.array(block).describe('All blocks that a run for the subject is told.'),
  entries: z
    .array(
      z.object({
        id: z.string().describe('The id of the entry, which follows from its text.'),
        text: z.string().describe('What is to be done or preferred, word for word.'),
        kind: z
          .enum(['order', 'preference'])
          .describe('Whether it says how something is to be done, or what is preferred.'),
        since: time.describe('When it was said first, as far as that was read.'),
        times_seen: z.int().min(1).describe('How many texts say it.'),
        evidence: z
          .array(
            z.object({
              kind: z.enum(['memory', 'turn']).describe('Whether a memory or a turn of a conversation says it.'),
              id: z.string().describe('The id of the memory or the turn.'),
              run_id: id('run').nullable().describe('The run in which it was said, or null for a memory.'),
              sessionId: z.string().nullable().describe('The conversation in which it was said, or null.'),
              at: time.describe('When it was said.'),
            }),
          )
          .describe('What says it, the newest first.'),
      }),
    )
    .describe('What the rules for English find in what clients said and in memories, what matters most first.'),
});
export type Profile = z.infer<typeof profile>;
