/** The dependencies that every entity actor receives, as ports. */
import type { Ask } from './ask.js';
import type { LocalDeps } from './local-deps.js';

export interface EntityDeps extends LocalDeps {
  ask: Ask;
}
