/** What machines ask that run the service: is it alive, does it serve, its numbers (design, sections 6 and 9). No key, no HTTPS needed. */
import type { ServerResponse } from 'node:http';
import { unavailable } from '../src/domain/errors.js';
import type { Service } from '../src/service.js';
import type { GatewayRequest } from './http/prototypes.js';
import type { Responder } from './http/responder.js';
import type { MetricsSink } from './options.js';

export type Probe = (req: GatewayRequest, res: ServerResponse) => void | Promise<void>;

export function createProbes(
  service: Pick<Service, 'ready'>,
  metrics: MetricsSink,
  responder: Responder,
  isDraining: () => boolean,
): ReadonlyMap<string, Probe> {
  return new Map<string, Probe>([
    ['/livez', (req, res) => responder.json(req, res, 200, { status: 'ok' })],
    [
      '/readyz',
      (req, res) => {
        const state = isDraining() ? { ready: false as const, reason: 'the server is shutting down' } : service.ready();
        if (!state.ready) throw unavailable(state.reason);
        responder.json(req, res, 200, { status: 'ready' });
      },
    ],
    [
      '/metrics',
      async (req, res) =>
        responder.text(req, res, 200, 'text/plain; version=0.0.4; charset=utf-8', await metrics.text()),
    ],
  ]);
}
