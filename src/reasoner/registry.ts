/** Selects the reasoner for an agent's `config.model`. */
import { firstOf } from './fallback.js';
import { type Reasoner, ReasonerError, type ReasonerFor } from './port.js';

export interface Reasoners {
  builtIn: Reasoner;
  /** The configured servers by name (config/model-servers.ts). */
  servers?: ReadonlyMap<string, (model: string) => Reasoner>;
}

const settingsOf: Record<string, string> = {
  openai: 'set HIVEKEEP_OPENAI_BASE_URL (any OpenAI-compatible server), HIVEKEEP_OPENAI_API_KEY, or both',
  anthropic: 'set HIVEKEEP_ANTHROPIC_API_KEY',
};

export function createReasonerFor({ builtIn, servers = new Map() }: Reasoners): ReasonerFor {
  const one = (model: string): Reasoner => {
    const slash = model.indexOf('/');
    const server = model.slice(0, Math.max(0, slash));
    const name = model.slice(slash + 1);
    const reasoner = name === '' ? undefined : servers.get(server)?.(name);
    if (reasoner) return reasoner;
    throw new ReasonerError(
      'not_configured',
      name === '' || server === ''
        ? `config.model is "${model}", which is not known: use "built-in" (or leave it out), or "<server>/<name>"`
        : `config.model is "${model}", but no server "${server}" is configured: ${settingsOf[server] ?? 'name it in HIVEKEEP_MODELS'}`,
    );
  };
  return (model) => {
    if (model === undefined || model === 'built-in') return builtIn;
    if (typeof model === 'string') return one(model);
    return firstOf(model, one);
  };
}
