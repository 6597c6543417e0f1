/** Reads the id of the cluster that a database belongs to, for read-only commands. */
import { readCluster } from '../store/mongo/cluster-document.js';
import { clientFor, databaseOf } from '../store/mongo/connect.js';
import { toStoreError } from '../store/mongo/failures.js';

/** Null if no process has been started on the database yet. Rejects with StoreError if MongoDB cannot be reached. */
export async function readClusterId(url: string): Promise<string | null> {
  const client = clientFor(url);
  try {
    return (await readCluster(client.db(databaseOf(url))))?.id ?? null;
  } catch (error) {
    throw toStoreError(error, url);
  } finally {
    await client.close();
  }
}
