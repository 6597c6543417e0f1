/**
 * A network of transports within one process, for tests. Entries arrive in a later turn, in order; a test decides which
 * are lost, repeated or delayed.
 */
import { decodeEntry, encodeEntries } from '../../src/bus/entry.js';
import type { Transport, TransportEvents } from '../../src/bus/transport.js';
import { UnreadableMessages } from '../../src/bus/unreadable.js';

/** The fate of an entry. A promise delays its arrival, possibly beyond that of entries sent later. */
export type DeliveryFate = 'arrives' | 'lost' | 'twice' | Promise<unknown>;

export interface InProcessNetwork {
  /** Creates a process with this name, which must be unused. */
  transport(name: string): Transport;
  /** Called for every entry; tests replace it. */
  fate: (from: string, to: string, messages: readonly unknown[]) => DeliveryFate;
  /** Partitions this process from the network, without notifying anybody. The returned function heals the partition. */
  cut(name: string): () => void;
  /** Ends a process as kill -9 does: messages sent to it are reported as `gone`, and nothing comes from it any more. */
  kill(name: string): void;
  /** Puts a raw text into a process's inbox, as a foreign program could. */
  write(to: string, text: string): void;
  /** The number of entries that could not be decoded. */
  readonly unreadable: number;
}

export function createNetwork(): InProcessNetwork {
  const live = new Map<string, TransportEvents>();
  const used = new Set<string>();
  const isCut = new Map<string, number>();
  const unreadable = new UnreadableMessages(undefined);

  const deliver = (from: string, to: string, text: string): void => {
    const events = live.get(to);
    if (isCut.get(from) || isCut.get(to)) return;
    if (events === undefined) {
      live.get(from)?.gone(to);
      return;
    }
    const messages = decodeEntry(text);
    if (messages === null) unreadable.add(to, text);
    for (const message of messages ?? []) if (live.get(to) === events) events.received(from, message);
  };
  const post = (from: string, to: string, text: string): void => {
    const fate = network.fate(from, to, decodeEntry(text) ?? []);
    if (fate === 'lost') return;
    const later = fate instanceof Promise ? fate : Promise.resolve();
    for (let i = fate === 'twice' ? 2 : 1; i > 0; i--)
      void later.then(() => {
        setImmediate(deliver, from, to, text);
      });
  };

  const network: InProcessNetwork = {
    fate: () => 'arrives',
    transport: (name) => {
      if (used.has(name)) throw new Error(`the name ${name} was used before`);
      used.add(name);
      return new NetworkTransport(name, live, post);
    },
    cut: (name) => {
      isCut.set(name, (isCut.get(name) ?? 0) + 1);
      return () => {
        isCut.set(name, (isCut.get(name) ?? 1) - 1);
      };
    },
    kill: (name) => {
      live.delete(name);
    },
    write: (to, text) => {
      setImmediate(deliver, 'somebody', to, text);
    },
    get unreadable() {
      return unreadable.count;
    },
  };
  return network;
}

class NetworkTransport implements Transport {
  readonly #outgoing = new Map<string, string[]>();
  #flushing = false;

  constructor(
    readonly self: string,
    private readonly live: Map<string, TransportEvents>,
    private readonly post: (from: string, to: string, text: string) => void,
  ) {}

  async start(events: TransportEvents): Promise<void> {
    this.live.set(this.self, events);
  }

  send(to: string, message: unknown): void {
    const text = JSON.stringify(message);
    const waiting = this.#outgoing.get(to);
    if (waiting) waiting.push(text);
    else this.#outgoing.set(to, [text]);
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushing = false;
    const outgoing = [...this.#outgoing];
    this.#outgoing.clear();
    if (!this.live.has(this.self)) return;
    for (const [to, texts] of outgoing) for (const entry of encodeEntries(texts)) this.post(this.self, to, entry);
  }

  async close(): Promise<void> {
    this.#flush();
    this.live.delete(this.self);
  }
}
