/** The journal: one document a step with its events and its checkpoint (Run.U2). */
import { expect } from 'chai';
import { AgentWorld } from './support/agent-world.js';
import { answer, ask, note, oneAtATime, recall, resume, start, step, stepFails, work } from './support/commands.js';
import { given } from './support/given.js';

const shape = (w: AgentWorld, n = 0) =>
  w.docs
    .journal(w.run(n).id)
    .map((e) => ({ step: e.step, seqs: e.events.map((v) => v.seq), checkpoint: e.checkpoint?.step ?? null }));

describe('domain: journal', () => {
  it('a step is one entry: status changes around it, thoughts, checkpoint', () => {
    given(
      {},
      start(),
      work({
        thoughts: [
          ['goal', 'g'],
          ['recall', 'r'],
        ],
      }),
    )
      .when(step([answer('a')], { thoughts: [['result', 'x']] }))
      .then((w) => {
        expect(shape(w)).to.deep.equal([
          { step: 1, seqs: [1, 2, 3], checkpoint: 1 },
          { step: 2, seqs: [4, 5, 6], checkpoint: 2 },
        ]);
        expect(w.docs.events(w.run().id).map((e) => e.type)).to.deep.equal([
          'status',
          'thought',
          'thought',
          'thought',
          'answer',
          'status',
        ]);
      });
  });
  it('a step without thoughts has an entry too, for its checkpoint', () => {
    given({}, start(), work(), work(), work())
      .when(step([answer()]))
      .then((w) => {
        expect(shape(w)).to.deep.equal([
          { step: 1, seqs: [1], checkpoint: 1 },
          { step: 2, seqs: [], checkpoint: 2 },
          { step: 3, seqs: [], checkpoint: 3 },
          { step: 4, seqs: [2, 3], checkpoint: 4 },
        ]);
      });
  });
  it('an entry that is written again keeps its id', () => {
    const w = new AgentWorld();
    w.do(start());
    const [first] = w.docs.journal(w.run().id);
    w.do(work({ thoughts: [['goal', 'g']] }));
    expect(w.docs.journal(w.run().id)).to.have.length(1).and.have.nested.property('[0].id', first!.id);
    expect(w.last.puts.filter((p) => p.kind === 'journal'))
      .to.have.length(1)
      .and.have.nested.property('[0].isNew', false);
  });
  it('a run that has waited begins its step in an entry of its own, so that entries by id are steps by time', () => {
    given(oneAtATime, start(), start())
      .when(work(), step([answer()]), work())
      .then((w) => {
        expect(shape(w, 1)).to.deep.equal([
          { step: 1, seqs: [1], checkpoint: null },
          { step: 1, seqs: [2], checkpoint: 1 },
        ]);
        const checkpoints = [0, 1]
          .flatMap((run) => w.docs.journal(w.run(run).id).filter((e) => e.checkpoint))
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .map((e) => e.checkpoint?.created_at);
        expect(checkpoints)
          .to.have.length(3)
          .and.deep.equal([...checkpoints].sort());
      });
    given(oneAtATime, start(), start())
      .when(step([answer()]))
      .then((w) => {
        expect(shape(w, 1)).to.deep.equal([
          { step: 1, seqs: [1], checkpoint: null },
          { step: 1, seqs: [2], checkpoint: null },
        ]);
        expect(w.docs.events(w.run(1).id).map((e) => e.type === 'status' && e.status)).to.deep.equal([
          'pending',
          'running',
        ]);
      });
  });
  it('a failed step has no checkpoint; done again after a resume it has an entry of its own', () => {
    given({}, start(), stepFails(), resume())
      .when(work())
      .then((w) => {
        expect(shape(w)).to.deep.equal([
          { step: 1, seqs: [1, 2], checkpoint: null },
          { step: 1, seqs: [3], checkpoint: 1 },
        ]);
      });
  });
  it('an approved step stays one entry; what follows an answer of a human is another', () => {
    given({ config: { validation_gate: 'action' } }, start(), step([note('x')]))
      .when(resume({ decision: 'approve' }))
      .then((w) => {
        expect(shape(w)).to.deep.equal([{ step: 1, seqs: [1, 2, 3], checkpoint: 1 }]);
      })
      .when(step([ask('?')]), resume({ input: 'y' }))
      .then((w) => {
        expect(shape(w).slice(1)).to.deep.equal([
          { step: 2, seqs: [4], checkpoint: 2 },
          { step: 3, seqs: [5], checkpoint: null },
        ]);
      });
  });
  it('a checkpoint has the calls, the partial output and the ids of its run', () => {
    given({}, start('x', { sessionId: 's' }))
      .when(step([recall('q', 'r'), note('kept')], { usedMs: 7, thoughts: [['insight', 'so far']] }))
      .then((w) => {
        const [entry] = w.docs.journal(w.run().id);
        expect(entry?.checkpoint).to.deep.include({
          id: entry?.id,
          runId: w.run().id,
          agent_id: 'agent_1',
          sessionId: 's',
          step: 1,
          output: 'so far',
          runtimeMs: 7,
        });
        expect(entry?.checkpoint?.calls).to.have.length(2);
        expect(entry?.id).to.match(/^ckpt_/);
      });
  });
  it('a thought says whose it is, of which run and step', () => {
    given({}, start('x', { sessionId: 's' }), work())
      .when(work({ thoughts: [['reflection', 'hm']] }))
      .then((w) => {
        const event = w.docs.events(w.run().id).find((e) => e.type === 'thought');
        expect(event?.type === 'thought' && event.thought).to.include({
          thoughtType: 'reflection',
          content: 'hm',
          runId: w.run().id,
          sessionId: 's',
          agent_id: 'agent_1',
          step: 2,
          created_at: event?.at,
        });
      });
  });
  it('is read on after a restart in the middle of a step', () => {
    const w = new AgentWorld();
    for (const c of [start(), work({ thoughts: [['goal', 'g']] })]) w.do(c);
    w.restart();
    w.do(step([answer()]));
    expect(shape(w)).to.deep.equal([
      { step: 1, seqs: [1, 2], checkpoint: 1 },
      { step: 2, seqs: [3, 4], checkpoint: 2 },
    ]);
  });
});
