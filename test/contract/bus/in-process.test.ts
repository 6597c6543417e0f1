import { createInProcessBus } from '../../../src/bus/in-process.js';
import { busContract } from './suite.js';

busContract('in one process', async () => {
  const bus = createInProcessBus();
  return { bus: () => bus, close: async () => undefined };
});
