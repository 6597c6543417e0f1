/** Checks that the bodies of imports can be kept while they arrive: in /tmp, or in the folder that TMPDIR names. */
import { tmpdir } from 'node:os';
import type { Config } from '../../../src/config/config.js';
import { spoolProblem } from '../../../src/transfer/spool.js';
import { findingsAbout, type Finding } from './finding.js';

const { ok, warn } = findingsAbout('imports');

/** A worker takes none. */
export async function checkImports({ role }: Config, folder = tmpdir()): Promise<Finding[]> {
  if (role === 'worker') return [];
  const problem = await spoolProblem(folder);
  return [
    problem === null
      ? ok(`${folder} takes what is imported over the API while it arrives`)
      : warn(`POST /v1/import is refused here: ${problem.message}.`),
  ];
}
