/**
 * Clients that write until they are told to stop, and a ledger of what they were answered: what was acknowledged must
 * be there once, what was not may be there once.
 */
import { followRun, post, type Outcome, type Target, type Thing } from './client.js';
import type { Random } from './random.js';

export const kinds = ['memory', 'message', 'run', 'mail', 'relay'] as const;
export type Kind = (typeof kinds)[number];

export interface Entry {
  kind: Kind;
  agent: string | null;
  outcome: Outcome['kind'];
  data: Thing | null;
}

export interface Agents {
  workers: string[];
  talkers: string[];
  relays: string[];
  sinks: string[];
}

export interface Followed {
  run: string;
  end: Promise<{ seqs: number[]; last: string }>;
}

export class Load {
  /** By the text that makes each write unique. */
  readonly ledger = new Map<string, Entry>();
  /** Streams opened in this round. */
  followed: Followed[] = [];
  /** Acknowledged runs of this round whose events nobody reads yet. */
  private unread: Entry[] = [];
  private stopped = false;
  private clients: Promise<void>[] = [];
  private count = 0;

  constructor(
    private readonly target: Target,
    private readonly agents: Agents,
    private readonly random: Random,
  ) {}

  begin(clients: number): void {
    this.stopped = false;
    this.followed = [];
    this.unread = [];
    this.clients = Array.from({ length: clients }, async () => {
      while (!this.stopped) await this.write();
    });
  }

  /** Resolves when every request is answered or broken off. */
  async end(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  /** Reads the events of the runs that nobody followed while they were made, from the first. */
  followRest(): void {
    for (const entry of this.unread.splice(0)) this.follow(entry);
  }

  acknowledged(kind: Kind): [string, Entry][] {
    return [...this.ledger].filter(([, e]) => e.kind === kind && e.outcome === 'done');
  }

  private async write(): Promise<void> {
    const { random, agents } = this;
    const unique = `u${++this.count}`;
    const kind = random.pick<Kind>(['memory', 'memory', 'message', 'run', 'mail', 'relay']);
    const agent =
      kind === 'memory'
        ? random.pick([null, ...agents.talkers])
        : random.pick(
            kind === 'message'
              ? agents.talkers
              : kind === 'run'
                ? agents.workers
                : kind === 'mail'
                  ? agents.sinks
                  : agents.relays,
          );
    const entry: Entry = { kind, agent, outcome: 'unknown', data: null };
    this.ledger.set(unique, entry);
    const outcome = await this.send(kind, agent, unique);
    entry.outcome = outcome.kind;
    if (outcome.kind === 'done') entry.data = outcome.data;
    else
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    if (outcome.kind !== 'done' || kind !== 'run') return;
    if (random.next() < 0.5) this.follow(entry);
    else this.unread.push(entry);
  }

  private follow({ agent, data }: Entry): void {
    const run = data?.id ?? '';
    this.followed.push({
      run,
      end: followRun(this.target, `/v1/agent-constellations/${agent ?? ''}/runs/${run}/events`, 30_000),
    });
  }

  private send(kind: Kind, agent: string | null, unique: string): Promise<Outcome> {
    const { target, agents, random } = this;
    const at = `/v1/agent-constellations/${agent ?? ''}`;
    switch (kind) {
      case 'memory':
        return post(target, '/v1/memories', {
          type: 'note',
          content: unique,
          ...(agent !== null && { agent_id: agent }),
        });
      case 'message':
        return post(target, `/v1/agents/${agent ?? ''}/message`, { content: `what about ${unique}?` });
      case 'run':
        return post(target, `${at}/runs`, { input: `work ${unique}` });
      case 'mail':
        return post(target, `${at}/messages`, { content: `mail ${unique}` });
      case 'relay':
        return post(target, `${at}/messages`, { content: `relay ${random.pick(agents.sinks)} ${unique}` });
      default:
        return kind satisfies never;
    }
  }
}
