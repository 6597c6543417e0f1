/** Takes what agents elsewhere push for the calls that agents here wait for (src/peers/pushes.ts). */
import { readPeerPush } from '../../src/peers/pushes.js';
import { notFound } from '../../src/domain/shared/errors.js';
import type { Service } from '../../src/service.js';
import type { ServiceContext } from './context.js';

export const peerPushService = ({ deps, keyring }: ServiceContext) =>
  ({
    async takePeerPush(ref, token) {
      const found = readPeerPush(keyring, ref, token, deps.clock.now());
      if (!found) throw notFound('push', 'of this address and token');
      await deps.ask(found.agent, { type: 'peerPushed', call: found.call });
    },
  }) satisfies Partial<Service>;
