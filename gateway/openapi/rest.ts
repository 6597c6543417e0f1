/** Generates the operations of the REST API from the route table that also serves them (gateway/rest/routes.ts). */
import { results } from '../../src/domain/model/model.js';
import { linesType } from '../http/lines.js';
import type { Route } from '../rest/route.js';
import { chapters, routes as table } from '../rest/routes.js';
import { linksOf } from './links.js';
import { parametersOf } from './parameters.js';
import { linesSchema, responsesOf } from './responses.js';
import type { Schemas } from './schemas.js';
import type { OpenApiOperation, Paths } from './types.js';

export const templateOf = (path: string): string => path.replace(/(?<=\/):(\w+)/g, '{$1}');

export function restPaths(schemas: Schemas): Paths {
  const paths: Paths = {};
  for (const { name, routes } of chapters) {
    for (const route of routes)
      (paths[templateOf(route.path)] ??= {})[route.method.toLowerCase()] = operation(route, name, schemas);
  }
  return paths;
}

function operation(route: Route, tag: string, schemas: Schemas): OpenApiOperation {
  const parameters = parametersOf(route, schemas);
  return {
    operationId: route.operationId,
    tags: [tag],
    summary: route.summary,
    description: described(route),
    security: [{ bearer: route.scope === null ? [] : [route.scope] }],
    ...(route.scope !== null && { 'x-required-scope': route.scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.kind === 'upload' && {
      requestBody: {
        required: true,
        content: { [linesType]: { schema: linesSchema(schemas.of(results.ExportLine)) } },
      },
    }),
    ...('body' in route && {
      requestBody: {
        required: !(route.kind === 'write' && route.bodyOptional),
        content: { 'application/json': { schema: schemas.of(route.body) } },
      },
    }),
    responses: responsesOf(route, schemas, linksOf(route, table)),
  };
}

function described(route: Route): string {
  const scope = route.scope === null ? 'Any API key may do this.' : `Needs the scope \`${route.scope}\`.`;
  if (route.kind === 'download' || route.kind === 'upload')
    return `${scope}\n\nThe body consists of lines of JSON, as docs/export.md of the service describes them.`;
  if (route.kind !== 'stream') return scope;
  const format = `Server-sent events: \`data\` is a ${route.result} as JSON, \`event\` its type${route.resumable ? ', `id` its `seq`; a `delta` has none' : ''}. Comments keep idle connections open.`;
  return `${scope}\n\n${format} ${route.resumable ? 'The stream ends with the run, or after 10 minutes; a client that comes back with Last-Event-ID misses nothing.' : 'Live only: what happened before is not told. The same events come over a WebSocket at this path.'}`;
}
