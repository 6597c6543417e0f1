/**
 * Defines every setting once: its parser, its default, its meaning. The environment variable follows from the key
 * (`dataDir` is HIVEKEEP_DATA_DIR). Validation, `hivekeep config`, `serve --help` and docs/configuration.md are all
 * generated from this table.
 */
import {
  accessToken,
  days,
  embeddingModel,
  host,
  hostPorts,
  issuer,
  networks,
  nonEmpty,
  oneOf,
  origins,
  rootKey,
  secondsSetting,
  secretKeys,
  valueOrClaim,
  webUrl,
  wholeNumber,
  type Parse,
} from './parse.js';
import { shardCounts } from '../store/shards.js';
import { mongodbUrl, redisUrl } from './service-urls.js';

export interface Setting<T> {
  parse: Parse<T>;
  default: T;
  help: string;
  /** How the default is displayed, if not simply as its value. */
  shown?: string;
  /** Never printed, not even in part. */
  secret?: true;
}

const setting = <T>(
  parse: Parse<T>,
  fallback: NoInfer<T>,
  help: string,
  more: { shown?: string; secret?: true } = {},
): Setting<T> => ({ parse, default: fallback, help, ...more });
const optional = <T>(parse: Parse<T>, help: string, more: { shown?: string; secret?: true } = {}): Setting<T | null> =>
  setting<T | null>(parse, null, help, more);

/** Above this the bucket's counters would exceed the safe integers (limits/in-memory.ts). */
const maxRate = 1_000_000_000;

export const settings = {
  host: setting(
    host,
    '127.0.0.1',
    'Address to listen on. Anything but a loopback address needs TLS, a trusted proxy or HIVEKEEP_PLAIN_HTTP: plain HTTP is refused there.',
  ),
  plainHttp: setting(
    oneOf('true', 'false'),
    'false',
    'Whether plain HTTP is served although HIVEKEEP_HOST is not a loopback address, for a container whose port is published on its host’s loopback address alone. Keys cross that network as they are.',
  ),
  port: setting(wholeNumber(0, 65535), 8420, 'Port to listen on; 0 takes a free one.'),
  dataDir: setting(nonEmpty, './data', 'Folder of the embedded store; not with HIVEKEEP_MONGODB_URL.'),
  publicUrl: optional(
    webUrl,
    'Base URL under which clients reach the service; agent cards name it, and agents elsewhere are told to push to it.',
    {
      shown: 'where it listens',
    },
  ),
  allowedHosts: setting<readonly string[]>(
    hostPorts,
    [],
    'Hosts (host or host:port) that agent cards may name where HIVEKEEP_PUBLIC_URL is not set, as the request came to them; loopback ones always may. Under any other a card is 400.',
  ),
  tlsCert: optional(nonEmpty, 'File with the certificate chain (PEM). With HIVEKEEP_TLS_KEY, HTTPS is served.'),
  tlsKey: optional(nonEmpty, 'File with the private key of the certificate (PEM).'),
  trustedProxies: setting<readonly string[]>(
    networks,
    [],
    'Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed; also loopback, linklocal, uniquelocal.',
  ),
  corsOrigins: setting<readonly string[]>(
    origins,
    [],
    'Origins of web pages that may read what is answered to them, such as https://app.example.com, or * for all. Never with cookies: pages send a key as any client does.',
  ),
  oauthIssuer: optional(
    issuer,
    'Issuer of an authorization server of which clients are told (RFC 9728). Its access tokens are taken where HIVEKEEP_OAUTH_WORKSPACE is set; otherwise a proxy before the service takes them.',
    { shown: 'none: clients are told of no authorization server' },
  ),
  oauthWorkspace: optional(
    valueOrClaim,
    'Workspace that access tokens of the issuer open: its id, or claim:<name> for the claim of a token that names it.',
    { shown: 'none: no access tokens are taken' },
  ),
  oauthAudience: optional(
    nonEmpty,
    'Audience that an access token has to name. Where it is a URL, tokens may name an endpoint below it: that of an agent opens this agent alone.',
    { shown: 'HIVEKEEP_PUBLIC_URL' },
  ),
  oauthScopeClaim: setting(
    nonEmpty,
    'scope',
    'Claim with the scopes of an access token: a text with spaces, or a list.',
  ),
  oauthAgents: setting(
    valueOrClaim,
    'all',
    'Agents whose A2A and MCP endpoints access tokens open: their ids, separated by commas, or claim:<name> for the claim that names them; such tokens open nothing else. all is the whole workspace.',
  ),
  oauthTasks: setting(
    oneOf('all', 'own'),
    'all',
    'Which tasks and runs an access token reaches: all of an agent, or those that its own subject began.',
  ),
  oauthJwksUrl: optional(webUrl, 'Address of the keys of the issuer (JWKS), where they are not on its own origin.', {
    shown: 'what the metadata of the issuer says',
  }),
  publicCards: optional(
    nonEmpty,
    'Workspace of which everybody may read the cards of agents with config.card.public, at the origin of the service.',
    { shown: 'none: cards need a credential' },
  ),
  cardKeyFile: optional(
    nonEmpty,
    'File with the private key (P-256, PEM) that signs agent cards, where HIVEKEEP_PUBLIC_URL is set; further keys behind it are published, too, for a change of keys. The first start makes it; with HIVEKEEP_MONGODB_URL it must be there.',
    { shown: 'none: cards are not signed' },
  ),
  rootKey: optional(
    rootKey,
    'Becomes a key of workspace "default" with all scopes: svc_live_ and more, 32 characters or more in all. Without it, the first start makes one, shows it on a terminal and keeps it in the file first-key of the data folder.',
    { secret: true, shown: 'made at the first start' },
  ),

  secretKey: optional<readonly string[]>(
    secretKeys,
    'Key with which cursors are signed and push credentials encrypted, 32 characters or more; the same in all processes. To change it, put the new one first and keep the old ones behind it, separated by commas.',
    { secret: true, shown: 'in HIVEKEEP_SECRET_KEY_FILE' },
  ),
  secretKeyFile: optional(
    nonEmpty,
    'File with that key, one a line. Keep it out of backups of the data. The first start makes it; with HIVEKEEP_MONGODB_URL it must be there.',
    { shown: 'the data folder with .key behind its name' },
  ),
  firstKeyToLog: setting(
    oneOf('true', 'false'),
    'false',
    'Whether the first API key is printed also where no terminal is attached, and so may end in a log.',
  ),

  openaiBaseUrl: optional(webUrl, 'Base URL of an OpenAI-compatible server for models named openai/<name>.', {
    shown: "OpenAI's, where a key is set",
  }),
  openaiApiKey: optional(nonEmpty, 'Key for that server.', { secret: true }),
  openaiMaxAnswerBytes: setting(
    wholeNumber(1024, 64 * 1024 * 1024),
    1024 * 1024,
    'Longest answer of a model server, in bytes; a longer one fails its run.',
  ),
  anthropicBaseUrl: optional(
    webUrl,
    "Base URL of a server with Anthropic's Messages API, for models named anthropic/<name>.",
    {
      shown: "Anthropic's, where a key is set",
    },
  ),
  anthropicApiKey: optional(nonEmpty, 'Key for that server.', { secret: true }),
  models: optional(
    nonEmpty,
    'File with further model servers by name, for models named <server>/<name> (docs/reasoners.md).',
  ),

  prices: optional(
    nonEmpty,
    'File with the prices of models in US dollars per million tokens, by their names in config.model (docs/reasoners.md). Without it, no cost is known.',
  ),

  mcpCommands: optional(
    nonEmpty,
    'File with the commands that agents may use as MCP servers by stdio, by name (docs/tools.md). Without it, agents start no command.',
  ),
  mcpAnnotations: setting(
    oneOf('trusted', 'ignored'),
    'ignored',
    'Whether it counts what MCP servers say of their own tools: which only read, and so pass the gate `action`, and which may be called again. The configuration of an agent may say otherwise for a server (docs/tools.md).',
  ),

  embeddings: setting(
    embeddingModel,
    'off',
    'Server and model whose embeddings find memories by meaning, too, such as openai/text-embedding-3-small (docs/recall.md).',
  ),

  heartbeatSeconds: setting(secondsSetting(0.05, 300), 15, 'Time between heartbeats on event streams.'),
  streamMaxSeconds: setting(secondsSetting(0.05, 600), 600, 'Longest life of an event stream.'),
  runMaxSteps: setting(wholeNumber(1, 100), 10, 'Steps that a run may take where neither agent nor request says so.'),
  runMaxSeconds: setting(
    wholeNumber(1, 3600),
    300,
    'Runtime that a run may take where neither agent nor request says so.',
  ),
  journalDays: setting(
    days(0, 36_500),
    0,
    'Days after which the journal of a run that has ended is removed: its events, thoughts and checkpoints. The run and its result stay. 0 keeps journals for ever.',
  ),
  auditDays: setting(
    days(0, 36_500),
    1095,
    'Days after which records of the audit are removed. Those of keys and tokens that were created stay, because by them is found what a key has made. 0 keeps all for ever.',
  ),
  a2aContext: setting(
    oneOf('agent', 'session'),
    'agent',
    'Context of an A2A task of 0.2 or 0.3 that names none: the agent, as the contract says, or its session, so that clients that send it back go on with the conversation. In 1.0 it is the session anyway.',
  ),
  messageBudget: setting(
    wholeNumber(0, 1_000_000),
    1_000,
    'Messages between agents that one message or run from outside may cause in all, through however many agents.',
  ),
  modelOutageSeconds: setting(
    wholeNumber(0, 86_400),
    600,
    'How long a run waits for models that are away (429, 5xx, no answer) before it fails. The wait does not count as its runtime.',
  ),
  learnAtOnce: setting(
    wholeNumber(1, 1000),
    4,
    'How many requests of a process have models learn from conversations at a time, each about one subject.',
  ),
  messageWaitSeconds: setting(
    secondsSetting(0.05, 3600),
    55,
    'How long a direct message waits for its answer; the run goes on after that. Proxies commonly give a request up after 60 s.',
  ),
  importMaxBytes: setting(
    wholeNumber(1024 * 1024, 2 ** 40),
    1024 ** 3,
    'Largest body of an import over REST, which is kept in TMPDIR until all of it was checked. `hivekeep import --url` sends larger files in parts.',
  ),
  bodyMaxBytes: setting(
    wholeNumber(1024, 64 * 1024 * 1024),
    1024 * 1024,
    'Largest request body, without the files that come with a message.',
  ),
  filesMaxBytes: setting(
    wholeNumber(0, 5 * 1024 * 1024),
    5 * 1024 * 1024,
    'Most bytes that the images and PDFs of one message may have together. 0 takes none.',
  ),
  idleSeconds: setting(secondsSetting(0.05, 86_400), 60, 'Time after which an idle agent leaves memory.'),
  recallMaxMb: setting(
    wholeNumber(1, 65_536),
    64,
    'Memory that recall indexes may take, in MiB; those not used for longest are dropped and built again when needed. Up to twice as much while indexes that were dropped are needed again within a minute.',
  ),

  enterpriseRequestsPerMinute: setting(
    wholeNumber(1, maxRate),
    1_000_000,
    'Requests a minute and key in workspaces of tier enterprise; half as many again may come at once. The other tiers are fixed.',
  ),
  enterpriseSearchesPerMinute: setting(wholeNumber(1, maxRate), 500_000, 'Of these, searches of memories.'),
  enterpriseConcurrent: setting(
    wholeNumber(1, 1_000_000),
    10_000,
    'Requests in progress at the same time for each such key, open streams included.',
  ),
  addressRequestsPerMinute: setting(
    wholeNumber(1, maxRate),
    3_000,
    'Requests without a valid key, a minute and client address (IPv6: /64); half as many again may come at once. Requests with a valid key never count here.',
  ),
  addressProbesPerMinute: setting(
    wholeNumber(1, maxRate),
    60_000,
    'Requests for /livez, /readyz and /metrics, a minute and client address; half as many again may come at once.',
  ),
  addressConnections: setting(
    wholeNumber(1, 1_000_000),
    256,
    'Connections of a client address (IPv6: /64) over which no request with a valid key was admitted. Where there are more for 15 s, its oldest are closed. Trusted proxies have no such limit.',
  ),
  maxConnections: optional(
    wholeNumber(1, 10_000_000),
    'Connections in all. For one more the oldest over which no request with a valid key was admitted is closed, or, where three quarters are beyond that, one of the workspace with the most, idle for longest.',
    { shown: 'three quarters of the open files that the system allows, less 64' },
  ),
  metricsToken: optional(
    accessToken,
    'What GET /metrics asks for as a bearer token. Without it, whoever reaches the process may read its numbers.',
    { secret: true },
  ),

  logLevel: setting(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'Least severe log line that is written (to standard error).',
  ),
  logFormat: optional(oneOf('json', 'pretty'), 'One JSON object a line, or lines for people.', {
    shown: 'pretty on a terminal, else json',
  }),
  startSeconds: setting(
    secondsSetting(0, 3600),
    60,
    'How long a start waits for a MongoDB or Redis that does not answer yet.',
  ),
  shutdownSeconds: setting(secondsSetting(0, 3600), 25, 'Time that a stop gives to requests and steps in progress.'),

  mongodbUrl: optional(
    mongodbUrl,
    'MongoDB 5.0 or newer, in place of the embedded store: mongodb://user:password@host:27017/hivekeep. With HIVEKEEP_REDIS_URL, any number of processes serve together.',
    { secret: true },
  ),
  redisUrl: optional(
    redisUrl,
    'Redis 7.0 or newer, over which these processes talk: redis://:password@host:6379, or rediss:// with TLS; the configuration endpoint of a Redis Cluster, or several of its nodes, separated by commas. Nothing is lost with what it holds.',
    { secret: true },
  ),
  role: setting(
    oneOf('all', 'gateway', 'worker'),
    'all',
    'What this process does: a gateway serves the API, a worker runs agents (and serves /livez, /readyz and /metrics alone), all does both. Gateways and workers need MongoDB and Redis.',
  ),
  shards: optional(
    oneOf(...shardCounts),
    'Number of shards into which a new database divides its agents, so the most workers that can share them. A database keeps the number that it was made with, and another one is refused.',
    { shown: 'that of the database' },
  ),
  leaseSeconds: setting(
    secondsSetting(1, 300),
    10,
    'How long a worker that is not heard of keeps its agents: when one dies, others go on with them after this time and up to 2 s. The same in all processes.',
  ),
  pushAllow: setting<readonly string[]>(
    hostPorts,
    [],
    'Hosts (host or host:port) to which push notifications and tools may go by http, at private addresses and on any port.',
  ),
  pushTries: setting(wholeNumber(1, 100), 8, 'How often a push notification is tried before it becomes a dead letter.'),
  pushRetrySeconds: setting(
    secondsSetting(0.01, 3600),
    5,
    'Pause before the second try of a push; each pause after it is twice as long, and all are stretched by up to 2 at random.',
  ),
  pushTimeoutSeconds: setting(secondsSetting(0.05, 300), 10, 'Time that one try of a push may take.'),
} as const;

export type Settings = typeof settings;
export type SettingKey = keyof Settings;

export const envPrefix = 'HIVEKEEP_';
export const envName = (key: string): string => envPrefix + key.replace(/[A-Z]/g, (c) => `_${c}`).toUpperCase();

const keys = Object.keys(settings) as SettingKey[];
export const keyByEnvName: ReadonlyMap<string, SettingKey> = new Map(keys.map((key) => [envName(key), key]));
