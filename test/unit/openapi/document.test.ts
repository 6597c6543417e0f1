/** The document against what it is made of: it is valid, complete, and its schemas are JSON Schema. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { cardPaths } from '../../../gateway/a2a/card-routes.js';
import { agentPath } from '../../../gateway/a2a/address.js';
import { httpOperations } from '../../../gateway/a2a/http-json.js';
import { createDocument } from '../../../gateway/openapi/document.js';
import type { OpenApiOperation, Parameter } from '../../../gateway/openapi/types.js';
import { routes } from '../../../gateway/rest/routes.js';
import { errorCodes } from '../../../src/domain/shared/errors.js';

const document = createDocument();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const template = (path: string): string => path.replace(/(?<=\/):(\w+)/g, '{$1}');

const plain = (value: object): Record<string, unknown> => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

function* refsIn(value: unknown): Generator<string> {
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref') yield inner as string;
    else yield* refsIn(inner);
  }
}

const at = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(plain(document));
    expect(errors ?? [], JSON.stringify(errors)).to.deep.equal([]);
    expect(valid).to.equal(true);
    expect(validator.version).to.equal('3.1');
  });

  it('is refused by that validator where it is not', async () => {
    const { valid } = await new Validator().validate({ ...plain(document), info: { title: 'no version' } });
    expect(valid).to.equal(false);
  });

  it('refers to nothing that is not there, and has nothing that is referred to nowhere', () => {
    const refs = new Set(refsIn(document));
    for (const ref of refs) expect(at(ref), ref).to.be.an('object');
    for (const kind of ['schemas', 'parameters', 'headers', 'responses'] as const) {
      for (const name of Object.keys(document.components[kind]))
        expect(refs.has(`#/components/${kind}/${name}`), `${kind} ${name}`).to.equal(true);
    }
  });

  it('has schemas that are JSON Schema 2020-12, without what zod keeps for itself', () => {
    expect(JSON.stringify(document)).not.to.match(/__shared|\$schema|\$id|\$defs/);
    // formats are tested where answers are
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, validateFormats: false });
    ajv.addKeyword('components');
    ajv.addSchema({ $id: 'all', components: document.components });
    for (const name of Object.keys(document.components.schemas)) {
      expect(() => ajv.compile({ $ref: `all#/components/schemas/${name}` }), name).not.to.throw();
    }
  });

  it('has every route of the table with its name, scope and statuses, and no other under /v1', () => {
    for (const route of routes) {
      const operation = document.paths[template(route.path)]?.[route.method.toLowerCase()];
      expect(operation, `${route.method} ${route.path}`).to.include({
        operationId: route.operationId,
        summary: route.summary,
      });
      expect(operation!['x-required-scope'] ?? null).to.equal(route.scope);
      expect(operation!.security).to.deep.equal([{ bearer: route.scope === null ? [] : [route.scope] }]);
      expect(operation!.responses).to.include.keys(
        String(route.kind === 'write' ? route.status : 200),
        '400',
        '401',
        '403',
        '429',
        '500',
        '503',
      );
    }
    expect(
      operations
        .filter(({ path }) => path.startsWith('/v1') && !path.startsWith('/v1/openai/'))
        .map(({ operation }) => operation.operationId)
        .sort(),
    ).to.deep.equal(routes.map((route) => route.operationId).sort());
  });

  it('has the A2A endpoint with its cards, the MCP endpoints, those of OpenAI, and what needs no key', () => {
    const below = [
      ...new Set(httpOperations.map(({ path }) => path)),
      ...[...cardPaths.keys()].filter((name) => name !== ''),
    ];
    const served = [agentPath, ...below.map((name) => `${agentPath}/${name}`)].map(template);
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/api/'))).to.have.members(served);
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/mcp'))).to.have.members([
      '/mcp',
      '/mcp/agents/{id}',
    ]);
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/v1/openai'))).to.have.members([
      '/v1/openai/v1/chat/completions',
      '/v1/openai/v1/models',
      '/v1/openai/v1/models/{id}',
      '/v1/openai/v1/responses',
      '/v1/openai/v1/responses/{id}',
    ]);
    const open = operations.filter(({ operation }) => operation.security.length === 0).map(({ path }) => path);
    expect(open).to.have.members(['/livez', '/readyz', '/metrics', '/openapi.json', '/docs']);
  });

  it('names each operation once, in a chapter that there is', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    const tags = document.tags.map((tag) => tag.name);
    for (const { operation } of operations) expect(tags).to.include.members([...operation.tags]);
  });

  it('declares each parameter of a path, and no parameter twice', () => {
    for (const { path, operation } of operations) {
      const parameters = (operation.parameters ?? []).map(
        (given) => ('$ref' in given ? at(given.$ref) : given) as Parameter,
      );
      const named = parameters.filter((p) => p.in === 'path').map((p) => p.name);
      expect(named, path).to.have.members([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
      const keys = parameters.map((p) => `${p.in} ${p.name}`);
      expect(new Set(keys).size, operation.operationId).to.equal(keys.length);
    }
  });

  it('leads on from what was made, by parameters that the operation has', () => {
    const byId = new Map(operations.map(({ operation, path }) => [operation.operationId, path]));
    const linksFrom = (operationId: string): string[] =>
      operations
        .filter(({ operation }) => operation.operationId === operationId)
        .flatMap(({ operation }) => Object.values(operation.responses))
        .flatMap((response) => ('links' in response ? Object.entries(response.links ?? {}) : []))
        .map(([name, link]) => {
          expect(link.operationId).to.equal(name);
          expect(Object.keys(link.parameters), name).to.have.members(
            [...byId.get(name)!.matchAll(/\{(\w+)\}/g)].map((match) => match[1]),
          );
          return name;
        });
    expect(linksFrom('createHive')).to.have.members([
      'getHive',
      'updateHive',
      'deleteHive',
      'listHiveAgents',
      'joinHive',
      'listSharedMemories',
      'shareMemory',
    ]);
    expect(linksFrom('startRun')).to.have.members([
      'getRun',
      'getRunTree',
      'followRun',
      'resumeRun',
      'forkRun',
      'deleteRun',
    ]);
    expect(linksFrom('mintToken')).to.deep.equal(['revokeToken']);
    expect(linksFrom('spawnAgent')).to.include.members([
      'getAgent',
      'messageAgent',
      'startRun',
      'mintToken',
      'listThoughts',
    ]);
    expect(linksFrom('listAgents')).to.deep.equal([]);
  });

  it('explains every error that REST answers, but those that no documented request meets', () => {
    const told = Object.values(document.components.responses)
      .map((response) => response.description)
      .join(' ');
    expect(errorCodes.filter((code) => !told.includes(`${code}: `))).to.deep.equal(['METHOD_NOT_ALLOWED']);
  });

  it('promises the id of the request and its limits on every answer', () => {
    const responsesOf = (operation: OpenApiOperation): { headers?: object }[] =>
      Object.values(operation.responses).map(
        (given) => ('$ref' in given ? at(given.$ref) : given) as { headers?: object },
      );
    for (const { operation } of operations) {
      for (const response of responsesOf(operation))
        expect(response.headers, operation.operationId).to.include.keys(
          'X-Request-Id',
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'X-RateLimit-Policy',
        );
    }
  });

  it('names the server where it is told, else the place where it was got', () => {
    expect(document.servers).to.deep.equal([{ url: '/' }]);
    expect(createDocument('https://hive.example/api').servers).to.deep.equal([{ url: 'https://hive.example/api' }]);
  });
});
