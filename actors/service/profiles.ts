/** The profile of a subject, with what it is made of, and what is taken out of it (docs/api.md 13.12). */
import { hash } from 'node:crypto';
import { blocksFor } from '../../src/commands/block-reads.js';
import { agentRef, headOf } from '../../src/commands/entities.js';
import { removeFromProfile } from '../../src/commands/profiles.js';
import { zoneLabel } from '../../src/domain/memory/blocks.js';
import { HivekeepError, notFound } from '../../src/domain/shared/errors.js';
import type { Profile } from '../../src/domain/model/model.js';
import { recalledSince } from '../../src/domain/run/conversation.js';
import { isSameSubject, seenBy } from '../../src/domain/shared/caller.js';
import { isOrder } from '../../src/english/sentences.js';
import { finish } from '../../src/maybe-promise.js';
import type { Caller } from '../../src/service.js';
import { type ProfileEntry, profileOf } from '../entities/profile.js';
import type { ServiceContext } from './context.js';
import { checkReach } from './memory-reach.js';

interface OfSubject {
  subject?: string;
}

const entryId = ({ content }: ProfileEntry): string => `said_${hash('sha256', content).slice(0, 26)}`;

export async function getProfile(c: ServiceContext, caller: Caller, id: string, of: OfSubject): Promise<Profile> {
  const agent = agentRef(caller, id);
  await checkReach(c, caller, agent, 'read');
  const { snapshot } = await headOf(c.deps, agent);
  const blocks = snapshot.blocks === undefined ? [] : await finish(blocksFor(c.deps.store, agent, of));
  const slot = (label: string): Profile['slots']['name'] => {
    const found = blocks.find((block) => block.label === label && isSameSubject(block, of));
    return found ? { value: found.value, since: found.updated_at } : null;
  };
  return {
    agent_id: id,
    subject: of.subject ?? null,
    slots: { name: slot('name'), language: slot('language'), timezone: slot(zoneLabel) },
    blocks: [...blocks],
    entries: (await entriesOf(c, caller, id, of)).map((entry) => ({
      id: entryId(entry),
      text: entry.content,
      kind: isOrder(entry.content) ? 'order' : 'preference',
      since: entry.evidence.at(-1)?.at ?? entry.at,
      times_seen: entry.evidence.length,
      evidence: entry.evidence.map(({ kind, id: said, run_id, sessionId, at }) => ({
        kind,
        id: said,
        run_id,
        sessionId,
        at,
      })),
    })),
  };
}

/** It does not come back from what says it now; said again, it is heeded again. */
export async function rejectProfileEntry(
  c: ServiceContext,
  caller: Caller,
  id: string,
  entry: string,
  of: OfSubject,
): Promise<void> {
  if (caller.ownTasks)
    throw new HivekeepError('INSUFFICIENT_SCOPE', 'a token that reaches only its own tasks changes no profiles');
  await checkReach(c, caller, agentRef(caller, id), 'change');
  await headOf(c.deps, agentRef(caller, id));
  const found = (await entriesOf(c, caller, id, of)).find((one) => entryId(one) === entry);
  if (!found) throw notFound('profile entry', entry);
  const said = found.evidence.map(({ id: by, run_id }) => ({ id: by, run_id }));
  await c.services.execute(caller, removeFromProfile, { id }, { entry, said });
}

async function entriesOf(c: ServiceContext, caller: Caller, id: string, of: OfSubject): Promise<ProfileEntry[]> {
  const agent = agentRef(caller, id);
  const { snapshot } = await headOf(c.deps, agent);
  const now = c.deps.clock.now();
  return finish(
    profileOf(c.deps, { spaces: seenBy(agent, of), of, turnsSince: recalledSince(snapshot.config.memory, now), now }),
  );
}
