/**
 * The servers of language models: those of the settings HIVEKEEP_OPENAI_* and HIVEKEEP_ANTHROPIC_*, called `openai` and
 * `anthropic`, and those of the file that HIVEKEEP_MODELS names. `config.model: "<server>/<model>"` selects one.
 */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { EmbeddingForm } from '../embeddings/openai.js';
import { ConfigError, type Config } from './config.js';
import { fileText, jsonFile } from './json-file.js';
import { Bad, webUrl } from './parse.js';

/** Chat completions, OpenAI's Responses API or Anthropic's Messages API. */
export type ModelApi = 'openai' | 'responses' | 'anthropic';

export interface ModelServerConfig {
  name: string;
  speaks: ModelApi;
  /** Null for the vendor's own. */
  baseUrl: string | null;
  apiKey: string | null;
  /** Time limit of one request, ms. */
  timeoutMs: number;
  maxAnswerBytes: number;
  /** Time limit of a silence in the middle of an answer, ms. */
  silenceMs: number;
  /** Whether its answers are read while it writes them. */
  stream: boolean;
  /** How many tokens its models can read; null if that is learnt from the server. */
  contextWindow: number | null;
  /** How many requests it works on at a time; null if that is not said. */
  atOnce: number | null;
  /** What is known of how its models want to be asked. */
  habits: { limit?: 'max_tokens' | 'max_completion_tokens'; system?: 'system' | 'user' };
  /** What it is sent beside what its API wants. */
  additions: {
    headers?: Readonly<Record<string, string>> | undefined;
    query?: Readonly<Record<string, string>> | undefined;
    extraBody?: Readonly<Record<string, unknown>> | undefined;
  };
  /** How its models of embeddings want to be asked. */
  form: EmbeddingForm;
  /** What errors call the settings of this server. */
  settings: { baseUrl: string; apiKey: string; maxAnswerBytes: string };
}

const setting = 'HIVEKEEP_MODELS';
const defaultTimeoutMs = 120_000;
const defaultSilenceMs = 120_000;

/** Headers that the service sends itself, or that belong to the connection. */
const reserved = /^(?:host|content-.*|transfer-encoding|connection|accept.*|user-agent)$/i;

const entry = z
  .strictObject({
    speaks: z.enum(['openai', 'responses', 'anthropic']).default('openai'),
    base_url: z
      .string()
      .refine(
        (text) => !(webUrl(text) instanceof Bad),
        'must be an http or https URL without credentials, query or fragment',
      )
      .optional(),
    api_key: z.string().min(1).optional(),
    api_key_file: z.string().min(1).optional(),
    timeout_seconds: z.number().min(1).max(3600).optional(),
    max_answer_bytes: z
      .int()
      .min(1024)
      .max(64 * 1024 * 1024)
      .optional(),
    silence_seconds: z.number().min(1).max(3600).optional(),
    stream: z.boolean().default(true),
    context_window: z.int().min(256).max(100_000_000).optional(),
    at_once: z.int().min(1).max(100_000).optional(),
    max_tokens_field: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
    system: z.enum(['system', 'user']).optional(),
    headers: z
      .record(
        z
          .string()
          .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be 1 to 64 letters, digits or -')
          .refine((name) => !reserved.test(name), 'must not be a header that the service sends itself'),
        z.string().regex(/^[\x20-\x7e]{1,4096}$/, 'must be 1 to 4096 printable ASCII characters'),
      )
      .optional(),
    query: z.record(z.string().min(1).max(128), z.string().max(1024)).optional(),
    extra_body: z
      .record(z.string().min(1).max(128), z.json())
      .refine((body) => !['model', 'messages', 'input', 'stream'].some((name) => name in body), {
        message: 'must leave out model, messages, input and stream',
      })
      .optional(),
    query_prefix: z.string().min(1).max(1000).optional(),
    passage_prefix: z.string().min(1).max(1000).optional(),
    input_type: z.strictObject({ query: z.string().min(1).max(64), passage: z.string().min(1).max(64) }).optional(),
    dimensions: z.int().min(1).max(4096).optional(),
  })
  .refine((server) => server.api_key === undefined || server.api_key_file === undefined, {
    message: 'has api_key and api_key_file: leave one out',
  });
const file = z.record(
  z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits and hyphens, a letter first'),
  entry,
);

/** All servers, by name. Throws ConfigError with a sentence for each problem, none of which contains a key. */
export function modelServers(config: Config): Map<string, ModelServerConfig> {
  const servers = new Map<string, ModelServerConfig>();
  for (const speaks of ['openai', 'anthropic'] as const) {
    const baseUrl = config[`${speaks}BaseUrl`];
    const apiKey = config[`${speaks}ApiKey`];
    if (baseUrl === null && apiKey === null) continue;
    const prefix = `HIVEKEEP_${speaks.toUpperCase()}`;
    servers.set(speaks, {
      name: speaks,
      speaks,
      baseUrl,
      apiKey,
      timeoutMs: defaultTimeoutMs,
      maxAnswerBytes: config.openaiMaxAnswerBytes,
      silenceMs: defaultSilenceMs,
      stream: true,
      contextWindow: null,
      atOnce: null,
      habits: {},
      additions: {},
      form: {},
      settings: {
        baseUrl: `${prefix}_BASE_URL`,
        apiKey: `${prefix}_API_KEY`,
        maxAnswerBytes: 'HIVEKEEP_OPENAI_MAX_ANSWER_BYTES',
      },
    });
  }
  if (config.models !== null)
    for (const server of inFile(config.models, config)) {
      if (server.name === 'built-in' || servers.has(server.name))
        throw new ConfigError([`HIVEKEEP_MODELS: the name ${server.name} is taken; give the server another.`]);
      servers.set(server.name, server);
    }
  return servers;
}

/** The server and model of HIVEKEEP_EMBEDDINGS; null where it is off. Throws ConfigError. */
export function embeddingServer(config: Config): { server: ModelServerConfig; model: string } | null {
  if (config.embeddings === 'off') return null;
  const slash = config.embeddings.indexOf('/');
  const server = modelServers(config).get(config.embeddings.slice(0, slash));
  if (!server || server.speaks === 'anthropic')
    throw new ConfigError([
      `HIVEKEEP_EMBEDDINGS: no server "${config.embeddings.slice(0, slash)}" with OpenAI's API is configured; set HIVEKEEP_OPENAI_BASE_URL or HIVEKEEP_OPENAI_API_KEY for openai, or name the server in HIVEKEEP_MODELS.`,
    ]);
  return { server, model: config.embeddings.slice(slash + 1) };
}

function inFile(path: string, config: Config): ModelServerConfig[] {
  return Object.entries(jsonFile(setting, path, file)).map(([name, server]) => ({
    name,
    speaks: server.speaks,
    baseUrl: server.base_url?.replace(/\/+$/, '') ?? null,
    apiKey:
      server.api_key_file === undefined ? (server.api_key ?? null) : keyIn(resolve(dirname(path), server.api_key_file)),
    timeoutMs: server.timeout_seconds === undefined ? defaultTimeoutMs : server.timeout_seconds * 1000,
    maxAnswerBytes: server.max_answer_bytes ?? config.openaiMaxAnswerBytes,
    silenceMs: server.silence_seconds === undefined ? defaultSilenceMs : server.silence_seconds * 1000,
    stream: server.stream,
    contextWindow: server.context_window ?? null,
    atOnce: server.at_once ?? null,
    habits: {
      ...(server.max_tokens_field && { limit: server.max_tokens_field }),
      ...(server.system && { system: server.system }),
    },
    additions: { headers: server.headers, query: server.query, extraBody: server.extra_body },
    form: {
      ...((server.query_prefix ?? server.passage_prefix) !== undefined && {
        prefix: {
          ...(server.query_prefix !== undefined && { query: server.query_prefix }),
          ...(server.passage_prefix !== undefined && { passage: server.passage_prefix }),
        },
      }),
      ...(server.input_type && { inputType: server.input_type }),
      ...(server.dimensions !== undefined && { dimensions: server.dimensions }),
    },
    settings: {
      baseUrl: `${name}.base_url in HIVEKEEP_MODELS`,
      apiKey: `${name}.api_key in HIVEKEEP_MODELS`,
      maxAnswerBytes: `${name}.max_answer_bytes in HIVEKEEP_MODELS`,
    },
  }));
}

const keyIn = (path: string): string => {
  const key = fileText(setting, path).trim();
  if (key === '') throw new ConfigError([`${setting}: ${path} is empty.`]);
  return key;
};
