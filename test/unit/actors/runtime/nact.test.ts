/**
 * Supervision through nact (docs/nact.md): the children of a workspace, a hive and an agent are found under it, and a
 * crash in a run ends that run's actor alone. Time and the event loop are moved by hand.
 */
import { expect } from 'chai';
import type { ActorContext, Address, Behavior, Asked } from '../../../../actors/runtime/port.js';
import type { SupervisionTree } from '../../../../actors/runtime/supervision-tree.js';
import { Scheduler } from '../../../../actors/runtime/scheduler.js';
import { ActorSystem } from '../../../../actors/runtime/system.js';
import { Gate, ManualClock, ManualLoop, settle } from './kit.js';

/** An agent with two runs. */
class Agent implements Behavior<string> {
  lives = 0;
  readonly runs: Record<string, Gate> = { one: new Gate(), two: new Gate() };
  stopped: string[] = [];
  constructor(readonly hives: readonly string[]) {}
  activate(context: ActorContext<string>): void {
    this.lives++;
    for (const [id, run] of Object.entries(this.runs))
      context.spawn(
        { workspace: 'w', kind: 'run', id },
        { begin: () => run.opened, stop: () => this.stopped.push(id) },
      );
  }
  receive(asked: Asked<string>): void {
    asked.resolve('here');
  }
  idle(): boolean {
    return false;
  }
  passivate(): void {}
  dropped(): void {}
}

describe('supervision through nact', () => {
  const clock = new ManualClock();
  const loop = new ManualLoop();
  const agents: Record<string, Agent> = {};
  let system: ActorSystem;
  let tree: SupervisionTree;

  const address = (kind: Address['kind'], id: string): Address => ({ workspace: 'w', kind, id });
  const load = async (where: Address): Promise<void> => {
    const answer = system.ask(where, 'hello');
    await settle(loop);
    expect(await answer).to.equal('here');
  };

  before(async () => {
    system = new ActorSystem({
      clock,
      scheduler: new Scheduler({ loop }),
      behaviorFor: ({ id }) => (agents[id] = new Agent(id === 'bee' || id === 'h' ? ['h'] : [])),
    });
    tree = (system as unknown as { tree: SupervisionTree }).tree;
    for (const one of [
      address('workspace', 'w'),
      address('hive', 'h'),
      address('agent', 'bee'),
      address('agent', 'solo'),
    ])
      await load(one);
  });
  after(async () => {
    const stopped = system.stop({ graceMs: 0 });
    clock.advance(1);
    await settle(loop);
    await stopped;
  });

  it("finds a workspace's children under it: its desk, its hives and the agents of no hive", async () => {
    expect(await tree.children('workspaces.w')).to.have.members(['workspace.w', 'hives.h', 'agent.solo']);
  });

  it("finds a hive's children under it: its desk and its agents", async () => {
    expect(await tree.children('workspaces.w', 'hives.h')).to.have.members(['hive.h', 'agent.bee']);
  });

  it("finds an agent's runs under it", async () => {
    expect(await tree.children('workspaces.w', 'hives.h', 'agent.bee')).to.have.members(['run.one', 'run.two']);
    expect(await tree.children('workspaces.w', 'hives.other', 'agent.bee')).to.deep.equal([]);
  });

  it('ends a run that crashes, alone: its agent, its sibling and the hive go on', async () => {
    const bee = agents['bee'] as Agent;
    bee.runs['one']?.reject(new Error('a defect in a step'));
    await settle(loop);
    expect(await tree.children('workspaces.w', 'hives.h', 'agent.bee')).to.deep.equal(['run.two']);
    await load(address('agent', 'bee'));
    await load(address('hive', 'h'));
    expect([bee.lives, bee.stopped]).to.deep.equal([1, []]);
  });
});
