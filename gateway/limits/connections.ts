/**
 * Bounds the number of open connections, so that silent ones cannot use up the descriptors of the process.
 *
 * A connection is proven once a request with a valid credential arrived on it: from then on the limits of its key
 * apply. When there are too many unproven connections, the oldest is closed to make room for the new one. Refusing the
 * new one instead would let anyone who opens silent connections lock out everybody behind the same address.
 *
 * Invariants
 *  Connections.C1 An address (IPv6: a /64) has at most `perAddress` unproven connections. Trusted proxies, which carry
 *     many clients, are exempt.
 *  Connections.C2 At most `total` connections are open. To admit another, the oldest unproven one is closed; if all are
 *     proven, the new one is.
 *  Connections.C3 A proven connection is never closed here. Nothing is kept of a connection that has ended.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { networkOf } from './address.js';

export interface ConnectionBounds {
  perAddress: number;
  total: number;
  /** Whether an address belongs to a trusted proxy. */
  trusts: (address: string) => boolean;
  /** Called for each connection that is closed because of a bound. */
  closed?: (address: string) => void;
}

/** The addresses of both ends of a TCP connection: the same for a socket and for the TLS socket on top of it. */
interface Peer {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

type Accepted = Pick<Socket, 'remoteAddress' | 'remotePort' | 'once' | 'destroy'>;

export class Connections {
  readonly #open = new Map<string, Accepted>();
  /** Insertion order is the order of opening. The value is the network that the connection counts against, if any. */
  readonly #unproven = new Map<Accepted, string | null>();
  readonly #byNetwork = new Map<string, Set<Accepted>>();
  readonly #proven = new WeakSet<Duplex>();

  constructor(private readonly bounds: ConnectionBounds) {}

  get size(): number {
    return this.#open.size;
  }

  /** Registers an accepted connection. It may be closed at once. */
  accepted(socket: Accepted): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) {
      socket.destroy(); // the client has already disconnected
      return;
    }
    const network = this.bounds.trusts(remoteAddress) ? null : networkOf(remoteAddress);
    const siblings = network === null ? undefined : this.#byNetwork.get(network);
    if (siblings !== undefined && siblings.size >= this.bounds.perAddress) this.#close(first(siblings));
    if (this.#open.size >= this.bounds.total) {
      const oldest = first(this.#unproven.keys());
      if (oldest === undefined) {
        this.bounds.closed?.(remoteAddress);
        socket.destroy();
        return;
      }
      this.#close(oldest);
    }
    const key = keyOf(socket);
    this.#open.set(key, socket);
    this.#unproven.set(socket, network);
    if (network !== null) this.#join(network, socket);
    socket.once('close', () => {
      if (this.#open.get(key) === socket) this.#open.delete(key);
      this.#leave(socket);
    });
  }

  /**
   * Marks a connection as proven. `socket` is the one that requests see: the socket itself, or the TLS socket on top of
   * it.
   */
  proved(socket: Duplex & Peer): void {
    if (this.#proven.has(socket)) return;
    this.#proven.add(socket);
    const accepted = this.#open.get(keyOf(socket));
    if (accepted !== undefined) this.#leave(accepted);
  }

  /** Closes every connection. */
  closeAll(): void {
    for (const socket of [...this.#open.values()]) socket.destroy();
  }

  #close(socket: Accepted | undefined): void {
    if (socket === undefined) return;
    this.bounds.closed?.(socket.remoteAddress ?? '');
    this.#open.delete(keyOf(socket));
    this.#leave(socket);
    socket.destroy();
  }

  #join(network: string, socket: Accepted): void {
    const siblings = this.#byNetwork.get(network);
    if (siblings === undefined) this.#byNetwork.set(network, new Set([socket]));
    else siblings.add(socket);
  }

  #leave(socket: Accepted): void {
    const network = this.#unproven.get(socket);
    if (!this.#unproven.delete(socket) || network === null || network === undefined) return;
    const siblings = this.#byNetwork.get(network);
    siblings?.delete(socket);
    if (siblings?.size === 0) this.#byNetwork.delete(network);
  }
}

const keyOf = ({ remoteAddress = '', remotePort = 0 }: Peer): string => `${remoteAddress} ${remotePort}`;

function first<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
