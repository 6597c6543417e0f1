/** The workspace's data, out as a file and in again. */
import { session } from '../../lib/session.js';
import { useStore } from '../../lib/store.js';
import { ExportButton, ImportForm } from '../../ui/transfer.js';

export function Data() {
  const who = useStore(session);
  return (
    <div class="grid">
      <section class="card" aria-label="Export">
        <h2>Export</h2>
        <p class="hint">
          Agents with their memories, messages and runs, hives, and settings, as lines of JSON that people and programs
          can read. Keys and tokens are not in it. One agent alone: in its settings.
        </p>
        <ExportButton name={who.key === null ? 'workspace' : (who.me.workspace?.name ?? 'workspace')} agent={null}>
          Export the workspace
        </ExportButton>
      </section>
      <section class="card" aria-label="Import">
        <h2>Import</h2>
        <p class="hint">
          All of the file is checked first. What is here already stays as it is, so an import can be repeated.
        </p>
        <ImportForm />
      </section>
    </div>
  );
}
