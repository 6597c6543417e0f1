/** Commits are told as spans, and with them what they do to memories. */
import type { Commit, Store } from '../../src/store/port.js';
import { inTrace, span, tellSpan, traceNow } from '../../src/telemetry/tracing.js';

type Outcome = ReturnType<Store['commit']>;

/** Makes the commit in this trace; without one it only makes it. */
export function tracedCommit(trace: string | undefined, commit: Commit, make: (commit: Commit) => Outcome): Outcome {
  if (trace === undefined) return make(commit);
  return inTrace(trace, () => {
    const startMs = Date.now();
    return span(
      'commit',
      () => ({
        attributes: {
          'hivekeep.entity.kind': commit.entity.kind,
          'hivekeep.entity.id': commit.entity.id,
          'hivekeep.commit.documents': commit.puts.length + commit.deletes.length,
        },
      }),
      async ({ set }) => {
        const outcome = await make(commit);
        if (outcome === 'committed') tellMemories(commit, startMs);
        else set({ 'error.type': outcome });
        return outcome;
      },
    );
  });
}

function tellMemories({ entity, puts, deletes }: Commit, startMs: number): void {
  const parent = traceNow();
  if (parent === undefined) return;
  const memories = puts.filter(({ kind }) => kind === 'memory');
  const done = {
    create_memory: memories.filter(({ isNew }) => isNew),
    update_memory: memories.filter(({ isNew, rewrites }) => !isNew && rewrites === true),
    delete_memory: deletes.filter(({ kind }) => kind === 'memory'),
  };
  for (const [operation, of] of Object.entries(done)) {
    const [first] = of;
    if (!first) continue;
    tellSpan({
      name: operation,
      parent,
      startMs,
      attributes: {
        'gen_ai.operation.name': operation,
        'gen_ai.memory.store.id': entity.id,
        'gen_ai.memory.record.count': of.length,
        ...(of.length === 1 && { 'gen_ai.memory.record.id': first.id }),
      },
    });
  }
}
