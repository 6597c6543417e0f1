/** Writes the types of the client from the document: `npm run client-types`. A test tells when they are out of date. */
import openapiTS, { astToString } from 'openapi-typescript';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createDocument } from '../../../gateway/openapi/document.js';

export const typesFile = fileURLToPath(new URL('../../../packages/client/src/types.ts', import.meta.url));

const header = '/** The API as types, written by `npm run client-types` from the OpenAPI document. Do not edit. */\n';

export async function clientTypes(): Promise<string> {
  return header + astToString(await openapiTS(JSON.stringify(createDocument()), { silent: true, alphabetize: false }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(typesFile, await clientTypes());
