/**
 * Stands between a kit and the service, because no kit can send a token, and each looks for the card at the origin.
 *
 *  KitProxy.P1 `/` is the agent's URL, and `/.well-known/...` what stands below it; other paths are as they are.
 *  KitProxy.P2 A request that brings no Authorization gets the token, unless the test that runs is that of a client
 *     without one (kit_plugin.py says which runs); the card it gets all the same, as the kits fetch it once for all
 *     tests. A request that brings its own keeps it.
 *  KitProxy.P3 A request for the card that names no version is said to be of the version that the kit checks it
 *     against.
 *  KitProxy.P4 Nothing else is changed on the way, in either direction; answers are passed on as they arrive.
 *
 * When the kit goes away, so does its request to the service; when the service cuts an answer off, so does the proxy.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProxyRules {
  /** http://host:port of the service. */
  target: string;
  /** The agent's endpoint on it, without a slash at its end. */
  agentPath: string;
  /** Null: requests go as they are. */
  token: string | null;
  /** Absent: card requests stay as they are. */
  cardVersion?: string;
  /** Tests, by parts of their pytest ids, that are those of a client without a token. */
  anonymous: readonly string[];
}

export interface Proxy {
  origin: string;
  close(): Promise<void>;
}

export async function startProxy(rules: ProxyRules): Promise<Proxy> {
  let test = '';
  const server = createServer((req, res) => {
    if (req.url?.startsWith(announced)) {
      test = decodeURIComponent(req.url.slice(announced.length));
      res.end();
      return;
    }
    const tokenless = rules.anonymous.some((part) => test.includes(part)) && !isCard(req.url ?? '');
    forward(tokenless ? { ...rules, token: null } : rules, req, res).catch(() => {
      res.destroy();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Where kit_plugin.py says which test begins. */
const announced = '/__test?';

async function forward(rules: ProxyRules, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = await bodyOf(req);
  const path = pathOf(rules, req.url ?? '/');
  const upstream = request(rules.target + path, { method: req.method, headers: headersOf(rules, req, body) });
  upstream.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    res.flushHeaders();
    answer.pipe(res);
    answer.on('error', () => {
      res.destroy();
    });
  });
  upstream.on('error', () => {
    res.destroy();
  });
  res.on('close', () => {
    upstream.destroy();
  });
  upstream.end(body);
}

/** The kits' bodies are small. */
async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const isCard = (path: string): boolean => path.startsWith('/.well-known/');

function pathOf({ agentPath }: ProxyRules, path: string): string {
  if (path === '/') return agentPath;
  return isCard(path) ? agentPath + path : path;
}

/** Host stays as it was asked for: the card names URLs by it. */
function headersOf(
  { token, cardVersion }: ProxyRules,
  req: IncomingMessage,
  body: Buffer,
): Record<string, string | string[] | undefined> {
  const headers: Record<string, string | string[] | undefined> = { ...req.headers };
  delete headers['transfer-encoding'];
  if (body.length > 0) headers['content-length'] = String(body.length);
  if (token !== null) headers['authorization'] ??= `Bearer ${token}`;
  if (cardVersion !== undefined && isCard(req.url ?? '')) headers['a2a-version'] ??= cardVersion;
  return headers;
}
