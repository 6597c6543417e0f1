/** The short cut to a route (gateway/entry.ts): it finds what Express finds, or nothing. */
import express from 'express';
import { expect } from 'chai';
import { byPath } from '../../../gateway/app.js';
import { DirectRoutes } from '../../../gateway/entry.js';
import { routes } from '../../../gateway/rest/routes.js';

const direct = new DirectRoutes<string>();
for (const { method, path } of routes) direct.add(method, path, `${method} ${path}`);

interface Seen {
  route: string;
  params: Record<string, string>;
}

/** What Express does with the whole table; null for what no route takes. */
const app = express().enable('case sensitive routing').disable('x-powered-by');
let seen: Seen | null = null;
for (const [path, served] of byPath(routes)) {
  const at = app.route(path);
  for (const { method } of served)
    at[method.toLowerCase() as 'get']((req) => {
      seen = { route: `${method} ${path}`, params: { ...(req.params as Record<string, string>) } };
    });
  at.all(() => undefined);
}
function expressFinds(method: string, url: string): Seen | null {
  seen = null;
  (app as unknown as { handle(...parts: unknown[]): void }).handle({ method, url }, {}, () => undefined);
  return seen;
}
function directFinds(method: string, url: string): Seen | null {
  const found = direct.find(method, url);
  return found && { route: found.handle, params: found.params };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const words = [...new Set(routes.flatMap(({ path }) => path.split('/').filter((part) => !part.startsWith(':'))))];

describe('direct routes', () => {
  it('find every route of the table, with its parameters', () => {
    for (const { method, path } of routes) {
      const url = path.replaceAll(/:\w+/g, (name) => `id_${name.slice(1)}-7`);
      expect(directFinds(method, `${url}?limit=2`), url).to.deep.equal(expressFinds(method, url));
      expect(directFinds(method, url)?.route).to.equal(`${method} ${path}`);
    }
  });

  it('find nothing that Express would not, whatever an id looks like', () => {
    for (const { path } of routes)
      for (const word of words) {
        const url = path.replaceAll(/:\w+/g, word || 'x');
        for (const method of methods) {
          const found = directFinds(method, url);
          if (found !== null) expect(found, `${method} ${url}`).to.deep.equal(expressFinds(method, url));
        }
      }
  });

  it('leave to Express what is not spelt plainly', () => {
    for (const url of [
      '/v1/memories/',
      '/v1//memories',
      '/v1/memories/%6dem_1',
      '/v1/memories#x',
      '/V1/memories',
      'http://host/v1/memories',
      '/v1/memories/mem_1/nothing',
      '/v1',
      '/',
      '*',
      '',
    ])
      expect(directFinds('GET', url), url).to.equal(null);
    expect(directFinds('HEAD', '/v1/memories')).to.equal(null);
  });
});
