import { expect } from 'chai';
import fc from 'fast-check';
import { spawn } from 'nact';
import { CrashRecord, crashPolicy } from '../../../../actors/runtime/crash-policy.js';
import { nodeName, SupervisionTree } from '../../../../actors/runtime/supervision-tree.js';

describe('supervision tree', () => {
  it('Tree.T1: supervisors live as long as something is under them', () => {
    const tree = new SupervisionTree('test');
    const a = tree.place('ws', ['hive'], 'agent', 'a');
    const b = tree.place('ws', ['hive'], 'agent', 'b');
    const c = tree.place('ws', [], 'hive', 'hive');
    expect(tree.supervisors()).to.deep.equal(['workspaces.ws', 'workspaces.ws/hives.hive']);
    tree.remove(a);
    expect(tree.supervisors()).to.have.length(2);
    tree.remove(b);
    expect(tree.supervisors()).to.deep.equal(['workspaces.ws']);
    tree.remove(c);
    expect(tree.supervisors()).to.deep.equal([]);
    tree.stop();
  });

  it('Tree.T1: a place that is taken leaves no supervisor behind', () => {
    const tree = new SupervisionTree('test');
    const a = tree.place('ws', [], 'agent', 'a');
    expect(() => tree.place('ws', [], 'agent', 'a')).to.throw('already exists');
    tree.remove(a);
    expect(tree.supervisors()).to.deep.equal([]);
  });

  it('Tree.T2: names are what nact allows, and differ where ids differ', () => {
    const id = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', 'a', 'A', '$', '$0024', '%24', '~', '\ud800', '\udfff', 'a/b', 'a\n'),
    );
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(nodeName('agent', a)).to.match(/^[a-z0-9-$_.+!*'(),]+$/i);
        expect(nodeName('agent', a) === nodeName('agent', b)).to.equal(a === b);
      }),
    );
  });

  it('Tree.T3: a stop reaches all below', () => {
    const tree = new SupervisionTree('test');
    const node = tree.place('ws', [], 'agent', 'a');
    const child = tree.below(node, 'run', 'r');
    tree.remove(node);
    expect(() => spawn(child.ref, () => undefined, 'x')).to.throw('stopped');
    const other = tree.place('ws', [], 'agent', 'a');
    tree.stop();
    expect(() => tree.below(other, 'run', 'r')).to.throw();
  });

  it('two trees of one name are two', () => {
    const one = new SupervisionTree('same');
    const two = new SupervisionTree('same');
    two.place('ws', [], 'agent', 'a');
    one.stop();
    expect(() => two.place('ws', [], 'agent', 'b')).not.to.throw();
    two.stop();
  });
});

describe('crash record', () => {
  it('forgets crashes older than a minute', () => {
    const record = new CrashRecord(crashPolicy);
    for (let i = 0; i < 10; i++) {
      record.add(i * 20_000);
      expect(record.open).to.equal(false);
    }
    expect([record.count, record.retryAt]).to.deep.equal([3, 180_000 + 200]);
    expect([record.over(239_999), record.over(240_000)]).to.deep.equal([false, true]);
  });
});
