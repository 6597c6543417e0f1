/** Reads all of a store, page by page and value by value, without changing anything; also beside a running server. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isDataDirectory } from './data-directory.js';
import { defaultMapSize, openEnvironment } from './environment.js';
import { inspectHeader } from './file-header.js';
import { checkPages, type PageCheckResult } from './page-check.js';

/** What was found, or null where there is no data of hivekeep. Throws what opening or reading the file throws. */
export function verifyData(dir: string): PageCheckResult | null {
  const file = join(dir, 'data.mdb');
  if (!isDataDirectory(dir) || !statSync(file, { throwIfNoEntry: false })?.size) return null;
  const header = inspectHeader(file);
  if (header.kind === 'damaged') return { problems: [header.what], pages: 0, entries: 0, transaction: 0 };
  // a file that is shorter than it says must not be mapped; no writer is waited for then
  if (header.kind === 'suspect') return checkPages(file, { values: true });
  const root = openEnvironment(dir, defaultMapSize);
  try {
    const pin = root.useReadTransaction(); // so that a writer uses no page again that is still to be read
    try {
      return checkPages(file, { values: true });
    } finally {
      pin.done();
    }
  } finally {
    void root.close();
  }
}
