/** Selects the reasoner for an agent's `config.model`. */
import { type Reasoner, ReasonerError, type ReasonerFor } from './port.js';

export interface Reasoners {
  builtIn: Reasoner;
  /** Present if HIVEKEEP_OPENAI_BASE_URL or HIVEKEEP_OPENAI_API_KEY is set. */
  openai?: (model: string) => Reasoner;
  /** Present if HIVEKEEP_ANTHROPIC_API_KEY or HIVEKEEP_ANTHROPIC_BASE_URL is set. */
  anthropic?: (model: string) => Reasoner;
}

const models = '"built-in" (or leave it out), "openai/<name>" or "anthropic/<name>"';

export function createReasonerFor({ builtIn, openai, anthropic }: Reasoners): ReasonerFor {
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
    if (provider === 'anthropic' && name !== '') {
      if (anthropic) return anthropic(name);
      throw new ReasonerError(
        'not_configured',
        `config.model is "${model}", but no key for it is configured: set HIVEKEEP_ANTHROPIC_API_KEY`,
      );
    }
    throw new ReasonerError('not_configured', `config.model is "${model}", which is not known: use ${models}`);
  };
}
