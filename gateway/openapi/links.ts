/**
 * Generates OpenAPI links from the Location of a created resource to the operations at or below it. A route computes
 * its Location by a function of the created resource; calling it with placeholders shows which field goes where.
 */
import type { Route } from '../rest/route.js';
import type { Link } from './types.js';

const segments = (path: string): string[] => path.replace(/#.*$/, '').split('/');

/** The Location with `{field}` in place of each value. */
function locationOf(route: Route): string | null {
  if (route.kind !== 'write' || !route.location) return null;
  const made = new Proxy({}, { get: (_, field) => `{${String(field)}}` });
  return route.location(made, {});
}

/** An agent has two paths (docs/api.md 4.1). */
const alsoAt = (location: string): string[] =>
  location.startsWith('/v1/agents/')
    ? [location, location.replace('/v1/agents/', '/v1/agent-constellations/')]
    : [location];

export function linksOf(route: Route, table: readonly Route[]): Record<string, Link> {
  const location = locationOf(route);
  const found =
    location === null
      ? []
      : alsoAt(location).flatMap((at) => table.map((to) => [to, matched(segments(at), segments(to.path))] as const));
  return Object.fromEntries(
    found.flatMap(([to, parameters]) =>
      parameters === null ? [] : [[to.operationId, { operationId: to.operationId, parameters }]],
    ),
  );
}

/** The parameters of a path that is at or below a location; null if it is not, or has further parameters. */
function matched(location: readonly string[], path: readonly string[]): Record<string, string> | null {
  if (path.length < location.length || path.slice(location.length).some((segment) => segment.startsWith(':')))
    return null;
  const parameters: Record<string, string> = {};
  for (const [i, given] of location.entries()) {
    const segment = path[i] ?? '';
    // a runtime expression (OpenAPI 3.1, 4.8.20.4)
    if (segment.startsWith(':')) parameters[segment.slice(1)] = `$response.body#/data/${given.slice(1, -1)}`;
    else if (segment !== given) return null;
  }
  return parameters;
}
