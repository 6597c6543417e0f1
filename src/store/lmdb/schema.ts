/**
 * The version of the stored layout.
 *
 *  - Data of another version is refused, and nothing in it is changed.
 */
import { StoreError } from '../port.js';
import type { Trees } from './environment.js';

/** The version of the keys and values in the four trees. */
export const schemaVersion = 1;
const schemaKey = 'schema';

/** The version of the data, which a new store gets. Throws for that of another version. */
export function checkSchema({ root, system }: Trees, dir: string): number {
  const version = root.transactionSync(() => {
    const text = system.get(schemaKey);
    if (text !== undefined) return Number(text);
    void system.put(schemaKey, String(schemaVersion));
    return schemaVersion;
  });
  if (version !== schemaVersion) throw otherSchema(dir, version);
  return version;
}

export const otherSchema = (dir: string, version: number): StoreError =>
  new StoreError(
    'other-schema',
    `The data in ${dir} was written by ${version > schemaVersion ? 'a newer' : 'another'} version of hivekeep (its schema is ${version}, this version knows ${schemaVersion}). Start that version, or name another directory with HIVEKEEP_DATA_DIR.`,
  );
