/**
 * How a monthly quota holds exactly while its gate moves from process to process (docs/api.md 8.4;
 * actors/quota/quota-desk.ts QuotaDesk.K1-K4).
 *
 * A gate is opened by a commit that names it. It looks (is it still the one that is named, and how much is stored),
 * then grants places on what it saw. A client that has a place decides, and its commit arrives some time after. An
 * earlier gate may still be there, and be slow. Ages are counted in ticks from the look.
 */
import type { Can, Model } from './checker.js';

export const asBuilt = {
  /** A look reads whether the gate is still the one that is named. */
  named: true,
  /** Nothing is decided on a place that is too old, counted from the look, or from the grant; or however old it is. */
  deadline: 'from the look' as 'from the look' | 'from the grant' | 'none',
  /** A new gate reckons with what earlier ones may have under way, until all of that has landed. */
  reckons: true,
  /** It is refused on a sum that is exact, or on the bound that is reckoned with. */
  refuses: 'exactly' as 'exactly' | 'on the bound',
  /** A decided commit arrives within its time, or whenever. */
  lands: 'in time' as 'in time' | 'any time',
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
  at: 'asks' | 'has a place' | 'has decided' | 'counts' | 'was refused';
  gate: number;
  age: number;
}
interface State {
  stored: number;
  named: number;
  openedFor: number;
  gates: (Look | null)[];
  clients: Client[];
  falselyRefused: boolean;
}

export function quotaModel(options: QuotaOptions = {}): Model<State> {
  const o = { ...asBuilt, ...sizes, ...options };
  const whole = o.placeFor + o.landFor;
  const underWay = (s: State, gate: number) =>
    s.clients.filter((c) => c.gate === gate && (c.at === 'has a place' || c.at === 'has decided') && c.age < whole)
      .length;
  const bound = ({ sum, under, earlier, admitted }: Look) => sum + under + earlier + admitted;

  function read(s: State, gate: number): void {
    if (o.named && s.named !== gate) s.gates[gate] = null;
    else s.gates[gate]!.sum = s.stored;
  }
  function gateSteps(s: State, g: number, can: Can<State>): void {
    const look = s.gates[g];
    const earlier = o.reckons && g > 0 && s.openedFor < whole ? g * o.atOnce : 0;
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
          t.clients[i] = { at: 'has a place', gate: g, age: o.deadline === 'from the look' ? look.age : 0 };
        });
      if (!room && (exact || o.refuses === 'on the bound'))
        can(`gate ${g} refuses client ${i + 1}`, (t) => {
          t.falselyRefused ||= look.sum < o.limit;
          t.clients[i] = { at: 'was refused', gate: -1, age: 0 };
        });
    });
  }
  function clientSteps(s: State, i: number, can: Can<State>): void {
    const { at, age } = s.clients[i]!;
    const name = `client ${i + 1}`;
    if (at === 'has a place') {
      if (age < o.placeFor || o.deadline === 'none')
        can(`${name} decides`, (t) => {
          t.clients[i]!.at = 'has decided';
        });
      can(`${name} asks again`, (t) => {
        t.clients[i] = { at: 'asks', gate: -1, age: 0 };
      });
    }
    if (at === 'has decided') {
      if (age < whole || o.lands === 'any time' || o.deadline === 'none')
        can(`the commit of ${name} arrives`, (t) => {
          t.stored++;
          t.clients[i] = { at: 'counts', gate: -1, age: 0 };
        });
      else
        can(`the commit of ${name} fails`, (t) => {
          t.clients[i] = { at: 'asks', gate: -1, age: 0 };
        });
    }
  }

  return {
    start: {
      stored: 0,
      named: 0,
      openedFor: 0,
      gates: Array.from({ length: o.gates }, () => null),
      clients: Array.from({ length: o.clients }, () => ({ at: 'asks', gate: -1, age: 0 })),
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
          t.openedFor = 0;
        });
      can('time passes', (t) => {
        t.openedFor = Math.min(t.openedFor + 1, whole);
        for (const look of t.gates) if (look) look.age = Math.min(look.age + 1, whole);
        for (const client of t.clients) if (client.gate >= 0) client.age = Math.min(client.age + 1, whole);
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
