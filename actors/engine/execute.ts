/**
 * Carries out commands (src/commands/command.ts): a change by the actor of its entity, whichever process has that, a
 * query here. It knows no noun. A failure of the store becomes UNAVAILABLE.
 */
import type { AuditNote } from '../../src/domain/shared/draft.js';
import { auditActorOf, fieldsOf } from '../../src/domain/workspace/audit.js';
import {
  type Call,
  type Change,
  type Command,
  type CommandMessage,
  type Services,
  holds,
  commandMessage,
} from '../../src/commands/command.js';
import { type IdempotencyKey, ReplayedAnswer } from '../../src/commands/idempotency.js';
import type { Caller } from '../../src/domain/shared/caller.js';
import { sizeOf, type StorageExceeded } from '../../src/domain/workspace/usage.js';
import type { EntityRef } from '../../src/store/port.js';
import type { TenantBounds } from '../quota/tenant-bounds.js';
import type { Ask } from '../entities/ask.js';
import { rethrowStoreFailure } from '../service/context.js';

interface EngineDeps {
  readonly ask: Ask;
  readonly bounds: Pick<TenantBounds, 'storageExceeded'>;
}

/** Returns the services of commands, with `execute`. */
export function createEngine(deps: EngineDeps, given: Omit<Services, 'execute'>): Services {
  const services: Services = { ...given, execute };

  function execute(caller: Caller, command: Command, target: unknown, input?: unknown): Promise<never> {
    const call: Call = { caller, target: target as Call['target'], input };
    const answer = command.kind === 'change' ? changed(command, call) : command.run(services, call as never);
    return answer.catch(rethrowStoreFailure) as Promise<never>;
  }

  async function changed(command: Change, call: Call): Promise<unknown> {
    const { caller, target } = call;
    // 1. look up what is outside of the entity
    const input = command.prepare ? await command.prepare(services, call as never) : call.input;
    // 2. name the request, so that it takes effect once
    const key = command.key ? command.key({ caller, target, input } as never) : keyOf(caller);
    // 3. ask the entity, which decides and commits, with what the audit says of it
    const audit = noteOf(command, call, input);
    const result = await asked(
      entityOf(command, { caller, target, input }),
      commandMessage(command, caller, target, input, key, undefined, audit),
    );
    // 4. show what it came to, or came to when it was first asked
    const isRepeat = result instanceof ReplayedAnswer;
    if (isRepeat && caller.idempotencyKey) caller.idempotencyKey.replayed = true;
    const value = isRepeat ? result.result : result;
    return command.show ? command.show(value as never, call as never, services) : value;
  }

  async function asked(entity: EntityRef, message: CommandMessage): Promise<unknown> {
    const exceeded = holds(message.command.adds, message)
      ? await deps.bounds.storageExceeded(entity.workspace, () => sizeOf(message.input))
      : null;
    return deps.ask(entity, exceeded ? refusing(message, exceeded) : message);
  }

  return services;
}

/** The entity that the command is for: the one that its target names, or the workspace's desk. */
const entityOf = ({ of, at }: Change, call: Call): EntityRef => {
  if (at) return at(call as never);
  const { workspace } = call.caller;
  return { workspace, kind: of, id: of === 'workspace' ? workspace : (call.target['id'] ?? '') };
};

/** The message with the word that nothing more may be stored: only the actor can still give a repeat its first answer. */
const refusing = (
  { command, caller, target, input, idempotencyKey, audit }: CommandMessage,
  exceeded: StorageExceeded,
): CommandMessage => commandMessage(command, caller, target, input, idempotencyKey, exceeded, audit);

/** What the audit says of a change: by whom, of what, and which fields the client gave. */
function noteOf(command: Change, { caller, target, input: given }: Call, input: unknown): AuditNote | undefined {
  if (command.audit === null) return undefined;
  const noted = command.noted ? command.noted({ caller, target, input } as never) : {};
  if (noted === null) return undefined;
  return {
    action: command.audit,
    by: auditActorOf(caller),
    target: noted.target ?? null,
    place: target[command.target.at(-1) ?? ''] ?? null,
    fields: command.input ? fieldsOf(given) : [],
    count: noted.count ?? null,
  };
}

const keyOf = ({ idempotencyKey: key }: Caller): IdempotencyKey | undefined =>
  key && { id: key.id, bodyHash: key.bodyHash };
