/** How many messages one origin may cause. src/domain/mailbox/causal-budget.ts. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { OutboxItem } from '../../../src/domain/shared/documents.js';
import { childBudget } from '../../../src/domain/mailbox/causal-budget.js';
import { sizeOf } from '../../../src/domain/workspace/usage.js';
import { AgentWorld } from './support/agent-world.js';
import { answer, ask, receive, resume, send, start, step, stepFails, work } from './support/commands.js';
import { given } from './support/given.js';

const origin = 1000;
const posts = (w: AgentWorld): OutboxItem[] => w.docs.posts();
const carried = (w: AgentWorld): number => posts(w).reduce((sum, p) => sum + 1 + (p.budget ?? 0), 0);

/**
 * Agents whose messages reach one another; `calls` says what each of them does when it is woken. Answers how many
 * messages there were.
 */
function forwarding(
  agents: number,
  budget: number,
  calls: (from: number, n: number) => { to: number[]; answers: boolean },
): number {
  const worlds = Array.from(
    { length: agents },
    () => new AgentWorld({ wake_on_message: true, config: { max_steps: 3 } }),
  );
  for (const w of worlds) w.env.defaults.messageBudget = budget;
  const delivered = new Set<string>();
  let sent = 0;
  worlds[0]?.do(receive('go'));
  for (let busy = true, n = 0; busy; n++) {
    busy = false;
    worlds.forEach((w, i) => {
      if (w.state.agent.running.length === 0) return;
      busy = true;
      const { to, answers } = calls(i, n);
      const sends = to.map((t) => send(`on to ${t}`, { id: String(t), name: `a${t}` }));
      w.do(step([...sends, ...(answers ? [answer()] : [])]));
      for (const post of posts(w)) {
        if (delivered.has(`${i}/${post.id}`)) continue;
        delivered.add(`${i}/${post.id}`);
        sent++;
        worlds[Number(post.to)]?.do(
          receive(post.content, { id: `${i}-${post.id}`, hops: post.hops, budget: post.budget }),
        );
        w.do({ type: 'delivered', outboxId: post.id, bytes: sizeOf(post) });
      }
    });
  }
  return sent;
}

describe('The causal budget of messages', () => {
  it('ten agents that forward everything to all ten come to an end', () => {
    const all = Array.from({ length: 10 }, (_, i) => i);
    const sent = forwarding(10, 300, () => ({ to: all, answers: true }));
    expect(sent).to.be.at.most(300).and.greaterThan(100);
  });
  it('whatever agents do, one origin causes no more than its budget', () => {
    const step = fc.record({ to: fc.array(fc.nat(3), { maxLength: 12 }), answers: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        expect(forwarding(4, 30, (_, n) => steps[n % steps.length]!)).to.be.at.most(30);
      }),
      { numRuns: 10 },
    );
  });
  it('a send takes from the run what it carries and one for itself', () => {
    given({ wake_on_message: true }, receive('go', { budget: 100 }))
      .when(step([send('a'), send('b'), answer()]))
      .then((w) => {
        expect(posts(w).map((p) => p.budget)).to.deep.equal([49, 49]);
        expect(w.run().budget).to.equal(0);
      });
  });
  it('the budget of a message is taken once, by the step that reads it, not by one that fails', () => {
    given({ wake_on_message: true }, receive('go', { budget: 7 }), stepFails())
      .then((w) => {
        expect(w.runs.map((r) => r.budget)).to.deep.equal([0, 0]);
      })
      .when(work(), receive('more', { budget: 5 }), work(), work())
      .then((w) => {
        expect(w.run(1).budget).to.equal(12);
      });
  });
  it('a run of many steps reaches one agent in each of ten, and a chain of many-step runs goes on to the last hop', () => {
    const w = new AgentWorld();
    w.do(start());
    for (let i = 0; i < 9; i++) w.do(step([send(`part ${i}`)]));
    expect(w.running.transcript.flat().filter((o) => o.ok).length).to.be.at.least(8);
    expect(carried(w)).to.be.at.most(origin);
    let hops = 0;
    for (let left = origin; left > 0; hops++) left = childBudget(left, 1, false, origin);
    expect(hops).to.be.at.least(14);
  });
  it('without budget nothing is sent, the reasoner is told, and the run goes on', () => {
    given({ wake_on_message: true }, receive('go', { budget: 1, hops: 3 }))
      .when(step([send('a'), send('b')]))
      .then((w) => {
        expect(w.running.transcript[0]?.map((o) => o.ok || o.result)).to.deep.equal([
          true,
          'the 1000 messages that one message or run from outside may cause are used up',
        ]);
      });
  });
  it('who comes from outside is an origin: a client, and whoever resumes a run', () => {
    given({}, start(), step([send('a'), ask('go on?')]))
      .then((w) => {
        expect(w.run().budget).to.equal(0);
      })
      .when(resume({ input: 'yes' }))
      .then((w) => {
        expect(w.run().budget).to.equal(origin);
      });
  });
});
