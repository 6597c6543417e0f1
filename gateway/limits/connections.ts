/**
 * Bounds the number of open connections, so that nobody's can use up the descriptors of the process.
 *
 * A connection is proven once a request with a valid credential was admitted on it. Until then it counts against its
 * address, from then on against the workspace of the credential. Where there are too many, one that serves nothing is
 * closed to make room for the new one. Refusing the new one instead would let whoever opens many connections lock out
 * everybody else.
 *
 * Invariants
 *  - An address (IPv6: a /64) that has more than `perAddress` unproven connections loses the oldest of them, after
 *    they had about 15 s: the time for a head, after which silent ones are closed anyway. All clients that a restart
 *    cut off may so come back at once. Trusted proxies, which carry many clients, are exempt.
 *  - At most `total` connections are open. To admit another, the oldest unproven one is closed; or, where there is
 *    none or the proven ones have taken the places that are kept for others (a quarter), the one of the workspace with
 *    the most (proxies count as one) that was idle for longest. If all of these are busy, the new one is closed.
 *  - A connection that serves a request is not closed here, unless it is unproven and the request names no credential;
 *    looking a credential up is part of serving. Nothing is kept of a connection that has ended.
 */
import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { type Socket, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TrustFunction } from '../auth/bearer.js';
import type { Clock } from '../../src/domain/shared/clock.js';

/*
 * Determines the client address for the limits by address.
 *
 * X-Forwarded-For is read from the right, as far as the hops are trusted proxies: the first address that is not a
 * trusted proxy's is the client's. Anything that the client itself wrote into the header is further to the left and is
 * ignored.
 */

/** The client's address, or the nearest proxy's if it forwards no valid one. Empty if the socket is already gone. */
export function clientAddress(req: Pick<IncomingMessage, 'socket' | 'headers'>, trusts: TrustFunction): string {
  let address = req.socket.remoteAddress ?? '';
  const forwarded = req.headers['x-forwarded-for'];
  if (forwarded === undefined) return address;
  const hops = (typeof forwarded === 'string' ? forwarded : forwarded.join(',')).split(',');
  for (let hop = 0; trusts(address, hop) && hops.length > 0; hop++) {
    const named = withoutPort(hops.pop()?.trim() ?? '');
    if (isIP(named) === 0) return address;
    address = named;
  }
  return address;
}

/** Removes the port that some proxies append: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop);
  return bracketed?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
}

/**
 * The network that shares one limit: an IPv4 address, or the /64 of an IPv6 address, which is typically one client's.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%', 1); // removes a zone, as in fe80::1%eth0
  if (isIP(bare) === 0) return 'unknown';
  const parsed = ipaddr.process(bare); // converts an IPv4-mapped IPv6 address
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

export interface ConnectionBounds {
  perAddress: number;
  total: number;
  /** Whether an address belongs to a trusted proxy. */
  trusts: (address: string) => boolean;
  /** Whether connections speak TLS. */
  secured: boolean;
  clock: Pick<Clock, 'after'>;
  /** Called for each connection that is closed because of a bound. */
  closed?: (address: string) => void;
}

/** A quarter of all places is not for proven connections while others ask for them. */
const provenShare = 0.75;
/**
 * The time to prove itself, in looks of a second each: a process that has no time to look has none to read requests
 * either. It is as long as a head may take.
 */
const graceLooks = 15;
const lookMs = 1_000;

/** The addresses of both ends of a TCP connection: the same for a socket and for the TLS socket on top of it. */
interface Peer {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

type Accepted = Pick<Socket, 'remoteAddress' | 'remotePort' | 'bytesRead' | 'once' | 'destroy'>;

interface Holder {
  readonly name: string;
  readonly all: Set<Connection>;
  /** The one that was idle for longest comes first. */
  readonly idle: Set<Connection>;
}

export interface Connection {
  readonly socket: Accepted;
  /** Null: of a trusted proxy. */
  readonly network: string | null;
  /** Whose it is, once it is proven. */
  holder: Holder | null;
  /** How often was looked for unproven ones when it was opened. */
  readonly looks: number;
  /** Requests that are being served. */
  requests: number;
  /** How many of them name a credential. */
  keyed: number;
  /** No request has begun on it yet. */
  unused: boolean;
}

export class Connections {
  private readonly open = new Map<string, Connection>();
  private readonly known = new WeakMap<Duplex, Connection>();
  /** Insertion order is the order of opening. */
  private readonly unproven = new Set<Connection>();
  private readonly byNetwork = new Map<string, Set<Connection>>();
  private readonly holders = new Map<string, Holder>();
  private readonly crowded = new Set<string>();
  private waiting = false;
  private looks = 0;

  constructor(private readonly bounds: ConnectionBounds) {}

  get size(): number {
    return this.open.size;
  }

  /** Registers an accepted connection. It may be closed at once. */
  accepted(socket: Accepted): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) {
      socket.destroy(); // the client has already disconnected
      return;
    }
    if (this.open.size >= this.bounds.total && !this.makeRoom()) {
      this.bounds.closed?.(remoteAddress);
      socket.destroy();
      return;
    }
    const network = this.bounds.trusts(remoteAddress) ? null : networkOf(remoteAddress);
    const connection: Connection = {
      socket,
      network,
      holder: null,
      looks: this.looks,
      requests: 0,
      keyed: 0,
      unused: true,
    };
    const key = keyOf(socket);
    this.open.set(key, connection);
    this.unproven.add(connection);
    if (network !== null) this.join(network, connection);
    socket.once('close', () => {
      if (this.open.get(key) === connection) this.open.delete(key);
      this.forget(connection);
    });
  }

  /**
   * A request begins. `socket` is the one that requests see: the socket itself, or the TLS socket on top of it. Hand
   * the result to `ended` when the response is over.
   */
  began(socket: Duplex & Peer, keyed: boolean): Connection | null {
    const connection = this.of(socket);
    if (connection === null) return null;
    connection.requests++;
    connection.unused = false;
    if (keyed) connection.keyed++;
    connection.holder?.idle.delete(connection);
    return connection;
  }

  ended(connection: Connection | null, keyed: boolean): void {
    if (connection === null) return;
    connection.requests--;
    if (keyed) connection.keyed--;
    if (connection.requests === 0) connection.holder?.idle.add(connection);
  }

  /** A request of this workspace was admitted on the connection. */
  proved(socket: Duplex & Peer, workspace: string): void {
    const connection = this.of(socket);
    if (connection === null || connection.holder !== null || !this.unproven.has(connection)) return;
    this.leaveNetwork(connection);
    const name = connection.network === null ? 'proxies' : `workspace ${workspace}`;
    let holder = this.holders.get(name);
    if (holder === undefined) {
      holder = { name, all: new Set(), idle: new Set() };
      this.holders.set(name, holder);
    }
    connection.holder = holder;
    holder.all.add(connection);
    if (connection.requests === 0) holder.idle.add(connection);
  }

  /**
   * Closes the connections on which nothing has begun. Browsers and HTTP clients open some ahead of need, and node
   * would wait for a request on them. One of which a byte was read (over TLS: on which a request began) stays.
   */
  closeSilent(): void {
    for (const { socket, unused } of [...this.open.values()])
      if (unused && (this.bounds.secured || socket.bytesRead === 0)) socket.destroy();
  }

  /** Closes every connection. */
  closeAll(): void {
    for (const { socket } of [...this.open.values()]) socket.destroy();
  }

  private of(socket: Duplex & Peer): Connection | null {
    const known = this.known.get(socket);
    if (known !== undefined) return known;
    const found = this.open.get(keyOf(socket));
    if (found === undefined) return null;
    this.known.set(socket, found);
    return found;
  }

  /** Whether one was closed. */
  private makeRoom(): boolean {
    const proven = this.open.size - this.unproven.size;
    const unproven = this.closable(this.unproven);
    const victim =
      unproven === undefined || proven > this.bounds.total * provenShare ? (this.idlest() ?? unproven) : unproven;
    this.close(victim);
    return victim !== undefined;
  }

  private closable(unproven: Iterable<Connection>): Connection | undefined {
    for (const connection of unproven) if (connection.keyed === 0) return connection;
    return undefined;
  }

  /** The one that was idle for longest, of those who have the most. */
  private idlest(): Connection | undefined {
    let most: Holder | undefined;
    for (const holder of this.holders.values())
      if (holder.idle.size > 0 && holder.all.size > (most?.all.size ?? 0)) most = holder;
    return most && first(most.idle);
  }

  private close(connection: Connection | undefined): void {
    if (connection === undefined) return;
    const { socket } = connection;
    this.bounds.closed?.(socket.remoteAddress ?? '');
    this.open.delete(keyOf(socket));
    this.forget(connection);
    socket.destroy();
  }

  private join(network: string, connection: Connection): void {
    const siblings = this.byNetwork.get(network) ?? new Set();
    this.byNetwork.set(network, siblings.add(connection));
    if (siblings.size <= this.bounds.perAddress) return;
    this.crowded.add(network);
    this.trimLater();
  }

  private trimLater(): void {
    if (this.waiting) return;
    this.waiting = true;
    this.bounds.clock.after(lookMs, () => {
      this.waiting = false;
      // a turn that took long is followed by timers first: what has arrived meanwhile is read before
      setImmediate(() => {
        this.trim();
        if (this.crowded.size > 0) this.trimLater();
      });
    });
  }

  private trim(): void {
    this.looks++;
    for (const network of this.crowded) {
      const siblings = this.byNetwork.get(network) ?? new Set();
      while (siblings.size > this.bounds.perAddress) {
        const oldest = this.closable(siblings);
        if (oldest === undefined || this.looks - oldest.looks < graceLooks) break;
        this.close(oldest);
      }
      if (siblings.size <= this.bounds.perAddress) this.crowded.delete(network);
    }
  }

  private leaveNetwork(connection: Connection): void {
    const { network } = connection;
    if (!this.unproven.delete(connection) || network === null) return;
    const siblings = this.byNetwork.get(network);
    siblings?.delete(connection);
    if (siblings?.size === 0) this.byNetwork.delete(network);
  }

  private forget(connection: Connection): void {
    this.leaveNetwork(connection);
    const { holder } = connection;
    holder?.all.delete(connection);
    holder?.idle.delete(connection);
    if (holder?.all.size === 0 && this.holders.get(holder.name) === holder) this.holders.delete(holder.name);
    connection.holder = null;
  }
}

const keyOf = ({ remoteAddress = '', remotePort = 0 }: Peer): string => `${remoteAddress} ${remotePort}`;

function first<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
