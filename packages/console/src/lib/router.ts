/** The page that is shown follows from the path below /console. */
import { createStore } from './store.js';

/** The path that a proxy adds to every URL of the service; empty without one. */
export const base = new URL(import.meta.url).pathname.replace(/\/console\/assets\/.*$/, '');
const root = `${base}/console`;

export interface Place {
  /** The segments of the path below /console, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const here = (): Place => ({
  path: location.pathname
    .slice(root.length)
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded),
  query: new URLSearchParams(location.search),
});

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export const place = createStore<Place>(here());

addEventListener('popstate', () => {
  place.set(here());
});

/** The URL of a page: `href('agents', id, 'runs')`. */
export const href = (...path: readonly string[]): string => [root, ...path.map(encodeURIComponent)].join('/');

export function go(url: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', url);
  place.set(here());
  if (!replace) scrollTo(0, 0);
}

/** Keeps a filter in the URL, so that going back and sharing the address keep it; the empty text removes it. */
export function setFilter(name: string, value: string): void {
  const query = new URLSearchParams(location.search);
  if (value === '') query.delete(name);
  else query.set(name, value);
  const text = query.toString();
  go(location.pathname + (text === '' ? '' : `?${text}`), { replace: true });
}

/** Opens links of the console without loading the page again; leaves modified clicks and other links to the browser. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const target = link?.getAttribute('href');
  if (!target || link?.hasAttribute('target') || link?.hasAttribute('download')) return;
  const url = new URL(target, location.href);
  if (url.origin !== location.origin || (url.pathname !== root && !url.pathname.startsWith(`${root}/`))) return;
  if (url.hash !== '' && url.pathname === location.pathname) return;
  event.preventDefault();
  go(url.pathname + url.search);
}
