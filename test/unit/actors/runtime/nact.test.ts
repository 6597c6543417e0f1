/**
 * Supervision through nact (docs/nact.md): the children of a workspace, a hive and an agent are found under it, and a
 * crash in a run restarts that run alone. Time and the event loop are moved by hand.
 */
import { expect } from 'chai';
import type {
  ActorContext,
  Address,
  Behavior,
  ChildFailure,
  ChildRef,
  Reply,
} from '../../../../actors/runtime/port.js';
import type { SupervisionTree } from '../../../../actors/runtime/supervision-tree.js';
import { type ActorSystem, createActorSystem } from '../../../../actors/runtime/system.js';
import { ManualClock, ManualLoop, settle } from './kit.js';

/** A run that counts its lives and crashes when it is told to. */
class Run implements Behavior<string> {
  lives = 0;
  handled: string[] = [];
  activate(): void {
    this.lives++;
  }
  receive(message: string): void {
    if (message === 'crash') throw new Error('a defect in a step');
    this.handled.push(message);
  }
  idle(): boolean {
    return false;
  }
  passivate(): void {}
  dropped(): void {}
}

/** An agent with two runs. */
class Agent implements Behavior<string> {
  lives = 0;
  runs: Record<string, Run> = {};
  refs: Record<string, ChildRef<string>> = {};
  failures: ChildFailure[] = [];
  activate(context: ActorContext<string>): void {
    this.lives++;
    for (const id of ['one', 'two']) {
      const run = (this.runs[id] = new Run());
      this.refs[id] = context.spawn({ workspace: 'w', kind: 'run', id }, run);
    }
  }
  receive(_message: string, reply: Reply): void {
    reply.resolve('here');
  }
  childFailed(failure: ChildFailure): void {
    this.failures.push(failure);
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
    system = createActorSystem({
      clock,
      loop,
      behaviorFor: ({ id }) => (agents[id] = new Agent()),
      parentOf: ({ kind, id }) => (kind === 'hive' ? [id] : id === 'bee' ? ['h'] : []),
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

  it('restarts a run that crashes, alone: its agent, its sibling and the hive go on', async () => {
    const bee = agents['bee'] as Agent;
    const [one, two] = [bee.runs['one'] as Run, bee.runs['two'] as Run];
    bee.refs['one']?.tell('crash');
    bee.refs['one']?.tell('after the crash');
    bee.refs['two']?.tell('meanwhile');
    await settle(loop);
    expect(await tree.children('workspaces.w', 'hives.h', 'agent.bee')).to.deep.equal(['run.two']);
    expect(two.handled).to.deep.equal(['meanwhile']);
    expect(bee.failures.map((f) => [f.address.id, f.stopped])).to.deep.equal([['one', false]]);
    clock.advance(50); // the backoff after a first crash
    await settle(loop);
    expect(await tree.children('workspaces.w', 'hives.h', 'agent.bee')).to.have.members(['run.one', 'run.two']);
    expect(one.handled).to.deep.equal(['after the crash']);
    expect({ one: one.lives, two: two.lives, agent: bee.lives }).to.deep.equal({ one: 2, two: 1, agent: 1 });
    await load(address('agent', 'bee'));
    await load(address('hive', 'h'));
    expect(bee.lives).to.equal(1);
  });

  it('stops a run that crashes five times in a minute, and nothing else', async () => {
    const bee = agents['bee'] as Agent;
    for (let n = 0; n < 4; n++) {
      bee.refs['one']?.tell('crash');
      await settle(loop);
      clock.advance(1000);
      await settle(loop);
    }
    expect(bee.failures.at(-1)).to.include({ stopped: true });
    expect(await tree.children('workspaces.w', 'hives.h', 'agent.bee')).to.deep.equal(['run.two']);
    expect(bee.lives).to.equal(1);
  });
});
