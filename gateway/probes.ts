/**
 * Probes and metrics for operators: liveness, readiness and /metrics. They need no key and no HTTPS, but /metrics may
 * have a token of its own. The metrics are rendered at most once a second, however often they are requested.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { unavailable } from '../src/domain/shared/errors.js';
import type { Service } from '../src/service.js';
import { bearerOf, unauthenticated } from './auth/bearer.js';
import type { Endpoint } from './http/prototypes.js';
import type { Responder } from './http/responder.js';
import type { MetricsSink } from './options.js';

export interface ProbeDeps {
  service: Pick<Service, 'ready'>;
  metrics: MetricsSink;
  responder: Responder;
  monotonic: () => number;
  /** The bearer token that /metrics requires; none if absent. */
  metricsToken?: string | undefined;
  isDraining: () => boolean;
  isStarted: () => boolean;
}

export function createProbes(deps: ProbeDeps): Endpoint[] {
  const { service, responder } = deps;
  const numbers = onceASecond(() => deps.metrics.text(), deps.monotonic);
  const mayRead = tokenCheck(deps.metricsToken);
  const probe = (path: string, serve: Endpoint['serve']): Endpoint => ({ method: 'GET', path, serve });
  return [
    probe('/livez', (req, res) => responder.json(req, res, 200, { status: 'ok' })),
    probe('/readyz', (req, res) => {
      if (deps.isDraining()) throw unavailable('the server is shutting down');
      if (!deps.isStarted()) throw unavailable('the server is starting');
      const state = service.ready();
      if (!state.ready) throw unavailable(state.reason);
      responder.json(req, res, 200, { status: 'ready' });
    }),
    probe('/metrics', async (req, res) => {
      if (!mayRead(req.headers.authorization)) throw unauthenticated();
      responder.text(req, res, 200, 'text/plain; version=0.0.4; charset=utf-8', await numbers());
    }),
  ];
}

/** Caches the result of `render` for one second from its start. A failure is not cached. */
function onceASecond(render: () => Promise<string>, monotonic: () => number): () => Promise<string> {
  let kept: { text: Promise<string>; at: number } | null = null;
  return () => {
    const now = monotonic();
    if (kept !== null && now - kept.at < 1000) return kept.text;
    const made = { text: render(), at: now };
    kept = made;
    made.text.catch(() => {
      if (kept === made) kept = null;
    });
    return made.text;
  };
}

function tokenCheck(token: string | undefined): (header: string | undefined) => boolean {
  if (token === undefined) return () => true;
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  const wanted = digest(token);
  return (header) => {
    const given = header === undefined ? null : bearerOf(header);
    return given !== null && timingSafeEqual(digest(given), wanted);
  };
}
