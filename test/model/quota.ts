/**
 * How a monthly quota holds exactly while its gate moves from process to process (docs/api.md 8.4;
 * actors/quota/quota-desk.ts QuotaDesk.K1-K4).
 *
 * A gate is opened by a commit that names it. It looks (is it still the one that is named, and how much is stored),
 * then grants places on what it saw. A client that has a place sends its request to an actor, which decides, and whose
 * commit arrives some time after. An earlier gate may still be there, and be slow. Ages are counted in ticks from the
 * look. The actor does not know the client's clock, which may be ahead or behind: it judges how old a request is by its
 * own, from what that showed in an answer that the client had before (actors/cluster/router.ts Router.R5).
 */
import type { Can, Model } from './checker.js';

export const asBuilt = {
  /** A look reads whether the gate is still the one that is named. */
  named: true,
  /** Nothing is decided on a place that is too old, counted from the look, or from the grant; or however old it is. */
  deadline: 'from the look' as 'from the look' | 'from the grant' | 'none',
  /** How the actor tells whether it is too late to decide. */
  judges: 'from its last answer' as
    'from its last answer' | 'from the arrival' | "by the client's clock, which is behind",
  /** A new gate reckons with what earlier ones may have under way, until all of that has landed. */
  reckons: true,
  /** A gate notes that it is alone when nothing of earlier ones can be left, or as soon as it is open. */
  alone: 'when it is' as 'when it is' | 'at once',
  /** It is refused on a sum that is exact, or on the bound that is reckoned with. */
  refuses: 'exactly' as 'exactly' | 'on the bound',
  /** A decided commit arrives within its time, or whenever. */
  lands: 'in time' as 'in time' | 'any time',
  /** A request travels to its actor; otherwise the client decides itself. */
  travels: true,
};
export const sizes = {
  limit: 1,
  clients: 2,
  gates: 2,
  /** Places of one gate under way at a time. */ atOnce: 1,
  /** Ticks in which to decide, and after them to land. */ placeFor: 1,
  landFor: 1,
};
export type QuotaOptions = Partial<typeof asBuilt & typeof sizes>;

interface Look {
  age: number;
  under: number;
  earlier: number;
  /** -1: not read yet. */ sum: number;
  admitted: number;
}
interface Client {
  at: 'asks' | 'has a place' | 'has sent' | 'has decided' | 'counts' | 'was refused';
  gate: number;
  age: number;
  /** Of a request that was sent: how old the actor's last answer is, and how long the request may wait, as it says. */
  heard: number;
  left: number;
}
interface State {
  stored: number;
  named: number;
  /** How many earlier gates each gate allows for, and the next one will, but for the gate that is named. */
  behind: number[];
  noted: number;
  openedFor: number;
  gates: (Look | null)[];
  clients: Client[];
  falselyRefused: boolean;
}

const asking: Client = { at: 'asks', gate: -1, age: 0, heard: 0, left: 0 };
const holding: ReadonlySet<Client['at']> = new Set(['has a place', 'has sent', 'has decided']);

export function quotaModel(options: QuotaOptions = {}): Model<State> {
  const o = { ...asBuilt, ...sizes, ...options };
  const whole = o.placeFor + o.landFor;
  const underWay = (s: State, gate: number) =>
    s.clients.filter((c) => c.gate === gate && holding.has(c.at) && c.age < whole).length;
  const bound = ({ sum, under, earlier, admitted }: Look) => sum + under + earlier + admitted;

  function read(s: State, gate: number): void {
    if (o.named && s.named !== gate) s.gates[gate] = null;
    else s.gates[gate]!.sum = s.stored;
  }
  function gateSteps(s: State, g: number, can: Can<State>): void {
    const look = s.gates[g];
    const earlier = o.reckons && s.openedFor < whole ? s.behind[g]! * o.atOnce : 0;
    if (g === s.named && s.noted > 0 && (s.openedFor === whole || o.alone === 'at once'))
      can(`gate ${g} notes that it is alone`, (t) => {
        t.noted = 0;
      });
    can(`gate ${g} begins a look`, (t) => {
      t.gates[g] = { age: 0, under: underWay(t, g), earlier, sum: -1, admitted: 0 };
    });
    if (!look) return;
    if (look.sum < 0) {
      can(`gate ${g} reads the sum`, (t) => {
        read(t, g);
      });
      return;
    }
    const room = bound(look) < o.limit;
    const exact = look.under + look.earlier + look.admitted === 0;
    s.clients.forEach(({ at }, i) => {
      if (at !== 'asks') return;
      if (room && look.under + look.admitted < o.atOnce)
        can(`gate ${g} grants client ${i + 1} a place`, (t) => {
          t.gates[g]!.admitted++;
          t.clients[i] = { ...asking, at: 'has a place', gate: g, age: o.deadline === 'from the look' ? look.age : 0 };
        });
      if (!room && (exact || o.refuses === 'on the bound'))
        can(`gate ${g} refuses client ${i + 1}`, (t) => {
          t.falselyRefused ||= look.sum < o.limit;
          t.clients[i] = { ...asking, at: 'was refused' };
        });
    });
  }
  function clientSteps(s: State, i: number, can: Can<State>): void {
    const { at, age, heard, left } = s.clients[i]!;
    const name = `client ${i + 1}`;
    const inTime = age < o.placeFor || o.deadline === 'none';
    const send = (t: State, sinceAnswer: number): void => {
      Object.assign(t.clients[i]!, { at: 'has sent', heard: sinceAnswer, left: o.placeFor - age });
    };
    if (at === 'has a place' && inTime && !o.travels)
      can(`${name} decides`, (t) => {
        t.clients[i]!.at = 'has decided';
      });
    if (at === 'has a place' && inTime && o.travels) {
      can(`${name}, which has just heard of the actor, sends its request`, (t) => {
        send(t, 0);
      });
      can(`${name}, which has not heard of the actor for long, sends its request`, (t) => {
        send(t, o.placeFor);
      });
    }
    if (at === 'has sent') {
      const may = {
        'from its last answer': heard < left,
        'from the arrival': true,
        "by the client's clock, which is behind": false,
      };
      if (may[o.judges] || o.deadline === 'none')
        can(`the actor decides on the request of ${name}`, (t) => {
          t.clients[i] = { ...t.clients[i]!, at: 'has decided', heard: 0, left: 0 };
        });
      else if (inTime)
        can(`${name} is told the time by the actor, and sends its request again`, (t) => {
          send(t, 0);
        });
    }
    if (at === 'has a place' || at === 'has sent')
      can(`${name} asks again`, (t) => {
        t.clients[i] = { ...asking };
      });
    if (at === 'has decided') {
      // a decision that came too late is not bound to have landed by then
      if (age < whole || o.lands === 'any time' || o.deadline === 'none' || o.judges === 'from the arrival')
        can(`the commit of ${name} arrives`, (t) => {
          t.stored++;
          t.clients[i] = { ...asking, at: 'counts' };
        });
      else
        can(`the commit of ${name} fails`, (t) => {
          t.clients[i] = { ...asking };
        });
    }
  }

  return {
    start: {
      stored: 0,
      named: 0,
      behind: [0],
      noted: 0,
      openedFor: 0,
      gates: Array.from({ length: o.gates }, () => null),
      clients: Array.from({ length: o.clients }, () => ({ ...asking })),
      falselyRefused: false,
    },
    steps(s, can) {
      for (let g = 0; g <= s.named; g++) if (g === s.named || s.gates[g]) gateSteps(s, g, can);
      s.clients.forEach((_, i) => {
        clientSteps(s, i, can);
      });
      if (s.named + 1 < o.gates)
        can(`gate ${s.named + 1} is named`, (t) => {
          t.named++;
          t.behind.push(++t.noted);
          t.openedFor = 0;
        });
      can('time passes', (t) => {
        t.openedFor = Math.min(t.openedFor + 1, whole);
        for (const look of t.gates) if (look) look.age = Math.min(look.age + 1, whole);
        for (const client of t.clients) {
          if (client.gate >= 0) client.age = Math.min(client.age + 1, whole);
          if (client.at === 'has sent') client.heard = Math.min(client.heard + 1, o.placeFor);
        }
      });
    },
    invariants: {
      Q1: { text: 'Never one too many.', holds: (s) => s.stored <= o.limit },
      Q2: { text: 'Never a false refusal: who was refused met a full month.', holds: (s) => !s.falselyRefused },
    },
    finished: (s) => s.clients.every(({ at }) => at === 'counts' || at === 'was refused'),
    canonical(s) {
      s.clients.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
      return s;
    },
  };
}
