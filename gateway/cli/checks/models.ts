/** Asks each configured server of language models for its list of models, which costs nothing and needs the key. */
import { modelServers, type ModelServerConfig } from '../../../src/config/model-servers.js';
import type { Config } from '../../../src/config/config.js';
import { boundedFetch } from '../../../src/reasoner/chat/bounded-fetch.js';
import { shownUrl } from '../../../src/reasoner/chat/failure.js';
import { systemCode } from '../failure.js';
import { findingsAbout, type Finding } from './finding.js';

const { ok, warn, fail } = findingsAbout('models');
const patienceMs = 10_000;
const mostBytes = 4 * 1024 * 1024;
const openai = 'https://api.openai.com/v1';
const official = { openai, responses: openai, anthropic: 'https://api.anthropic.com' };

/** Nothing where no server is configured. */
export async function checkModels(config: Config): Promise<Finding[]> {
  return Promise.all([...modelServers(config).values()].map(checkServer));
}

/** `fetch` says what went wrong as the cause of its error. */
function reasonOf(error: unknown): string {
  const code = systemCode((error as Error).cause) ?? systemCode(error);
  return code === undefined ? '' : ` (${code})`;
}

async function checkServer({
  name,
  speaks,
  baseUrl,
  apiKey,
  settings,
  additions,
}: ModelServerConfig): Promise<Finding> {
  const base = baseUrl ?? official[speaks];
  const where = `${name} at ${shownUrl(base)}`;
  const ofApi: Record<string, string> =
    speaks === 'anthropic'
      ? { 'anthropic-version': '2023-06-01', ...(apiKey !== null && { 'x-api-key': apiKey }) }
      : { ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }) };
  const headers = { ...ofApi, ...additions.headers };
  const query = new URLSearchParams(additions.query).toString();
  const url = `${speaks === 'anthropic' ? `${base}/v1/models` : `${base}/models`}${query === '' ? '' : `?${query}`}`;
  let response: Response;
  try {
    response = await boundedFetch(mostBytes)(url, { headers, signal: AbortSignal.timeout(patienceMs) });
  } catch (error) {
    return fail(`${where} does not answer${reasonOf(error)}: start it, or check ${settings.baseUrl}.`);
  }
  if (response.status === 401 || response.status === 403)
    return fail(`${where} does not accept the key: check ${settings.apiKey}.`);
  if (!response.ok) {
    await response.body?.cancel();
    return warn(
      `${where} answers ${response.status} when it is asked for its models; check ${settings.baseUrl} if runs fail.`,
    );
  }
  const body: unknown = await response.json().catch(() => null); // that it answers is enough
  const models = (body as { data?: unknown } | null)?.data;
  return ok(Array.isArray(models) ? `${where} answers, and names ${models.length} models` : `${where} answers`);
}
