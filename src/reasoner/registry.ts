/** Selects the reasoner for an agent's `config.model`. */
import { type Reasoner, ReasonerError, type ReasonerFor } from './port.js';

export interface Reasoners {
  builtIn: Reasoner;
  /** Present if HIVEKEEP_OPENAI_BASE_URL or HIVEKEEP_OPENAI_API_KEY is set. */
  openai?: (model: string) => Reasoner;
}

const models = '"built-in" (or leave it out), or "openai/<name>"';

export function createReasonerFor({ builtIn, openai }: Reasoners): ReasonerFor {
  return (model) => {
    if (model === undefined || model === 'built-in') return builtIn;
    const slash = model.indexOf('/');
    const provider = model.slice(0, Math.max(0, slash));
    const name = model.slice(slash + 1);
    if (provider === 'openai' && name !== '') {
      if (openai) return openai(name);
      throw new ReasonerError(
        'not_configured',
        `config.model is "${model}", but no server for it is configured: set HIVEKEEP_OPENAI_BASE_URL (any OpenAI-compatible server), HIVEKEEP_OPENAI_API_KEY, or both`,
      );
    }
    if (provider === 'anthropic')
      throw new ReasonerError(
        'not_configured',
        `config.model is "${model}", but this version has no reasoner for Anthropic models: use ${models}`,
      );
    throw new ReasonerError('not_configured', `config.model is "${model}", which is not known: use ${models}`);
  };
}
