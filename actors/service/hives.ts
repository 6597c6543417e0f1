/** The service's operations on hives that have no commands yet. */
import type { Service } from '../../src/service.js';
import { headOf, hiveRef } from '../../src/commands/entities.js';
import { askActor, auditNoteOf, withIdempotencyKey, withReservation, type ServiceContext } from './context.js';

export function hiveService(c: ServiceContext) {
  return {
    async shareMemory(caller, hive, { agent_id, ...input }) {
      await headOf(c.deps, hiveRef(caller, hive));
      await askActor(c, caller, agent_id, { type: 'sharing', hive });
      return withReservation(c, caller, (outcome) =>
        askActor(c, caller, hiveRef(caller, hive), {
          type: 'remember',
          input: { ...input, shared_by: agent_id },
          ...outcome,
          ...withIdempotencyKey(caller),
          ...auditNoteOf(caller, 'memory.shared'),
        }),
      );
    },
  } satisfies Partial<Service>;
}
