/**
 * A real authorization server (oidc-provider) on a free port of 127.0.0.1: clients register themselves, PKCE, and access
 * tokens as JWTs for the resource that a client names. Everybody who is sent to it is Ada, who agrees to everything.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scopes } from '../../src/domain/shared/vocabulary.js';

export interface AuthorizationServer {
  issuer: string;
  /** What a browser does with the address to which a client sends it; resolves to the parameters of the redirect. */
  signIn(address: URL): Promise<URLSearchParams>;
  close(): void;
}

interface Grant {
  addResourceScope(resource: string, scope: string): void;
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}
interface Context {
  oidc: { client: { clientId: string }; session: { accountId: string }; params: { resource?: string } };
}
interface Provider {
  Grant: new (of: { clientId: string; accountId: string }) => Grant;
  callback(): (req: IncomingMessage, res: ServerResponse) => void;
  interactionFinished(req: IncomingMessage, res: ServerResponse, result: object): Promise<void>;
}

/** Audiences are `audience` with the path of the resource, whatever port the resource listens on. */
export async function startAuthorizationServer(audience: string): Promise<AuthorizationServer> {
  const packageName: string = 'oidc-provider'; // it has no types
  const { default: Oidc } = (await import(packageName)) as {
    default: new (issuer: string, settings: object) => Provider;
  };
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const known = ['openid', 'offline_access', ...scopes];
  const provider: Provider = new Oidc(issuer, {
    scopes: known,
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
    cookies: { keys: ['for tests'] },
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60 },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: scopes.join(' '),
          audience: audience + new URL(resource).pathname.replace(/\/$/, ''),
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    async loadExistingGrant({ oidc: { client, session, params } }: Context) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(known.join(' '));
      if (params.resource !== undefined) grant.addResourceScope(params.resource, scopes.join(' '));
      await grant.save();
      return grant;
    },
  });
  const serve = provider.callback();
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    if (req.url?.startsWith('/interaction/'))
      void provider.interactionFinished(req, res, { login: { accountId: 'ada' }, consent: {} });
    else serve(req, res);
  });
  return {
    issuer,
    async signIn(address) {
      const cookies = new Map<string, string>();
      let at = address;
      for (let left = 10; at.origin === issuer; left--) {
        if (left === 0) throw new Error(`${at.href} goes round in circles`);
        const cookie = Array.from(cookies, (pair) => pair.join('=')).join('; ');
        const { headers, status } = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const set of headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const location = headers.get('location');
        if (location === null) throw new Error(`${at.href} answers ${status} without a redirect`);
        at = new URL(location, at);
      }
      return at.searchParams;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
