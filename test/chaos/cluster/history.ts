/**
 * The history of every entity, looked at in MongoDB itself, past every proxy: sampled while the faults happen, and read
 * wholly at the end.
 *
 *  ClusterHistory.F1 The seq of a head never goes back, and a seq is one commit's only.
 *  ClusterHistory.F2 No document is of a later commit than its entity's head, but for the tombstones of a purge: these
 *     have the highest seq that there is, so that nothing brings the document back, and no body.
 *  ClusterHistory.F3 A run's journal has each event once: entries follow one another without a hole or an overlap, its
 *     checkpoints are steps 1, 2, 3...
 *  ClusterHistory.F4 At rest no entity has work left: none is active, and no outbox holds anything.
 */
import { MongoClient, type Db } from 'mongodb';

export interface HeadSample {
  _id: string;
  s: number;
  c: string;
}
export interface FinalHead extends HeadSample {
  w: string;
  e: string;
  a: boolean;
}
/** `b` is the body as JSON; a tombstone has none. */
export interface StoredText {
  _id: string;
  w: string;
  e: string;
  s: number;
  b?: string;
}

const everyMs = 400;
const patienceMs = 3_000;

export class History {
  readonly problems: string[] = [];
  samples = 0;
  private readonly last = new Map<string, HeadSample>();
  private stopped = false;
  private readonly sampling: Promise<void>;

  private constructor(
    private readonly client: MongoClient,
    private readonly db: Db,
  ) {
    this.sampling = this.sample();
  }

  static async open(url: string): Promise<History> {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: patienceMs, socketTimeoutMS: patienceMs });
    await client.connect();
    return new History(client, client.db());
  }

  /** Whose work is not done: an entity is active as long as a run of it goes on or its outbox holds anything. */
  async busy(): Promise<string[]> {
    return (
      await this.db
        .collection<FinalHead>('heads')
        .find({ a: true }, { projection: { e: 1 } })
        .toArray()
    ).map((h) => h.e);
  }

  /** Stops sampling, reads everything and answers with what is wrong. */
  async finish(): Promise<string[]> {
    this.stopped = true;
    await this.sampling;
    const heads = await this.db
      .collection<FinalHead>('heads')
      .find({}, { projection: { _id: 1, s: 1, c: 1, w: 1, e: 1, a: 1 } })
      .toArray();
    this.problems.push(...this.take(heads), ...activeProblems(heads));
    for (const { name } of await this.db.listCollections({}, { nameOnly: true }).toArray()) {
      if (['heads', 'meta', 'processes'].includes(name)) continue;
      const documents = await this.db
        .collection<StoredText>(name)
        .find({}, { projection: { _id: 1, w: 1, e: 1, s: 1, b: 1 } })
        .toArray();
      this.problems.push(...lateProblems(name, documents, heads));
      if (name === 'journal') this.problems.push(...journalProblems(documents));
      if (name === 'outbox')
        this.problems.push(
          ...documents
            .filter((d) => d.b !== undefined)
            .map((d) => `F4 the outbox of ${d.e} holds ${JSON.stringify(d.b).slice(0, 300)}`),
        );
    }
    return this.problems;
  }

  async close(): Promise<void> {
    this.stopped = true;
    await this.sampling;
    await this.client.close();
  }

  take(heads: readonly HeadSample[]): string[] {
    return headProblems(this.last, heads);
  }

  /** A server that is away is asked again. */
  private async sample(): Promise<void> {
    while (!this.stopped) {
      try {
        this.problems.push(
          ...this.take(
            await this.db
              .collection<HeadSample>('heads')
              .find({}, { projection: { _id: 1, s: 1, c: 1 } })
              .toArray(),
          ),
        );
        this.samples++;
      } catch {
        /* killed, or about to be */
      }
      await new Promise((resolve) => {
        setTimeout(resolve, everyMs);
      });
    }
  }
}

/** ClusterHistory.F1, and notes what was seen in `last`. */
export function headProblems(last: Map<string, HeadSample>, heads: readonly HeadSample[]): string[] {
  return heads.flatMap((head) => {
    const before = last.get(head._id);
    const name = JSON.stringify(head._id);
    last.set(head._id, head);
    if (before === undefined || before.s < head.s) return [];
    if (before.s > head.s) return [`F1 the head of ${name} went back from ${before.s} to ${head.s}`];
    return before.c === head.c ? [] : [`F1 commit ${head.s} of ${name} was ${before.c} and then ${head.c}`];
  });
}

export const activeProblems = (heads: readonly FinalHead[]): string[] =>
  heads.filter((h) => h.a).map((h) => `F4 ${h.e} is still active`);

const isPurged = ({ s, b }: StoredText): boolean => s === Number.MAX_SAFE_INTEGER && b === undefined;

/** ClusterHistory.F2. */
export function lateProblems(
  collection: string,
  documents: readonly StoredText[],
  heads: readonly FinalHead[],
): string[] {
  const seqs = new Map(heads.map((h) => [`${h.w} ${h.e}`, h.s]));
  return documents
    .filter((d) => d.s > (seqs.get(`${d.w} ${d.e}`) ?? 0) && !isPurged(d))
    .map(
      (d) =>
        `F2 ${collection} ${JSON.stringify(d._id)} is of commit ${d.s}, and the head of ${d.e} is at ${seqs.get(`${d.w} ${d.e}`) ?? 'none'}`,
    );
}

interface Entry {
  runId: string;
  firstSeq: number;
  events: unknown[];
  step: number;
  /** Omitted where it is that of the entry. */
  checkpoint?: { step?: number } | null;
}

/** ClusterHistory.F3. */
export function journalProblems(documents: readonly StoredText[]): string[] {
  const runs = new Map<string, Entry[]>();
  for (const { b } of documents) {
    if (b === undefined) continue;
    const entry = JSON.parse(b) as Entry;
    runs.set(entry.runId, [...(runs.get(entry.runId) ?? []), entry]);
  }
  return [...runs].flatMap(([run, entries]) => {
    entries.sort((a, b) => a.firstSeq - b.firstSeq);
    let next = 1;
    const problems: string[] = [];
    for (const { firstSeq, events } of entries) {
      if (firstSeq !== next)
        problems.push(`F3 the journal of ${run} goes on with event ${firstSeq} where ${next} is next`);
      next = firstSeq + events.length;
    }
    const steps = entries.flatMap((e) => (e.checkpoint ? [e.checkpoint.step ?? e.step] : []));
    if (steps.some((step, i) => step !== i + 1))
      problems.push(`F3 the checkpoints of ${run} are of steps ${steps.join()}`);
    return problems;
  });
}
