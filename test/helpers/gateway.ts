/** A gateway over a fake service, listening on a free loopback port. */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { requestIdSource } from '../../gateway/http/head.js';
import type { GatewayOptions } from '../../gateway/options.js';
import { createGateway, type Gateway } from '../../gateway/server.js';
import { createStreams, type OpenStreams } from '../../gateway/streams/streams.js';
import type { Clock } from '../../src/domain/shared/clock.js';
import { scopes } from '../../src/domain/shared/vocabulary.js';
import type { Service } from '../../src/service.js';
import { noLimits } from './no-limits.js';
import {
  type Answers,
  createFakeService,
  keyPrincipal,
  tokenPrincipal,
  type Call,
  type Credentials,
} from './fake-service.js';

export const rootKey = 'svc_live_root';
export const agentToken = 'at_token';

export interface Counted {
  route: string;
  method: string;
  status: number;
  seconds: number | null;
}

export interface TestGateway {
  gateway: Gateway;
  service: Service;
  calls: Call[];
  port: number;
  url: string;
  counted: Counted[];
  errors: object[];
  /** With the root key, and a body as JSON where one is given. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  stop(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Envelope;
}
export interface Envelope {
  data?: unknown;
  pagination?: { next_cursor: string | null; has_more: boolean; total_count: number };
  error?: {
    code: string;
    message: string;
    status: number;
    details: Record<string, unknown> & { issues?: { path: string; message: string }[] };
    request_id: string;
  };
}

/** The real ones are built; these are there at once. */
const pagesFolder = fileURLToPath(new URL('pages', import.meta.url));

const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Real ones, on the system's clock. */
export const testStreams = (): OpenStreams =>
  createStreams({
    clock: systemClock,
    log: { debug: () => undefined, warn: () => undefined, error: () => undefined },
  });

export interface Setup {
  credentials?: Credentials;
  service?: Partial<Service>;
  commands?: Answers;
  options?: Partial<Omit<GatewayOptions, 'service' | 'config'>>;
  config?: Partial<GatewayOptions['config']>;
}

export async function startGateway(setup: Setup = {}): Promise<TestGateway> {
  const credentials = { [rootKey]: keyPrincipal(scopes), [agentToken]: tokenPrincipal(), ...setup.credentials };
  const { service, calls } = createFakeService(credentials, setup.service, setup.commands);
  const counted: Counted[] = [];
  const errors: object[] = [];
  const gateway = createGateway({
    service,
    config: { plainHttp: true, cursorSecret: Buffer.alloc(32, 7), pagesFolder, ...setup.config },
    log: {
      debug: () => undefined,
      warn: () => undefined,
      error: (fields) => {
        errors.push(fields);
      },
    },
    metrics: {
      request: (route, method, status, seconds) => {
        counted.push({ route, method, status, seconds });
      },
      text: async () => '# HELP up 1\nup 1\n',
    },
    clock: systemClock,
    requestIds: requestIdSource(randomBytes),
    streams: testStreams(),
    limiter: noLimits,
    ...setup.options,
  });
  await new Promise<void>((resolve) => gateway.server.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    gateway,
    service,
    calls,
    port,
    url,
    counted,
    errors,
    async ask(method, path, body, headers = {}) {
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${rootKey}`, ...type, ...headers },
        body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: (text.startsWith('{') && !text.startsWith('{"record"') ? JSON.parse(text) : {}) as Envelope,
      };
    },
    stop: () => gateway.close(500),
  };
}
