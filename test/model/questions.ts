/**
 * How a run of A asks B, waits, and gets one answer (src/domain/mailbox/questions.ts). The question, its withdrawal and the
 * answer are documents of the commits that cause them, sent after these by whoever has loaded the agent, and removed when
 * they are acknowledged, as messages are (outbox.ts). B records the call by the commit that begins its run, or that takes
 * the withdrawal in. The commit that ends B's run puts the answer into B's outbox. A takes it in while its run waits.
 *
 * Two workers, either of which may own A, B or both, also at a time. The run of A may be cancelled, and either agent
 * deleted: the first commit of that (the fence) has all other requests refused, and ends the runs; then what the outbox owes is delivered, by somebody who waits for that, and then all is removed.
 *
 * Left out: what the asked run waits for itself, which is told and changes nothing; what the user answers to that where a
 * conversation was handed over (`say`), which is lost where the run has ended, and that it is handed back, which is an
 * answer; questions that are older than their
 * records (outbox.ts has that for messages).
 */
import type { Can, Model } from './checker.js';

export const asBuilt = {
  /** The store compares sequence numbers. */
  fence: true,
  /** B looks for the record of the call. */
  record: true,
  /** When a document leaves the outbox. */
  removed: 'acknowledged' as 'acknowledged' | 'sent',
  /** The answer is part of the commit that ends B's run, or in the memory of whoever has committed that. */
  owed: true,
  /** A takes an answer in only while its run waits. */
  open: true,
  /** A withdrawal that comes before its question is recorded. */
  recordsWithdrawal: true,
  /** A question that is refused has that as its outcome. */
  refusalCounts: true,
  /** An agent that is deleted delivers what it owes before anything is removed. */
  delivers: true,
  /** Not to one that is being deleted itself, which could be waiting for this one. */
  sparesDeleting: true,
};
export const sizes = { crashes: 1, cancels: 1, deletesA: 0, deletesB: 0 };
type Options = typeof asBuilt & typeof sizes;
export type QuestionOptions = Partial<Options>;

interface Agent {
  is: 'there' | 'deleting' | 'gone';
  /** Of A: new, waits, ended. Of B: new, runs, ended. */
  run: 'new' | 'waits' | 'runs' | 'ended';
  /** Of A: the question, its withdrawal. Of B: the answer. */
  ask: boolean;
  withdraw: boolean;
  answer: boolean;
  /** Of B: what it has recorded of the call. */
  asked: boolean;
  withdrawn: boolean;
}
type Sent = 'ask' | 'withdraw' | 'answer';
const kinds: readonly Sent[] = ['ask', 'withdraw', 'answer'];
interface Worker {
  /** Each agent as it has loaded it. */
  A: Agent | null;
  B: Agent | null;
  /** It has delivered what the agent that it deletes owes. */
  deliveredA: boolean;
  deliveredB: boolean;
}
interface State {
  A: Agent;
  B: Agent;
  onItsWay: Record<Sent, boolean>;
  acknowledged: Record<Sent, boolean>;
  refused: boolean;
  workers: Worker[];
  crashes: number;
  cancels: number;
  deletesA: number;
  deletesB: number;
  /** Seen by nobody: runs that B has begun, outcomes that A has taken in, and whether it has gone on without one. */
  begun: number;
  taken: number;
  /** B has taken the withdrawal in. */
  withdrawn: boolean;
}

const agent = (): Agent => ({
  is: 'there',
  run: 'new',
  ask: false,
  withdraw: false,
  answer: false,
  asked: false,
  withdrawn: false,
});
const idle = (): Worker => ({ A: null, B: null, deliveredA: false, deliveredB: false });

export function questionsModel(options: QuestionOptions = {}): Model<State> {
  const o: Options = { ...asBuilt, ...sizes, ...options };

  /** What another worker has loaded is out of date then: with the fence it can do no more with it than load it again. */
  function commit(s: State, w: Worker, which: 'A' | 'B', change: (of: Agent) => void): void {
    const own = w[which]!;
    change(own);
    s[which] = { ...own };
    if (o.fence) for (const other of s.workers) if (other !== w) other[which] = null;
  }
  function endA(a: Agent): void {
    if (a.run === 'waits') a.withdraw = true;
    a.run = 'ended';
  }
  function endB(b: Agent): void {
    if (b.run !== 'runs') return;
    b.run = 'ended';
    if (o.owed) b.answer = true;
  }
  function takeOutcome(s: State, a: Agent): void {
    if (o.open && a.run !== 'waits') return;
    a.run = 'ended';
    s.taken++;
  }

  /** Takes in what was sent to the agent that the worker has loaded. */
  function takeIn(s: State, w: Worker, kind: Sent): void {
    const of = w[kind === 'answer' ? 'A' : 'B']!;
    if (of.is !== 'there') s.refused ||= kind === 'ask';
    else if (kind === 'answer')
      commit(s, w, 'A', (a) => {
        takeOutcome(s, a);
      });
    else if (kind === 'withdraw')
      commit(s, w, 'B', (b) => {
        if (b.run === 'runs') b.run = 'ended';
        if (o.recordsWithdrawal) b.withdrawn = true;
        s.withdrawn = true;
      });
    else if (!(o.record && of.asked) && !of.withdrawn)
      commit(s, w, 'B', (b) => {
        Object.assign(b, { asked: true, run: 'runs' });
        s.begun++;
      });
  }

  function workerSteps(s: State, i: number, can: Can<State>): void {
    const w = s.workers[i]!;
    const name = 'PQ'[i]!;
    const own = (t: State) => t.workers[i]!;
    for (const which of ['A', 'B'] as const)
      if (!w[which] && s[which].is !== 'gone')
        can(`${name} loads ${which}`, (t) => {
          own(t)[which] = { ...t[which] };
        });
    if (w.A?.is === 'there' && w.A.run === 'new')
      can(`${name} commits that A asks and waits`, (t) => {
        commit(t, own(t), 'A', (a) => Object.assign(a, { run: 'waits', ask: true }));
      });
    if (w.A?.is === 'there' && w.A.run === 'waits' && s.cancels > 0)
      can(`${name} commits that the run of A is cancelled`, (t) => {
        t.cancels--;
        commit(t, own(t), 'A', endA);
      });
    if (w.B?.is === 'there' && w.B.run === 'runs')
      can(`${name} commits that the run of B ends`, (t) => {
        commit(t, own(t), 'B', endB);
        if (!o.owed) own(t).B!.answer = true;
      });
    for (const kind of kinds) {
      const from = kind === 'answer' ? 'B' : 'A';
      const to = kind === 'answer' ? 'A' : 'B';
      if (w[from]?.is === 'there' && w[from][kind] && !s.onItsWay[kind])
        can(`${name} sends the ${kind}`, (t) => {
          t.onItsWay[kind] = true;
          if (o.removed === 'sent')
            commit(t, own(t), from, (of) => {
              of[kind] = false;
            });
        });
      if (w[from]?.is === 'there' && w[from][kind] && s.acknowledged[kind])
        can(`${name} takes the acknowledgement of the ${kind}`, (t) => {
          t.acknowledged[kind] = false;
          commit(t, own(t), from, (of) => {
            of[kind] = false;
            if (kind === 'ask' && t.refused && o.refusalCounts) takeOutcome(t, of);
          });
        });
      if (s.onItsWay[kind] && (w[to] || s[to].is === 'gone'))
        can(`${name} takes the ${kind} in`, (t) => {
          t.onItsWay[kind] = false;
          t.acknowledged[kind] = true;
          if (t[to].is !== 'gone') takeIn(t, own(t), kind);
          else t.refused ||= kind === 'ask';
        });
    }
    deletionSteps(s, i, can);
    if (s.crashes > 0 && (w.A || w.B))
      can(`${name} crashes`, (t) => {
        t.crashes--;
        t.workers[i] = idle();
      });
  }

  function deletionSteps(s: State, i: number, can: Can<State>): void {
    const w = s.workers[i]!;
    const name = 'PQ'[i]!;
    const own = (t: State) => t.workers[i]!;
    for (const which of ['A', 'B'] as const) {
      const other = which === 'A' ? 'B' : 'A';
      const kind: Sent = which === 'A' ? 'withdraw' : 'answer';
      const deletes = `deletes${which}` as const;
      const delivered = `delivered${which}` as const;
      if (w[which]?.is === 'there' && s[deletes] > 0)
        can(`${name} commits the fence of ${which}`, (t) => {
          t[deletes]--;
          commit(t, own(t), which, (of) => {
            of.is = 'deleting';
            if (which === 'A') endA(of);
            else endB(of);
          });
        });
      if (w[which]?.is !== 'deleting') continue;
      const nothingOwed = !w[which][kind] || s[other].is === 'gone' || (o.sparesDeleting && s[other].is === 'deleting');
      if (!w[delivered] && (nothingOwed || !o.delivers))
        can(`${name} has nothing to deliver for ${which}`, (t) => {
          own(t)[delivered] = true;
        });
      else if (!w[delivered] && s[other].is === 'there')
        // whoever is being deleted answers when that is over
        for (const [j, receiver] of s.workers.entries())
          if (receiver[other])
            can(`${name} delivers the ${kind} of ${which} to ${'PQ'[j]}`, (t) => {
              takeIn(t, t.workers[j]!, kind);
              own(t)[delivered] = true;
            });
      if (w[delivered])
        can(`${name} removes ${which}`, (t) => {
          const of = own(t);
          of[delivered] = false;
          commit(t, of, which, (gone) => Object.assign(gone, agent(), { is: 'gone', run: gone.run }));
          of[which] = null;
        });
    }
  }

  const isOver = ({ A, B }: State): boolean =>
    (A.is === 'gone' || (A.is === 'there' && A.run === 'ended' && !A.ask && !A.withdraw)) &&
    (B.is === 'gone' || (B.is === 'there' && B.run !== 'runs' && !B.answer));

  return {
    start: {
      A: agent(),
      B: agent(),
      onItsWay: { ask: false, withdraw: false, answer: false },
      acknowledged: { ask: false, withdraw: false, answer: false },
      refused: false,
      workers: [idle(), idle()],
      crashes: o.crashes,
      cancels: o.cancels,
      deletesA: o.deletesA,
      deletesB: o.deletesB,
      begun: 0,
      taken: 0,
      withdrawn: false,
    },
    steps(s, can) {
      workerSteps(s, 0, can);
      workerSteps(s, 1, can);
      if (kinds.some((kind) => s.onItsWay[kind] || s.acknowledged[kind]))
        can('all that is on its way is lost', (t) => {
          for (const kind of kinds) t.onItsWay[kind] = t.acknowledged[kind] = false;
        });
    },
    invariants: {
      Q1: { text: 'Asked once: B begins one run for a question at most.', holds: ({ begun }) => begun <= 1 },
      Q2: { text: 'Answered once: A takes one outcome of a question in at most.', holds: ({ taken }) => taken <= 1 },
      Q3: {
        text: 'None invented: B begins a run only for what A has asked.',
        holds: ({ A, begun }) => begun === 0 || A.run !== 'new',
      },
      Q4: {
        text: 'Once B knows that a question is withdrawn, nothing runs for it.',
        holds: ({ B, withdrawn }) => !withdrawn || B.run !== 'runs',
      },
    },
    finished: isOver,
    canonical(s) {
      if (JSON.stringify(s.workers[0]) > JSON.stringify(s.workers[1])) s.workers.reverse();
      return s;
    },
  };
}
