/**
 * The commit that benchmarks of the stores repeat: a mailbox message taken in (the agent's head of about 400 B, and the
 * message of about 400 B).
 */
import type { Commit } from '../src/store/port.js';

const base32 = (n: number): string => n.toString(32).padStart(26, '0');

/** The commits of one mailbox agent, one after the other. */
export function mailbox(agent: number): (seq: number, message: number) => Commit {
  const entity = {
    workspace: 'ws_01kag5hq0r0123456789abcdef',
    kind: 'agent',
    id: `agent_${base32((agent * 7919) % 100_000)}`,
  } as const;
  const time = Date.parse('2026-11-21T00:00:00Z');
  return (seq, message) => {
    const at = new Date(time + message).toISOString();
    const made: object = {
      entity,
      seq,
      active: false,
      due: null,
      deleted: false,
      records: [],
      deletes: [],
      counts: { memories: 0, messages: seq },
      previousCounts: { memories: 0, messages: seq - 1 },
      snapshot: {
        name: `agent ${agent}`,
        description: 'x'.repeat(80),
        status: 'active',
        config: { model: 'built-in', memory: { recall_limit: 8 } },
        hives: [],
        metadata: {},
        wake_on_message: false,
        memory_quota: null,
        created_at: '2026-11-21T00:00:00.000Z',
        updated_at: '2026-11-21T00:00:00.000Z',
        last_active_at: at,
        lastMs: time + message,
      },
      puts: [
        {
          kind: 'message',
          id: `msg_${base32(message)}`,
          isNew: true,
          body: {
            id: `msg_${base32(message)}`,
            agent_id: entity.id,
            from: 'agent_0123456789abcdef0123456789',
            content: 'x'.repeat(180),
            reply_to: null,
            metadata: {},
            hops: 0,
            wakes: 0,
            read_at: null,
            created_at: at,
          },
        },
      ],
    };
    return made as Commit;
  };
}
