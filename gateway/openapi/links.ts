/**
 * Where to go from what was made: its Location as links to all that is at and below it. A route says its Location by a
 * function of what was made; given marks in place of values, it says which field goes where.
 */
import type { Route } from '../rest/route.js';
import type { Link } from './types.js';

const segments = (path: string): string[] => path.replace(/#.*$/, '').split('/');

/** The Location with `{field}` for each value. */
function locationOf(route: Route): string | null {
  if (route.kind !== 'write' || !route.location) return null;
  const made = new Proxy({}, { get: (_, field) => `{${String(field)}}` });
  return route.location(made, {});
}

/** An agent is at two paths (docs/api.md 4.1). */
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

/** The parameters of a path that is at a location or below it; null where it is elsewhere, or has more parameters. */
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
