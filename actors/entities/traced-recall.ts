/** Searches of memories are told as spans, wherever the index is. */
import type { Recall } from '../../src/memory/port.js';
import { span, tellsContent } from '../../src/telemetry/tracing.js';

export const tracedRecall = (recall: Recall): Recall => ({
  ...recall,
  search: (query) =>
    span(
      'search_memory',
      () => ({
        attributes: {
          'gen_ai.operation.name': 'search_memory',
          'gen_ai.memory.store.id': query.spaces[0]?.id,
          ...(tellsContent() && { 'gen_ai.memory.query.text': query.query }),
        },
      }),
      (told) => {
        const found = recall.search(query);
        const tell = (count: number): void => told.set({ 'gen_ai.memory.record.count': count });
        if (!(found instanceof Promise)) {
          tell(found.length);
          return found;
        }
        return found.then((hits) => {
          tell(hits.length);
          return hits;
        });
      },
    ),
});
