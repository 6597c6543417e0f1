/** The checks find what they are there for: each test plants one fault into evidence that is otherwise whole. */
import { expect } from 'chai';
import { problemsOf, type Standing } from './check.js';
import type { Facts, Listing } from './facts.js';
import { Ledger, type Entry } from './ledger.js';
import type { Json } from './clients/gateways.js';
import {
  activeProblems,
  headProblems,
  journalProblems,
  lateProblems,
  type FinalHead,
  type HeadSample,
} from './history.js';

const standing: Standing = { all: ['talker', 'worker', 'relay', 'sink'], stepping: new Set(['worker']), hive: 'hive' };

interface Evidence {
  ledger: Ledger;
  facts: Facts;
  entry(unique: string): Entry;
  agent(id: string): NonNullable<ReturnType<Facts['agents']['get']>>;
}

/**
 * One of everything, acknowledged and in order: two memories (one deleted), a message, a run that was followed, a task
 * with pushes, mail, mail that is passed on, and two agents (one deleted).
 */
function evidence(): Evidence {
  const ledger = new Ledger();
  const listing = (...items: Json[]): Listing => ({ items, total: items.length });
  const sent = (...[kind, unique, agent, path, id]: [Entry['kind'], string, string | null, string[], string]): Entry =>
    Object.assign(ledger.begin(kind, unique, agent, path), { id, tries: 2 });
  sent('memory', 'u1', 'talker', [], 'mem_1');
  sent('memory', 'u2', null, [], 'mem_2').deleted = 'acknowledged';
  sent('message', 'u3', 'talker', [], 'run_3');
  sent('run', 'u4', 'worker', [], 'run_4');
  sent('task', 'u5', 'talker', [], 'run_5');
  sent('mail', 'u6', 'sink', ['sink'], 'msg_6');
  sent('hops', 'u7', 'relay', ['relay', 'sink'], 'msg_7');
  sent('share', 'u10', 'worker', [], 'run_10');
  sent('agent', 'u8', null, [], 'agent_8');
  sent('agent', 'u9', null, [], 'agent_9').deleted = 'acknowledged';
  sent('memory', 'u9-memory', 'agent_9', [], 'mem_9');
  const run = (id: string, input: string, steps: number, more: Json = {}): Json => ({
    id,
    input,
    steps,
    status: 'completed',
    stopReason: 'answer',
    error: null,
    triggeredBy: 'api',
    ...more,
  });
  const memory = (id: string, content: string): Json => ({ id, content });
  const steps = [1, 2, 3].map((n) => memory(`mem_4${n}`, `u4 step ${n}`));
  const checkpoints = (runId: string, n: number): Json[] =>
    Array.from({ length: n }, (_, i) => ({ runId, step: i + 1 }));
  const agent = (memories: Json[], runs: Json[], messages: Json[], points: Json[]) => ({
    agent: { memory_count: memories.length },
    memories: listing(...memories),
    runs: listing(...runs),
    messages: listing(...messages),
    checkpoints: points,
  });
  const statuses = ['pending', 'running', 'completed'];
  const ids = [1, 2, 3];
  const facts: Facts = {
    agents: new Map([
      [
        'talker',
        agent(
          [memory('mem_1', 'u1')],
          [run('run_3', 'what about u3?', 1), run('run_5', 'work u5', 1)],
          [],
          [...checkpoints('run_3', 1), ...checkpoints('run_5', 1)],
        ),
      ],
      [
        'worker',
        agent(
          steps,
          [run('run_4', 'work u4', 4), run('run_10', 'share hive u10', 2)],
          [],
          [...checkpoints('run_4', 4), ...checkpoints('run_10', 2)],
        ),
      ],
      [
        'relay',
        agent(
          [],
          [run('run_7', 'hop sink u7', 2, { triggeredBy: 'message' })],
          [{ id: 'msg_7', content: 'hop sink u7' }],
          checkpoints('run_7', 2),
        ),
      ],
      [
        'sink',
        agent(
          [],
          [],
          [
            { id: 'msg_6', content: 'token u6' },
            { id: 'msg_70', content: 'token u7' },
          ],
          [],
        ),
      ],
      ['agent_8', agent([], [], [], [])],
      ['agent_9', null],
    ]),
    agentList: [{ id: 'agent_8', name: 'u8' }],
    shared: { ...listing(memory('mem_10', 'u10')), counted: 1 },
    memories: listing(memory('mem_1', 'u1'), ...steps),
    memoryById: new Map([
      ['mem_1', 200],
      ['mem_2', 404],
      ['mem_9', 404],
    ]),
    events: new Map(
      ['run_3', 'run_4', 'run_5', 'run_7', 'run_10'].map((id) => [
        id,
        { ids: [...ids], statuses: [...statuses], problem: null },
      ]),
    ),
    memoriesInUsage: 4,
    deadLetters: [],
    arrivals: new Map([['/u5', ['submitted', 'working', 'working', 'completed']]]),
  };
  ledger.stories.push({
    agent: 'worker',
    run: 'run_4',
    ids: [...ids],
    status: 'completed',
    connections: 2,
    problem: null,
  });
  ledger.pushes.push({ agent: 'talker', run: 'run_5', path: '/u5' });
  return {
    ledger,
    facts,
    entry: (unique) => ledger.entries.find((e) => e.unique === unique)!,
    agent: (id) => facts.agents.get(id)!,
  };
}

/** The invariants that are found broken when `plant` has changed the evidence. */
function broken(plant: (evidence: Evidence) => void): string[] {
  const planted = evidence();
  plant(planted);
  return [...new Set(problemsOf(planted.ledger, planted.facts, standing).map((problem) => problem.slice(0, 2)))].sort();
}

const add = (listing: Listing, ...items: Json[]): void => {
  listing.items.push(...items);
  listing.total = listing.items.length;
};
const drop = (listing: Listing, id: string): void => {
  listing.items = listing.items.filter((i) => i['id'] !== id);
  listing.total = listing.items.length;
};

describe('The checks of the chaos harness', () => {
  it('find nothing wrong with evidence that is whole', () => {
    expect(broken(() => undefined)).to.deep.equal([]);
  });

  it('find nothing wrong with mail that waits for its reader, because it has passed too many agents to wake it', () => {
    const waits = (hops: number, readAt: string | null): string[] =>
      broken(({ agent }) => {
        Object.assign(agent('relay').messages.items[0]!, { hops, read_at: readAt });
        drop(agent('sink').messages, 'msg_70');
      });
    expect(waits(17, null)).to.deep.equal([]);
    expect(waits(16, null), 'it may wake').to.deep.equal(['K5']);
    expect(waits(17, '2026-01-15T00:00:00.000Z'), 'it was read').to.deep.equal(['K5']);
  });

  it('find nothing wrong with what was never answered and is there, or not', () => {
    expect(
      broken(({ entry }) => {
        entry('u6').id = null;
        entry('u1').id = null;
      }),
    ).to.deep.equal([]);
    expect(
      broken(({ entry, agent }) => {
        entry('u6').id = null;
        drop(agent('sink').messages, 'msg_6');
      }),
    ).to.deep.equal([]);
  });

  const plants: Record<string, { breaks: string[]; plant: (e: Evidence) => void }> = {
    'a memory that was acknowledged and is not listed': {
      breaks: ['K1', 'K8'],
      plant: ({ facts }) => {
        drop(facts.memories, 'mem_1');
      },
    },
    'a memory that was acknowledged and is not found by its id': {
      breaks: ['K1'],
      plant: ({ facts }) => {
        facts.memoryById.set('mem_1', 404);
      },
    },
    'a doubled memory': {
      breaks: ['K2'],
      plant: ({ facts }) => {
        add(facts.memories, { id: 'mem_1b', content: 'u1' });
        facts.memoriesInUsage++;
      },
    },
    'an unanswered memory that is there twice': {
      breaks: ['K2'],
      plant: ({ facts, entry }) => {
        entry('u1').id = null;
        add(facts.memories, { id: 'mem_1b', content: 'u1' });
        facts.memoriesInUsage++;
      },
    },
    'a memory under another id than was acknowledged': {
      breaks: ['K1'],
      plant: ({ entry }) => {
        entry('u1').id = 'mem_x';
      },
    },
    'a deleted memory that is listed': {
      breaks: ['K3'],
      plant: ({ facts }) => {
        add(facts.memories, { id: 'mem_2', content: 'u2' });
        facts.memoriesInUsage++;
      },
    },
    'a deleted memory that is found': {
      breaks: ['K3'],
      plant: ({ facts }) => {
        facts.memoryById.set('mem_2', 200);
      },
    },
    'a memory that outlives its agent': {
      breaks: ['K3'],
      plant: ({ facts }) => {
        facts.memoryById.set('mem_9', 200);
      },
    },
    'an agent that was acknowledged and is not there': {
      breaks: ['K1'],
      plant: ({ facts }) => {
        facts.agents.set('agent_8', null);
        facts.agentList = [];
      },
    },
    'a doubled agent': {
      breaks: ['K2'],
      plant: ({ facts }) => {
        facts.agentList.push({ id: 'agent_8b', name: 'u8' });
      },
    },
    'a deleted agent that is there': {
      breaks: ['K3'],
      plant: ({ facts }) => {
        facts.agentList.push({ id: 'agent_9', name: 'u9' });
      },
    },
    'an agent of all that is gone': {
      breaks: ['K1', 'K5'],
      plant: ({ facts }) => {
        facts.agents.set('sink', null);
      },
    },
    'a run that was acknowledged and is not there': {
      breaks: ['K1'],
      plant: ({ agent }) => {
        drop(agent('worker').runs, 'run_4');
      },
    },
    'a doubled run': {
      breaks: ['K2', 'K4'],
      plant: ({ agent }) => {
        add(agent('worker').runs, {
          id: 'run_4b',
          input: 'work u4',
          status: 'completed',
          stopReason: 'answer',
          steps: 4,
        });
      },
    },
    'a run that nobody asked for': {
      breaks: ['K1'],
      plant: ({ agent }) => {
        add(agent('talker').runs, {
          id: 'run_x',
          input: 'work x',
          status: 'completed',
          stopReason: 'answer',
          steps: 0,
        });
      },
    },
    'a direct message that made two runs': {
      breaks: ['K2'],
      plant: ({ agent }) => {
        add(agent('talker').runs, {
          id: 'run_3b',
          input: 'what about u3?',
          status: 'completed',
          stopReason: 'answer',
          steps: 0,
        });
      },
    },
    'a run that has not ended': {
      breaks: ['K4'],
      plant: ({ agent }) => {
        agent('worker').runs.items[0]!['status'] = 'running';
      },
    },
    'a run that failed': {
      breaks: ['K4'],
      plant: ({ agent }) => {
        agent('talker').runs.items[0]!['status'] = 'failed';
      },
    },
    'a step that counted twice': {
      breaks: ['K4'],
      plant: ({ agent }) => {
        add(agent('worker').memories, { id: 'mem_x', content: 'u4 step 2' });
        agent('worker').agent['memory_count'] = 4;
      },
    },
    'a step that did not count': {
      breaks: ['K4'],
      plant: ({ agent }) => {
        drop(agent('worker').memories, 'mem_42');
        agent('worker').agent['memory_count'] = 2;
      },
    },
    'a checkpoint that is there twice': {
      breaks: ['K4'],
      plant: ({ agent }) => {
        agent('worker').checkpoints.push({ runId: 'run_4', step: 2 });
      },
    },
    'a share that did not arrive': {
      breaks: ['K1', 'K8'],
      plant: ({ facts }) => {
        drop(facts.shared, 'mem_10');
      },
    },
    'a share that arrived twice': {
      breaks: ['K2'],
      plant: ({ facts }) => {
        add(facts.shared, { id: 'mem_11', content: 'u10' });
        facts.shared.counted = 2;
      },
    },
    'a share of nobody': {
      breaks: ['K1'],
      plant: ({ facts }) => {
        add(facts.shared, { id: 'mem_11', content: 'x' });
        facts.shared.counted = 2;
      },
    },
    'mail that was lost on the way': {
      breaks: ['K5'],
      plant: ({ agent }) => {
        drop(agent('sink').messages, 'msg_70');
      },
    },
    'mail that arrived twice': {
      breaks: ['K5'],
      plant: ({ agent }) => {
        add(agent('sink').messages, { id: 'msg_71', content: 'token u7' });
      },
    },
    'mail without an answer that arrived twice': {
      breaks: ['K5'],
      plant: ({ agent, entry }) => {
        entry('u7').id = null;
        add(agent('sink').messages, { id: 'msg_71', content: 'token u7' });
      },
    },
    'mail at somebody else': {
      breaks: ['K5'],
      plant: ({ agent }) => {
        add(agent('relay').messages, { id: 'msg_x', content: 'token u6' });
      },
    },
    'a mailbox without the message that was acknowledged': {
      breaks: ['K1'],
      plant: ({ entry }) => {
        entry('u6').id = 'msg_x';
      },
    },
    'a stream with a hole': {
      breaks: ['K6'],
      plant: ({ ledger }) => {
        ledger.stories[0]!.ids.splice(1, 1);
      },
    },
    'a stream with a double': {
      breaks: ['K6'],
      plant: ({ ledger }) => {
        ledger.stories[0]!.ids.splice(1, 0, 1);
      },
    },
    'a stream that ended too early': {
      breaks: ['K6'],
      plant: ({ ledger }) => {
        ledger.stories[0]!.ids.pop();
      },
    },
    'a stream that never ended': {
      breaks: ['K6'],
      plant: ({ ledger }) => {
        ledger.stories[0]!.problem = 'timeout';
      },
    },
    'stored events with a hole': {
      breaks: ['K6'],
      plant: ({ facts }) => {
        facts.events.get('run_3')!.ids = [1, 3];
      },
    },
    'a run that ended twice': {
      breaks: ['K4'],
      plant: ({ facts }) => {
        facts.events.get('run_3')!.statuses = ['pending', 'running', 'completed', 'completed'];
      },
    },
    'a push that did not arrive': {
      breaks: ['K7'],
      plant: ({ facts }) => {
        facts.arrivals.set('/u5', ['submitted', 'completed']);
      },
    },
    'pushes out of order': {
      breaks: ['K7'],
      plant: ({ facts }) => {
        facts.arrivals.set('/u5', ['working', 'submitted', 'completed']);
      },
    },
    'a push that was given up': {
      breaks: ['K7'],
      plant: ({ facts }) => {
        facts.deadLetters.push({ id: 'out_1' });
      },
    },
    'a count that is off': {
      breaks: ['K8'],
      plant: ({ agent }) => {
        agent('talker').agent['memory_count'] = 2;
      },
    },
    'a total that is off': {
      breaks: ['K8'],
      plant: ({ agent }) => {
        agent('talker').runs.total = 3;
      },
    },
    'usage that is off': {
      breaks: ['K8'],
      plant: ({ facts }) => {
        facts.memoriesInUsage = 5;
      },
    },
  };
  for (const [what, { breaks, plant }] of Object.entries(plants))
    it(`find ${what}`, () => {
      expect(broken(plant)).to.deep.equal(breaks);
    });
});

describe('The look into the history', () => {
  const head = (s: number, c: string): HeadSample => ({ _id: 'w/agent/a', s, c });
  const samples = (...heads: HeadSample[]): string[] => {
    const last = new Map<string, HeadSample>();
    return heads.flatMap((h) => headProblems(last, [h]));
  };

  it('ClusterHistory.F1 takes a head that goes on or stays', () => {
    expect(samples(head(1, 'x'), head(1, 'x'), head(4, 'y'))).to.deep.equal([]);
  });
  it('ClusterHistory.F1 finds one that went back', () => {
    expect(samples(head(4, 'x'), head(3, 'y'))).to.have.length(1);
  });
  it('ClusterHistory.F1 finds two commits with one seq', () => {
    expect(samples(head(4, 'x'), head(4, 'y'))).to.have.length(1);
  });

  const final: FinalHead = { ...head(4, 'x'), w: 'w', e: 'agent/a', a: false };
  it('ClusterHistory.F2 finds a document of a commit that the head does not have, and one without a head', () => {
    const documents = [3, 4, 5].map((s) => ({ _id: `d${s}`, w: 'w', e: 'agent/a', s }));
    const orphan = { _id: 'd', w: 'w', e: 'agent/b', s: 1 };
    expect(lateProblems('memory', [...documents.slice(0, 2)], [final])).to.deep.equal([]);
    expect(lateProblems('memory', [...documents, orphan], [final])).to.have.length(2);
    const purged = { _id: 'd', w: 'w', e: 'agent/a', s: Number.MAX_SAFE_INTEGER };
    expect(lateProblems('memory', [purged], [final])).to.deep.equal([]);
    expect(lateProblems('memory', [{ ...purged, b: '{}' }], [final]), 'a body that came back').to.have.length(1);
  });

  const entry = (
    firstSeq: number,
    events: number,
    step: number | null,
  ): { _id: string; w: string; e: string; s: number; b: string } => ({
    _id: `j${firstSeq}`,
    w: 'w',
    e: 'agent/a',
    s: 1,
    b: JSON.stringify({
      runId: 'run_1',
      firstSeq,
      events: Array.from({ length: events }, () => ({})),
      checkpoint: step === null ? null : { step },
    }),
  });
  it('ClusterHistory.F3 takes a journal in any order of its documents', () => {
    expect(journalProblems([entry(6, 2, null), entry(1, 2, 1), entry(3, 3, 2)])).to.deep.equal([]);
  });
  it('ClusterHistory.F3 finds a hole', () => {
    expect(journalProblems([entry(1, 2, 1), entry(4, 2, 2)])).to.have.length(1);
  });
  it('ClusterHistory.F3 finds an overlap, as two writers leave it', () => {
    expect(journalProblems([entry(1, 3, 1), entry(3, 3, 2)])).to.have.length(1);
  });
  it('ClusterHistory.F3 finds a step that counted twice', () => {
    expect(journalProblems([entry(1, 2, 1), entry(3, 2, 1)])).to.have.length(1);
  });

  it('ClusterHistory.F4 finds an entity that is still active', () => {
    expect(activeProblems([final, { ...final, a: true }])).to.have.length(1);
  });
});
