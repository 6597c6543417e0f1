/** The dependencies that every entity actor receives, as ports. */
import type { Ask } from './ask.js';
import type { LocalDependencies } from './local-dependencies.js';

export interface EntityDependencies extends LocalDependencies {
  ask: Ask;
}
