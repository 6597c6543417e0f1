import { createNetwork } from '../../helpers/in-process-network.js';
import { transportContract } from './suite.js';

transportContract('in one process', async () => {
  const network = createNetwork();
  let n = 0;
  return {
    transport: () => network.transport(`process_${++n}`),
    write: async (to, text) => {
      network.write(to, text);
    },
    unreadable: () => network.unreadable,
    close: async () => undefined,
  };
});
