/** The official client of OpenAI, with the agents of a server as its models. */
import OpenAI from 'openai';
import type { World } from '../a2a/support/world.js';

export const baseURL = (world: World): string => `${world.server().url}/v1/openai/v1`;

export const clientOf = (world: World, key = world.api.key): OpenAI =>
  new OpenAI({ baseURL: baseURL(world), apiKey: key });

export const user = (content: string): OpenAI.ChatCompletionUserMessageParam => ({ role: 'user', content });

/** The error that the client raises. */
export async function problem(asked: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  try {
    await asked;
  } catch (error) {
    if (error instanceof OpenAI.APIError) return error;
    throw error;
  }
  throw new Error('it was answered');
}
