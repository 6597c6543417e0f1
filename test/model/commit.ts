/**
 * How an entity is committed, loaded and released on a database that changes one document at a time.
 *
 * Two workers both believe that they own the entity. A commit is a compare-and-set of the head, which carries the
 * writes of that commit; they are then applied to the documents one by one, in any order but for the document `run`,
 * which comes after all others but the record, and only then the command is acknowledged. A load applies what the head
 * still carries; a release drops it. A worker may crash, or be slow for ever, between any two steps. The answer of a
 * compare-and-set may be lost, and the compare-and-set itself be on its way for as long as it likes. A client sends
 * each command until it is answered, to either worker, and once more after its answer.
 *
 * One command that writes all documents in order is one of these orders, and what stops it (an answer that is lost, a
 * document that is there already) is a crash: who has sent it finishes the commit as a load does, while what is left of
 * it on the way is another slow worker.
 *
 * Left out: several entities (a document belongs to one for ever), and batches, which are single commits to each of
 * theirs.
 */
import type { Can, Model } from './checker.js';

/** What is done; each test leaves one of these out. */
export const asBuilt = {
  /** The compare-and-set looks at the sequence number. */
  fence: true,
  /** A put, a delete has no effect where the document was written by a later commit. */
  guardPuts: true,
  guardDeletes: true,
  /** A delete leaves a document without content. */
  tombstones: true,
  /** A write that finds a document where it thought there was none is tried again as a guarded one. */
  repeatOnDuplicate: true,
  /**
   * The document of a run, which says what is done, is applied after all else of its commit but the command's record.
   */
  runsLast: true,
  /** A load applies the writes that the head carries. */
  loadFinishes: true,
  /** The command is acknowledged, and the next one decided, after all writes are applied. */
  acknowledgeApplied: true,
  nextAfterApplied: true,
  /** A release has no effect where somebody has committed since. */
  releaseGuarded: true,
  /** The record of a command is one of the writes of its commit, is written after the answer, or not at all. */
  record: 'in the commit' as 'in the commit' | 'after the answer' | 'none',
  /** The record is looked for on the state that the command is decided on, so once more after a conflict. */
  lookAgain: true,
  /**
   * The first delivery of a command is decided on without a look where the worker has not loaded the entity since it
   * was sent, and no later delivery has overtaken it there; or always, or never.
   */
  unlooked: 'sent after the load' as 'sent after the load' | 'first deliveries' | 'nothing',
  /**
   * A record of a commit that the worker has not loaded is no answer yet: the load applies the rest of that commit
   * first.
   */
  loadBeforeRecord: true,
  /**
   * After a lost answer the head tells by its commit id; where others have committed since it cannot, and nothing is
   * told. Else all that is not there is taken as a conflict.
   */
  unknown: true,
};

export const sizes = {
  commands: { c1: { x: 'put', y: 'put' }, c2: { x: 'delete' } } as Record<string, Record<string, 'put' | 'delete'>>,
  crashes: 1,
  losses: 0,
  /** How often a client asks once more after it was answered. */
  again: 1,
  /** The first delivery of a command is told from others, and may be overtaken by them. */
  firsts: false,
  /** Whose ages count: the ticks of time. */
  ages: 'none' as 'none' | 'of documents' | 'of commands',
  /**
   * A tombstone may vanish at this age; a worker stops to apply when it read (or sent) the head longer ago than this.
   */
  tombstoneKept: 2,
  applyFor: 1,
  /** A record may vanish at this age; a command that was first sent longer ago than this is refused. */
  recordKept: 2,
  commandFor: 1,
};

type Options = typeof asBuilt & typeof sizes;
export type CommitOptions = Partial<Options>;
interface Write {
  doc: string;
  put: boolean;
  seq: number;
  /** Of a put, unique: its commit's place in the history. */ value: number;
  /** There was no document. */ absent: boolean;
}
interface Doc {
  seq: number;
  /** 0: a tombstone. */ value: number;
  age: number;
}
/** A compare-and-set: from the head whose last commit is `base` in the history to the next. */
interface Sent {
  command: string;
  id: number;
  seq: number;
  base: number;
}
interface Head {
  seq: number;
  id: number;
  writes: Write[];
}
interface Worker {
  at: 'idle' | 'apply' | 'serve' | 'commit' | 'unsure';
  seq: number;
  base: number;
  readFor: number;
  writes: Write[];
  sent: Sent | null;
  /** The answer of this commit may have been lost. */ lost: boolean;
  /** The commands that were sent since the load, and of which no delivery has come here. */ sentSince: string[];
}
interface Client {
  answer: number | 'none' | 'refused' | 'two answers';
  again: number;
  sentFor: number;
  /** Its first delivery. */ first: 'unsent' | 'on its way' | 'over';
}
interface State {
  head: Head;
  docs: Record<string, Doc | null>;
  workers: Worker[];
  clients: Record<string, Client>;
  /** A compare-and-set that nobody waits for any more, and that may still arrive. */
  late: Sent | null;
  /** Seen by nobody: the commits in the order in which they took effect. */
  history: Sent[];
  /** Seen by nobody: a worker was told of a conflict although its commit had taken effect. */
  wrongConflict: boolean;
  crashes: number;
  losses: number;
}

const isRecord = (doc: string) => doc.startsWith('record');
const recordOf = (command: string) => `record of ${command}`;
const idle = (): Worker => ({
  at: 'idle',
  seq: 0,
  base: 0,
  readFor: 0,
  writes: [],
  sent: null,
  lost: false,
  sentSince: [],
});

export function commitModel(options: CommitOptions = {}): Model<State> {
  const o: Options = { ...asBuilt, ...sizes, ...options };
  const names = Object.keys(o.commands);
  const content = [...new Set(names.flatMap((c) => Object.keys(o.commands[c]!)))];
  const docs = [...content, ...(o.record === 'none' ? [] : names.map(recordOf))];

  /** The compare-and-set on the server. */
  function arrives(s: State, sent: Sent): boolean {
    const { command, id, seq } = sent;
    if (o.fence && s.head.seq !== seq - 1) return false;
    s.history.push({ ...sent });
    const value = s.history.length;
    const writes = Object.entries(o.commands[command]!).map(([doc, what]) => ({
      doc,
      put: what === 'put',
      seq,
      value,
      absent: what === 'put' && isNew(s, doc),
    }));
    if (o.record === 'in the commit') writes.push({ doc: recordOf(command), put: true, seq, value: seq, absent: true });
    s.head = { seq, id, writes };
    return true;
  }
  const isNew = (s: State, doc: string) => {
    const last = s.history.slice(0, -1).findLast((commit) => o.commands[commit.command]![doc]);
    return !last || o.commands[last.command]![doc] === 'delete';
  };

  function load(s: State, w: Worker): void {
    Object.assign(w, idle(), {
      at: 'apply',
      seq: s.head.seq,
      base: s.history.length,
      writes: o.loadFinishes ? s.head.writes.map((write) => ({ ...write })) : [],
      sent: w.sent,
    });
  }

  function take(s: State, w: Worker, command: string): void {
    const client = s.clients[command]!;
    if (client.answer !== 'none') client.again--;
    if (client.sentFor > o.commandFor) {
      if (client.answer === 'none') client.answer = 'refused';
      return;
    }
    const record = s.docs[recordOf(command)];
    if (!record) return decide(s, w, command);
    if (o.loadBeforeRecord && record.seq > w.seq) return reload(w);
    answer(s, command, record.value);
  }
  function takeFirst(s: State, w: Worker, command: string): void {
    s.clients[command]!.first = 'over';
    const unlooked = o.unlooked === 'first deliveries' || w.sentSince.includes(command);
    if (unlooked && o.unlooked !== 'nothing') decide(s, w, command);
    else take(s, w, command);
    came(w, command);
  }
  function came(w: Worker, command: string): void {
    w.sentSince = w.sentSince.filter((other) => other !== command);
  }
  function decide(s: State, w: Worker, command: string): void {
    const taken = [s.late, ...s.history, ...s.workers.map(({ sent }) => sent)].map((sent) => sent?.id);
    const id = [1, 2, 3, 4, 5, 6].find((free) => !taken.includes(free))!;
    Object.assign(w, { at: 'commit', sent: { command, id, seq: w.seq + 1, base: w.base }, lost: false });
  }
  function answer(s: State, command: string, seq: number): void {
    const client = s.clients[command]!;
    client.answer =
      client.answer === 'none' || client.answer === 'refused' || client.answer === seq ? seq : 'two answers';
  }

  const reload = (w: Worker) => {
    Object.assign(w, idle());
  };
  /** What became of a commit whose compare-and-set did not match, or was not answered: the head tells. */
  function readBack(s: State, w: Worker): void {
    const { id, seq } = w.sent!;
    if (s.head.id === id) return committed(s, w);
    if (s.head.seq < seq) {
      w.at = 'commit';
      return;
    }
    if (w.lost && s.head.seq > seq && o.unknown) return reload(w);
    conflict(s, w);
  }
  function conflict(s: State, w: Worker): void {
    const { command, id } = w.sent!;
    s.wrongConflict ||= s.history.some((commit) => commit.id === id);
    reload(w);
    if (!o.lookAgain) w.sent = { command, id: 0, seq: 0, base: 0 };
  }
  function committed(s: State, w: Worker): void {
    const { command, seq } = w.sent!;
    Object.assign(w, {
      at: 'apply',
      seq,
      base: s.history.length,
      readFor: 0,
      writes: s.head.writes.map((write) => ({ ...write })),
      lost: false,
    });
    if (!o.acknowledgeApplied) answer(s, command, seq);
  }

  /** One write of a document: a look that writes where it finds an older one, and an insert where it found none. */
  function apply(s: State, w: Worker, write: Write): void {
    if (w.readFor > o.applyFor) return reload(w);
    const now = s.docs[write.doc];
    const guarded = write.put ? o.guardPuts : o.guardDeletes;
    if (!now && !write.absent) {
      write.absent = true;
      return;
    }
    if (now && write.absent && o.repeatOnDuplicate) {
      write.absent = false;
      return;
    }
    w.writes.splice(w.writes.indexOf(write), 1);
    if (w.writes.length === 0) w.readFor = 0;
    if (now && (write.absent || (guarded && now.seq >= write.seq))) return;
    s.docs[write.doc] = write.put
      ? { seq: write.seq, value: write.value, age: 0 }
      : o.tombstones
        ? { seq: write.seq, value: 0, age: 0 }
        : null;
  }
  function applied(s: State, w: Worker): void {
    const command = w.sent?.command;
    if (command && w.sent!.id === 0) return decide(s, w, command);
    if (command && o.acknowledgeApplied) answer(s, command, w.seq);
    if (command && o.record === 'after the answer') s.docs[recordOf(command)] = { seq: w.seq, value: w.seq, age: 0 };
    Object.assign(w, { at: 'serve', sent: null, readFor: 0 });
  }

  function stepsOf(s: State, i: number, can: Can<State>): void {
    const w = s.workers[i]!;
    const who = `${'PQ'[i]} at seq ${w.seq}`;
    const own = (t: State) => t.workers[i]!;
    if (w.at === 'idle')
      can(`${'PQ'[i]} loads the entity at seq ${s.head.seq}`, (t) => {
        load(t, own(t));
      });
    if (w.at === 'serve') {
      for (const c of names)
        if (!o.firsts || s.clients[c]!.first !== 'unsent') {
          if (s.clients[c]!.answer === 'none' || s.clients[c]!.again > 0)
            can(`${who} takes ${c}`, (t) => {
              take(t, own(t), c);
              came(own(t), c);
            });
          if (o.firsts && s.clients[c]!.first === 'on its way')
            can(`${who} takes the first delivery of ${c}`, (t) => {
              takeFirst(t, own(t), c);
            });
        }
      if (s.head.writes.length > 0 && (s.head.seq === w.seq || !o.releaseGuarded))
        can(`${who} releases the head`, (t) => {
          t.head.writes = [];
        });
    }
    if (w.at === 'commit') {
      const c = w.sent!.command;
      can(`${who} commits ${c}`, (t) => {
        if (arrives(t, own(t).sent!)) committed(t, own(t));
        else readBack(t, own(t));
      });
      if (s.losses > 0)
        can(`${who} sends the commit of ${c} and is cut off`, (t) => {
          t.losses--;
          t.late = { ...w.sent! };
          Object.assign(own(t), { at: 'unsure', lost: true });
        });
    }
    if (w.at === 'unsure')
      can(`${who} reads the head back, at seq ${s.head.seq}`, (t) => {
        readBack(t, own(t));
      });
    if (w.at === 'apply') {
      w.writes.forEach(({ doc, put, seq, absent }, n) => {
        if (o.runsLast && doc === 'run' && w.writes.some((other) => other.doc !== 'run' && !isRecord(other.doc)))
          return;
        can(`${who} ${put ? 'puts' : 'deletes'} ${doc} of seq ${seq}${absent ? ' by insert' : ''}`, (t) => {
          apply(t, own(t), own(t).writes[n]!);
        });
      });
      if (w.writes.length === 0)
        can(`${who} has applied all${w.sent ? ` of ${w.sent.command}` : ''}`, (t) => {
          applied(t, own(t));
        });
      else if (!o.nextAfterApplied && w.sent)
        can(`${who} goes on while its writes are lost on the way`, (t) => {
          Object.assign(own(t), { at: 'serve', sent: null, writes: [] });
        });
    }
    if (w.at !== 'idle' && s.crashes > 0)
      can(`${who} crashes`, (t) => {
        t.crashes--;
        t.workers[i] = idle();
      });
  }

  function steps(s: State, can: Can<State>): void {
    const twins = JSON.stringify(s.workers[0]) === JSON.stringify(s.workers[1]);
    stepsOf(s, 0, can);
    if (!twins) stepsOf(s, 1, can);
    if (s.late)
      can(`the commit of ${s.late.command} arrives late`, (t) => {
        arrives(t, t.late!);
        t.late = null;
      });
    for (const c of names)
      if (o.firsts && s.clients[c]!.first === 'unsent')
        can(`${c} is sent`, (t) => {
          t.clients[c]!.first = 'on its way';
          for (const w of t.workers) if (w.at !== 'idle') w.sentSince.push(c);
        });
    if (o.ages === 'none') return;
    can('time passes', (t) => {
      older(t, o);
    });
    for (const doc of docs) {
      const now = s.docs[doc];
      const kept = isRecord(doc) ? o.recordKept : now?.value === 0 ? o.tombstoneKept : Infinity;
      if (now && now.age >= kept)
        can(`the ${isRecord(doc) ? doc : `tombstone of ${doc}`} vanishes`, (t) => {
          t.docs[doc] = null;
        });
    }
  }

  const shown = (s: State, doc: string) => s.docs[doc]?.value ?? 0;
  const isAcknowledged = (s: State, at: number) => s.clients[s.history[at]!.command]!.answer === s.history[at]!.seq;
  /** What a reader may find in a document: what the last acknowledged commit left, or a later one has written. */
  function allowed(s: State, doc: string): number[] {
    const last = s.history.findLastIndex((_, at) => isAcknowledged(s, at));
    let values = [0];
    s.history.forEach(({ command }, at) => {
      const what = o.commands[command]![doc];
      if (what) values = [...(at <= last ? [] : values), what === 'put' ? at + 1 : 0];
    });
    return values;
  }
  const isDeleted = (s: State, doc: string) => allowed(s, doc).every((value) => value === 0);

  return {
    start: {
      head: { seq: 0, id: 0, writes: [] },
      docs: Object.fromEntries(docs.map((doc) => [doc, null])),
      workers: [idle(), idle()],
      clients: Object.fromEntries(
        names.map((c): [string, Client] => [c, { answer: 'none', again: o.again, sentFor: 0, first: 'unsent' }]),
      ),
      late: null,
      history: [],
      wrongConflict: false,
      crashes: o.crashes,
      losses: o.losses,
    },
    steps,
    invariants: {
      C1: {
        text: 'One history: every commit was decided on what the one before it left.',
        holds: (s) => s.history.every(({ seq, base }, at) => seq === at + 1 && base === at),
      },
      C2: {
        text: 'What was acknowledged is seen, in every document of the commit, until a later commit overwrites it.',
        holds: (s) => content.every((doc) => isDeleted(s, doc) || allowed(s, doc).includes(shown(s, doc))),
      },
      C3: {
        text: 'What was deleted stays deleted: once that is acknowledged, only a later commit brings the document back.',
        holds: (s) => content.every((doc) => !isDeleted(s, doc) || shown(s, doc) === 0),
      },
      C4: {
        text: 'No command takes effect twice.',
        holds: (s) => new Set(s.history.map(({ command }) => command)).size === s.history.length,
      },
      C5: {
        text: 'A command that is sent again is answered as at first.',
        holds: (s) => names.every((c) => s.clients[c]!.answer !== 'two answers'),
      },
      C6: { text: 'A conflict means that the commit has no effect.', holds: (s) => !s.wrongConflict },
      C9: {
        text: 'Who sees a run as a commit left it sees all else of that commit, or what came later.',
        holds: (s) => {
          const commit = s.history[shown(s, 'run') - 1];
          const others = Object.keys(commit ? o.commands[commit.command]! : {});
          return others.every((doc) => (s.docs[doc]?.seq ?? 0) >= (commit?.seq ?? 0));
        },
      },
    },
    finished: (s) =>
      names.every((c) => s.clients[c]!.answer !== 'none') &&
      s.workers.every(({ at }) => at === 'serve' || at === 'idle') &&
      content.every((doc) => {
        const at = s.history.findLastIndex(({ command }) => o.commands[command]![doc]);
        return shown(s, doc) === (at >= 0 && o.commands[s.history[at]!.command]![doc] === 'put' ? at + 1 : 0);
      }),
    canonical(s) {
      if (JSON.stringify(s.workers[0]) > JSON.stringify(s.workers[1])) s.workers.reverse();
      return s;
    },
  };
}

/** A tick: every age that somebody looks at counts up to where it makes no more difference. */
function older(s: State, o: Options): void {
  const aged = (docs: (Doc | null)[], bound: number) => {
    for (const doc of docs) if (doc) doc.age = Math.min(doc.age + 1, bound);
  };
  if (o.ages === 'of documents') {
    for (const w of s.workers)
      if (w.at === 'apply' && w.writes.length > 0) w.readFor = Math.min(w.readFor + 1, o.applyFor + 1);
    aged(
      Object.entries(s.docs).flatMap(([name, doc]) => (!isRecord(name) && doc?.value === 0 ? [doc] : [])),
      o.tombstoneKept,
    );
  } else {
    for (const client of Object.values(s.clients))
      if (client.answer === 'none' || client.again > 0) client.sentFor = Math.min(client.sentFor + 1, o.commandFor + 1);
    aged(
      Object.entries(s.docs).flatMap(([name, doc]) => (isRecord(name) ? [doc] : [])),
      o.recordKept,
    );
  }
}
