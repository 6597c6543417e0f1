import { MemoryPanel } from '../ui/memories.js';
import { PageHead } from '../ui/page-head.js';

export const MemoriesPage = () => (
  <>
    <PageHead title="Memories">
      <p>What the whole workspace knows: of its agents, of its hives, and its own. Ask, and see what answers.</p>
    </PageHead>
    <MemoryPanel scope={{}} />
  </>
);
