/** Reads a whole store, every page and every value, without changing anything. A server may be running on it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isDataDirectory } from './data-directory.js';
import { defaultMapSize, openEnvironment } from './environment.js';
import { inspectHeader } from './file-header.js';
import { checkPages, type PageCheckResult } from './page-check.js';

/**
 * Returns the findings, or null if the directory has no hivekeep data. Errors of opening or reading the file are
 * thrown.
 */
export function verifyData(dir: string): PageCheckResult | null {
  const file = join(dir, 'data.mdb');
  if (!isDataDirectory(dir) || !statSync(file, { throwIfNoEntry: false })?.size) return null;
  const header = inspectHeader(file);
  if (header.kind === 'damaged') return { problems: [header.what], pages: 0, entries: 0, transaction: 0 };
  const root = openEnvironment(dir, defaultMapSize);
  try {
    const pin = root.useReadTransaction(); // keeps a writer from reusing pages that are still to be read
    try {
      return checkPages(file, { values: true });
    } finally {
      pin.done();
    }
  } finally {
    void root.close();
  }
}
