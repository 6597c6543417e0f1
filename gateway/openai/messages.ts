/** The messages of OpenAI's chat completions: their schema, and their text. */
import { z } from 'zod';
import { mostObjects } from '../../src/domain/shared/bounded.js';

const part = z
  .looseObject({
    type: z
      .enum(['text', 'refusal', 'image_url', 'file'], 'must be text, refusal, image_url or file')
      .describe('The kind of content.'),
    text: z.string().nullish().describe('The text.'),
    refusal: z.string().nullish().describe('What the assistant has said to refuse.'),
    image_url: z
      .looseObject({ url: z.string().describe('The image, as a data: URL.') })
      .nullish()
      .describe('An image.'),
    file: z
      .looseObject({
        filename: z.string().nullish().describe('Its name.'),
        file_data: z.string().nullish().describe('Its content, as a data: URL or base64.'),
      })
      .nullish()
      .describe('A file.'),
  })
  .refine(({ type, text }) => type !== 'text' || typeof text === 'string', {
    path: ['text'],
    message: 'must be a text',
  });
/** Messages, or parts of one: a body has no room for more of them that are well-formed. */
export const mostMessages = 4000;
const content = mostObjects(mostMessages, part, z.union([z.string(), z.array(part)]));
export const calledTool = z.looseObject({
  id: z.string().nullish().describe('The id of the call.'),
  function: z
    .looseObject({
      name: z.string().describe('Its name.'),
      arguments: z.string().describe('Its arguments, as JSON.'),
    })
    .describe('The function.'),
});
export const message = z.looseObject({
  role: z
    .enum(['system', 'developer', 'user', 'assistant', 'tool'])
    .describe('`system` and `developer` are instructions for this run; `tool` is the result of a call.'),
  content: content.nullish().describe('A text, or parts: texts, and of the user also images and files.'),
  tool_calls: z.array(calledTool).nullish().describe('The calls that the assistant asked for.'),
  tool_call_id: z.string().nullish().describe('Of a result: the id of its call.'),
});
export type OpenAiMessage = z.infer<typeof message>;

export const textOfMessage = (message: OpenAiMessage | undefined): string => {
  const given = message?.content ?? '';
  if (typeof given === 'string') return given;
  return given.flatMap(({ type, text, refusal }) => (type === 'text' ? (text ?? []) : (refusal ?? []))).join('\n');
};
