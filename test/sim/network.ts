/**
 * What connects the simulated processes besides the database: the transport of messages, the bus of live events and the
 * lease table. Messages and events are late, lost, repeated and overtaken as the seed decides; the ports allow all of
 * it.
 */
import { createInProcessBus } from '../../src/bus/in-process.js';
import type { Bus } from '../../src/bus/port.js';
import type { Transport, TransportEvents } from '../../src/bus/transport.js';
import type { LeaseTable } from '../../src/cluster/leases.js';
import { FakeLeases } from '../unit/cluster/fake-lease-table.js';
import type { Kernel, SimulatedProcess } from './kernel.js';

interface Station {
  process: SimulatedProcess;
  events: TransportEvents;
}

export class Network {
  readonly leases: FakeLeases;
  leasesDown = false;
  /** Of 1,000 entries and events, so many are lost, and as many arrive twice. */
  trouble = 20;
  private readonly stations = new Map<string, Station>();
  private readonly buses = new Map<string, { process: SimulatedProcess; bus: Bus }>();

  constructor(private readonly kernel: Kernel) {
    this.leases = new FakeLeases(() => kernel.time);
  }

  transportFor(process: SimulatedProcess): Transport {
    const outgoing = new Map<string, unknown[]>();
    const flush = (): void => {
      for (const [to, messages] of outgoing) this.post(process, to, messages);
      outgoing.clear();
    };
    return {
      self: process.name,
      start: async (events) => {
        this.stations.set(process.name, { process, events });
      },
      send: (to, message) => {
        const messages = outgoing.get(to);
        if (messages) messages.push(message);
        else {
          if (outgoing.size === 0) this.kernel.immediate(flush, process);
          outgoing.set(to, [message]);
        }
      },
      close: async () => {
        flush();
        this.stations.delete(process.name);
      },
    };
  }

  busFor(process: SimulatedProcess): Bus {
    const own = createInProcessBus();
    this.buses.set(process.name, { process, bus: own });
    const tell = (publish: (bus: Bus) => void): void => {
      publish(own);
      for (const { process: other, bus } of this.buses.values())
        if (other !== process && process.reaches.peers && other.reaches.peers && !this.happens())
          this.kernel.after(this.delay(), () => {
            other.arrives(() => {
              publish(bus);
            });
          });
    };
    return {
      ...own,
      publish: (channel, topic, events) => {
        tell((bus) => {
          bus.publish(channel, topic, events);
        });
      },
      publishText: (topic, piece) => {
        tell((bus) => {
          void bus.publishText(topic, piece);
        });
        return true;
      },
    };
  }

  leaseTableFor(process: SimulatedProcess): LeaseTable {
    const { leases } = this;
    return {
      beat: (member, ms, tell, known) => this.call(process, () => leases.beat(member, ms, tell, known)),
      acquire: (self, shards, epoch) => this.call(process, () => leases.acquire(self, shards, epoch)),
      release: (self, given, leave) => this.call(process, () => leases.release(self, given, leave)),
      watch: (told) =>
        leases.watch((news) => {
          if (!this.happens() && process.reaches.leases && !this.leasesDown)
            this.kernel.after(this.delay(), () => {
              process.arrives(() => {
                told(news);
              });
            });
        }),
    };
  }

  /** Ends a process as kill -9 does. */
  killed(process: SimulatedProcess): void {
    this.stations.delete(process.name);
    this.buses.delete(process.name);
  }

  private post(from: SimulatedProcess, to: string, messages: readonly unknown[]): void {
    if (!from.reaches.peers || this.happens()) return;
    const text = JSON.stringify(messages);
    for (let n = this.happens() ? 2 : 1; n > 0; n--)
      this.kernel.after(this.delay(), () => {
        this.deliver(from, to, text);
      });
  }

  private deliver(from: SimulatedProcess, to: string, text: string): void {
    const station = this.stations.get(to);
    if (!station) {
      const sender = this.stations.get(from.name);
      sender?.process.arrives(() => {
        sender.events.gone(to);
      });
      return;
    }
    if (!station.process.reaches.peers) return;
    station.process.arrives(() => {
      for (const message of JSON.parse(text) as unknown[]) station.events.received(from.name, message);
    });
  }

  private happens(): boolean {
    return this.kernel.random.between(0, 1000) < this.trouble;
  }

  /** Mostly a few milliseconds, now and then long enough to be overtaken by many. */
  private delay(): number {
    const { random } = this.kernel;
    return random.next() < 0.03 ? random.between(20, 400) : 0.2 + 3 * random.next();
  }

  /** Takes effect some time later and is answered some time after that, or one of the two does not happen. */
  private call<T>(process: SimulatedProcess, effect: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        process.after(this.delay(), () => {
          reject(new Error('the lease table did not answer'));
        });
      };
      const cut = (): boolean => this.leasesDown || !process.reaches.leases || this.happens();
      if (cut()) {
        fail();
        return;
      }
      this.kernel.after(this.delay(), () => {
        const result = effect();
        if (cut()) fail();
        else
          process.after(this.delay(), () => {
            resolve(result);
          });
      });
    });
  }
}
