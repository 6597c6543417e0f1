/**
 * How a command takes effect once while its shard moves: a gateway keeps each command until it is
 * answered, a transport loses and repeats, two workers both may believe to hold the shard.
 *
 * One shard with one entity. A worker serves while it believes in its lease, and notices late that it has none where it
 * is paused; what it has decided it may commit also then. A commit is one compare-and-set with the record of its
 * command (commit.ts shows that it may be taken as one). What is on its way is delivered once, several times, or lost.
 *
 * Left out: how leases are timed (lease.ts) and who is believed to hold one (epochs.ts); answers that a worker does not
 * hold the shard, which save time alone, since a command is sent again in any case.
 */
import type { Can, Model } from './checker.js';

export const asBuilt = {
  /** The store compares the sequence number, and keeps a record of each command. */
  fence: true,
  records: true,
  /** A command is sent again when the owner changes, is gone, or time is up. */
  resend: true,
  /** What the bound of the gateway counts: every command that is not answered, or those that wait for an owner. */
  bounded: 'unanswered' as 'unanswered' | 'waiting',
  bound: 2,
};
export const sizes = {
  commands: ['c1'],
  crashes: 1,
  /** A lease runs out unnoticed, or is handed over, or Redis is emptied. */ moves: 1,
};
type Options = typeof asBuilt & typeof sizes;
export type HandoverOptions = Partial<Options>;

/** `seq` -1: the entity is not loaded. */
interface Worker {
  believes: boolean;
  seq: number;
  command: string;
  decided: boolean;
}
interface State {
  /** Who holds the lease, and who does as far as the gateway knows; -1: nobody. */
  owner: number;
  route: number;
  workers: Worker[];
  /** What is on its way: 'c1 to P', 'ok c1'. */
  net: string[];
  commands: Record<string, 'new' | 'waiting' | 'sent' | 'answered' | 'dropped'>;
  /** Seen by nobody: the commits in the order in which they took effect. */
  history: { command: string; base: number }[];
  crashes: number;
  moves: number;
}

const names = ['P', 'Q'];
const fresh = (): Worker => ({ believes: false, seq: -1, command: '', decided: false });

export function handoverModel(options: HandoverOptions = {}): Model<State> {
  const o: Options = { ...asBuilt, ...sizes, ...options };
  const send = (s: State, message: string) => {
    if (!s.net.includes(message)) s.net = [...s.net, message].sort();
  };
  const count = (s: State, ...of: string[]) => o.commands.filter((c) => of.includes(s.commands[c]!)).length;
  const hasRoom = (s: State) =>
    (o.bounded === 'unanswered' ? count(s, 'waiting', 'sent') : count(s, 'waiting')) < o.bound;
  const answer = (s: State, w: Worker) => {
    send(s, `ok ${w.command}`);
    Object.assign(w, { command: '', decided: false });
  };

  function look(s: State, w: Worker): void {
    if (w.seq < 0) w.seq = s.history.length;
    if (o.records && s.history.some(({ command }) => command === w.command)) answer(s, w);
    else w.decided = true;
  }
  function commit(s: State, w: Worker): void {
    if (o.fence && w.seq !== s.history.length) {
      Object.assign(w, { seq: -1, decided: false });
      return;
    }
    s.history.push({ command: w.command, base: w.seq });
    w.seq = s.history.length;
    answer(s, w);
  }

  function workerSteps(s: State, i: number, can: Can<State>): void {
    const w = s.workers[i]!;
    const name = names[i]!;
    const holds = s.owner === i;
    const own = (t: State) => t.workers[i]!;
    if (s.owner < 0 && !w.believes)
      can(`${name} takes the lease`, (t) => {
        t.owner = i;
        own(t).believes = true;
      });
    if (holds && !w.believes)
      can(`the lease of ${name} runs out`, (t) => {
        t.owner = -1;
      });
    if (holds && w.believes && s.moves > 0)
      can(`the lease of ${name} is gone, unnoticed`, (t) => {
        t.owner = -1;
        t.moves--;
      });
    if (holds && w.believes && s.moves > 0 && !w.command)
      can(`${name} hands the shard over`, (t) => {
        t.owner = -1;
        t.moves--;
        t.workers[i] = fresh();
      });
    if (w.believes && !holds)
      can(`${name} notices that its lease is gone`, (t) => {
        t.workers[i] = fresh();
      });
    if (w.command && !w.decided)
      can(`${name} ${w.seq < 0 ? 'loads and ' : ''}looks for a record of ${w.command}`, (t) => {
        look(t, own(t));
      });
    if (w.decided)
      can(`${name} commits ${w.command}`, (t) => {
        commit(t, own(t));
      });
    if (w.believes && !w.command)
      for (const c of o.commands)
        if (s.net.includes(`${c} to ${name}`))
          can(`${name} takes ${c}`, (t) => {
            own(t).command = c;
          });
    if (s.crashes > 0 && w.believes)
      can(`${name} crashes`, (t) => {
        t.crashes--;
        t.workers[i] = fresh();
      });
  }

  function gatewaySteps(s: State, can: Can<State>): void {
    if (s.route !== s.owner)
      can(`the gateway learns that ${names[s.owner] ?? 'nobody'} holds the shard`, (t) => {
        t.route = t.owner;
      });
    for (const c of o.commands) {
      const at = s.commands[c];
      const to = `${c} to ${names[s.route] ?? 'nobody'}`;
      if (at === 'new' && hasRoom(s))
        can(`a client sends ${c}`, (t) => {
          t.commands[c] = 'waiting';
        });
      if (at === 'waiting' && s.route >= 0)
        can(`the gateway sends ${to}`, (t) => {
          t.commands[c] = 'sent';
          send(t, to);
        });
      if (at === 'sent' && o.resend)
        can(`the gateway takes ${c} back to send it again`, (t) => {
          t.commands[c] = o.bounded === 'unanswered' || hasRoom(t) ? 'waiting' : 'dropped';
        });
      if (at !== 'answered' && s.net.includes(`ok ${c}`))
        can(`the gateway is told that ${c} is done`, (t) => {
          t.commands[c] = 'answered';
        });
    }
  }

  return {
    start: {
      owner: -1,
      route: -1,
      workers: [fresh(), fresh()],
      net: [],
      commands: Object.fromEntries(o.commands.map((c) => [c, 'new'])),
      history: [],
      crashes: o.crashes,
      moves: o.moves,
    },
    steps(s, can) {
      workerSteps(s, 0, can);
      workerSteps(s, 1, can);
      gatewaySteps(s, can);
      if (s.net.length > 0)
        can('all that is on its way is lost', (t) => {
          t.net = [];
        });
    },
    invariants: {
      H1: {
        text: 'No command takes effect twice, however often it was sent.',
        holds: (s) => new Set(s.history.map(({ command }) => command)).size === s.history.length,
      },
      H2: {
        text: 'One history: every commit was decided on what the one before it left.',
        holds: (s) => s.history.every(({ base }, at) => base === at),
      },
      H3: {
        text: 'What is answered took effect.',
        holds: (s) =>
          o.commands.every((c) => s.commands[c] !== 'answered' || s.history.some(({ command }) => command === c)),
      },
      H4: { text: 'Nothing that was admitted is dropped without an answer.', holds: (s) => count(s, 'dropped') === 0 },
    },
    finished: (s) => count(s, 'answered') === o.commands.length,
    canonical(s) {
      const other = mirrored(s);
      return JSON.stringify(s) <= JSON.stringify(other) ? s : other;
    },
  };
}

/** P and Q change names. */
function mirrored(s: State): State {
  const swap = (owner: number) => (owner < 0 ? owner : 1 - owner);
  const net = s.net.map((message) => message.replace(/[PQ]$/, (name) => (name === 'P' ? 'Q' : 'P'))).sort();
  return { ...s, owner: swap(s.owner), route: swap(s.route), workers: [s.workers[1]!, s.workers[0]!], net };
}
