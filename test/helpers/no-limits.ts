import type { Limiter } from '../../gateway/limits/limiter.js';

const nothing = { headers: {} };

/** Lets everything pass, and shows no headers. */
export const noLimits: Limiter = {
  admit: () => nothing,
  admitSearch: () => nothing,
  admitAddress: () => nothing,
  admitProbe: () => nothing,
  uncounted: () => nothing.headers,
};
