/**
 * Where agents elsewhere push that agents here have asked (src/peers/pushes.ts). It needs no credential of the service:
 * the token of the push is one, for this call alone. Requests count against the limit of their address, and their bodies
 * are not read, whatever they are.
 */
import { peerPushPath } from '../../src/peers/pushes.js';
import type { Service } from '../../src/service.js';
import type { Endpoint } from '../http/prototypes.js';
import type { Responder } from '../http/responder.js';

export interface PeerPushDeps {
  service: Pick<Service, 'takePeerPush'>;
  responder: Responder;
}

export const peerPushRoute = ({ service, responder }: PeerPushDeps): Endpoint => ({
  method: 'POST',
  path: `${peerPushPath}/:push`,
  async serve(req, res) {
    const token = req.headers['x-a2a-notification-token'];
    await service.takePeerPush(req.params['push'] ?? '', typeof token === 'string' ? token : '');
    responder.json(req, res, 202, {});
  },
});
