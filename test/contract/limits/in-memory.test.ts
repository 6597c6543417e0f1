import { createInMemoryLimits } from '../../../src/limits/in-memory.js';
import { limitsContract } from './suite.js';

limitsContract('in memory', async (holdMs) => ({
  limits: createInMemoryLimits({ holdMs }),
  close: async () => undefined,
}));
