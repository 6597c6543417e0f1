/** The id of the cluster that a database belongs to, for commands that look and change nothing. */
import { readCluster } from '../store/mongo/cluster-document.js';
import { clientFor, databaseOf } from '../store/mongo/connect.js';
import { toStoreError } from '../store/mongo/failures.js';

/** Null where no process has been started on it yet. Rejects with StoreError where MongoDB cannot be asked. */
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
