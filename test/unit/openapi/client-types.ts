/** Writes what the clients take from the document: `npm run client-types`. A test tells when it is out of date. */
import openapiTS, { astToString } from 'openapi-typescript';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createDocument } from '../../../gateway/openapi/document.js';
import { pythonClient } from './python-client.js';

const root = new URL('../../../', import.meta.url);

const header = '/** The API as types, written by `npm run client-types` from the OpenAPI document. Do not edit. */\n';

/** The generated files of all clients by their path. */
export async function clientFiles(): Promise<Map<string, string>> {
  const types =
    header + astToString(await openapiTS(JSON.stringify(createDocument()), { silent: true, alphabetize: false }));
  const python = Object.entries(pythonClient()).map(
    ([name, text]) => [`clients/python/src/hivekeep/${name}`, text] as const,
  );
  const files = [['packages/client/src/types.ts', types] as const, ...python];
  return new Map(files.map(([path, text]) => [fileURLToPath(new URL(path, root)), text]));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of await clientFiles()) await writeFile(path, text);
