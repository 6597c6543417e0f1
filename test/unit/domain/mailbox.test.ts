/**
 * The mailbox, the wake rule and the outbox (docs/api.md 3.2, 6.3). src/domain/mailbox/mailbox.ts; Model.W1, Model.W2: the
 * model.
 */
import { expect } from 'chai';
import { bounds } from '../../../src/domain/agent/agent-state.js';
import { hasWork } from '../../../src/domain/agent/agent.js';
import { sizeOf } from '../../../src/domain/workspace/usage.js';
import { AgentWorld } from './support/agent-world.js';
import {
  answer,
  cancel,
  oneAtATime,
  receive,
  recall,
  send,
  share,
  start,
  step,
  stepFails,
  work,
  patches,
} from './support/commands.js';
import { given } from './support/given.js';

const awake = { wake_on_message: true };

describe('domain: mailbox', () => {
  it('takes a message in: stored unread, indexed, told', () => {
    given()
      .when(receive('hello', { from: 'me', reply_to: 'msg_0', metadata: { a: 1 } }))
      .then((w, { result }) => {
        expect(result)
          .to.deep.include({
            agent_id: 'agent_1',
            content: 'hello',
            from: 'me',
            reply_to: 'msg_0',
            metadata: { a: 1 },
            hops: 0,
            wakes: 0,
            read_at: null,
          })
          .and.not.have.property('mode');
        expect(w.state.unread).to.have.length(1);
        expect(w.last.effects.map((e) => e.type)).to.deep.equal(['index', 'announce']);
        expect(w.state.counts).to.include({ messages: 1 });
      });
  });
  it('has nobody as its sender where none is named', () => {
    given()
      .when(receive('x', { from: undefined }))
      .then((_, { result }) => {
        expect(result).to.deep.include({ from: null, reply_to: null, metadata: {} });
      });
  });

  describe('Mailbox.B1: once', () => {
    it('nothing is written for a message that is delivered again', () => {
      given({}, receive('hello', { id: 'msg_a' }))
        .when(receive('hello', { id: 'msg_a' }))
        .then((w, { puts, effects }) => {
          expect([puts, effects]).to.deep.equal([[], []]);
          expect(w.state.agent.unread).to.equal(1);
        });
    });
    it('also when it has been read meanwhile, and when the agent is inactive by now', () => {
      given({}, receive('hello', { id: 'msg_a' }), start(), step([answer()]), patches({ status: 'inactive' }))
        .when(receive('hello', { id: 'msg_a' }))
        .then((w, { puts }) => {
          expect(puts).to.deep.equal([]);
          expect(w.state.agent.unread).to.equal(0);
        })
        .when(receive('hello', { id: 'msg_b' }))
        .refused('AGENT_INACTIVE');
    });
  });

  describe('reading', () => {
    it('a step that ends marks what it took in, and no other', () => {
      given({}, receive('1'), start(), receive('2'))
        .when(step([recall('q')]))
        .then((w) => {
          expect(w.docs.all('message').map((m) => m.read_at !== null)).to.deep.equal([true, false]);
          expect(w.state.counts).to.include({ handled: 1 });
          expect(w.state.unread.map((m) => m.content)).to.deep.equal(['2']);
        });
    });
    it('a message that comes while a step is in progress is read by the next one', () => {
      const w = new AgentWorld();
      w.do(start());
      const first = work()(w);
      w.do(receive('late'));
      w.do(first);
      expect(w.state.agent.unread).to.equal(1);
      w.do(work());
      expect(w.state.agent.unread).to.equal(0);
    });
    it('of runs side by side one reads a message, and another once that one has failed', () => {
      const w = new AgentWorld();
      for (const c of [receive('1'), start(), receive('2'), start(), start()]) w.do(c);
      const reads = (): string[] =>
        w.runs
          .map(({ id }) => w.state.runs.get(id)?.reads.length ?? 0)
          .join(' ')
          .split(' ');
      expect(reads()).to.deep.equal(['1', '1', '0']);
      w.do(stepFails());
      w.do(start());
      expect(reads()).to.deep.equal(['0', '1', '0', '1']);
    });
    it('where the agent wakes, a conversation reads no mail', () => {
      given(awake, start(), receive('from a peer'), start()).then((w) => {
        expect([...w.state.runs.values()].map((live) => live.reads)).to.deep.equal([[], []]);
      });
    });
    it('a step that failed has read nothing', () => {
      given({}, receive(), start())
        .when(stepFails())
        .then((w) => {
          expect(w.state.agent.unread).to.equal(1);
        });
    });
    it('a run takes on the hops of what it read', () => {
      given({}, receive('x', { hops: 7 }), receive('y', { hops: 3 }), start(), work()).then((w) => {
        expect(w.run().hops).to.equal(7);
      });
    });
    it(`a step takes in ${bounds.unreadPerStep} messages and ${bounds.unreadBytes} characters, and always one`, () => {
      const w = new AgentWorld();
      for (let i = 0; i < bounds.unreadPerStep + 1; i++) w.do(receive(`${i}`));
      const ids = w.state.unread.map((m) => m.id);
      w.do(start());
      expect(w.running.reads).to.deep.equal(ids.slice(0, bounds.unreadPerStep));
      for (const bytes of [bounds.unreadBytes / 2 + 1, bounds.unreadBytes + 1])
        given({}, receive('x'.repeat(bytes)), receive('x'.repeat(bytes)), start()).then((long) => {
          expect(long.running.reads).to.have.length(1);
        });
    });
  });

  describe('Model.W1, Model.W2: waking', () => {
    it('an agent that does not want to be woken is not', () => {
      given()
        .when(receive())
        .then((w) => {
          expect(w.runs).to.deep.equal([]);
        });
    });
    it('a message wakes, in the same commit, with its content as the input', () => {
      given(awake)
        .when(receive('wake up', { hops: 2 }))
        .then((w) => {
          expect(w.run()).to.include({
            status: 'running',
            triggeredBy: 'message',
            input: 'wake up',
            hops: 2,
            messageId: w.docs.all('message')[0]!.id,
          });
          expect(w.docs.all('message')[0]).to.include({ wakes: 1, read_at: null });
          expect(w.effects('begin')).to.have.length(1);
        });
    });
    it('Mailbox.B5: none is created while any run is pending or running, by its arrival or what else happens', () => {
      const w = new AgentWorld(awake);
      for (const c of [start(), start(), receive(), work(), start(), receive('another')]) w.do(c);
      expect(w.runs.map((r) => r.triggeredBy)).to.deep.equal(['api', 'api', 'api']);
    });
    it('Mailbox.B5: the commit that ends a run makes one, also while others are running; of these one at a time', () => {
      const w = new AgentWorld(awake);
      for (const c of [start(), start(), start(), receive('1'), step([answer()]), receive('2')]) w.do(c);
      const made = (): string[] => w.runs.map((r) => `${r.triggeredBy} ${r.status}`);
      expect(made()).to.deep.equal(['api completed', 'api running', 'api running', 'message running']);
      w.do(step([answer()]));
      expect(made().slice(1), 'not while that one runs').to.deep.equal([
        'api completed',
        'api running',
        'message running',
      ]);
      w.do(cancel(3));
      expect(made().slice(2)).to.deep.equal(['api running', 'message cancelled', 'message running']);
      expect(w.run(-1).input, 'what it was to read is there still').to.equal('1');
    });
    it('what waits already goes first', () => {
      const w = new AgentWorld({ ...awake, ...oneAtATime });
      for (const c of [start(), start(), receive(), cancel()]) w.do(c);
      expect(w.runs.map((r) => r.status)).to.deep.equal(['cancelled', 'running', 'pending']);
      w.restart();
      w.do(step([answer()]));
      expect(
        [...w.state.runs.values()].map((live) => live.reads.length),
        'read by one run',
      ).to.deep.equal([1]);
    });
    it('is asked after every command: wake_on_message set later wakes for what is there', () => {
      given({}, receive())
        .when(patches(awake))
        .then((w) => {
          expect(w.run().triggeredBy).to.equal('message');
        });
    });
    it(`wakes ${bounds.maxWakes} times at most, then waits to be read`, () => {
      given(awake, receive(), stepFails(), stepFails())
        .then((w) => {
          expect(w.runs).to.have.length(3);
        })
        .when(stepFails())
        .then((w) => {
          expect(w.runs.map((r) => r.status)).to.deep.equal(['failed', 'failed', 'failed']);
          expect(w.docs.all('message')[0]).to.include({ wakes: 3, read_at: null });
        })
        .when(receive('another'), step([answer()]))
        .then((w) => {
          expect(w.state.agent.unread).to.equal(0);
        });
    });
    it(`past ${bounds.maxHops} hops it wakes nobody`, () => {
      given(awake)
        .when(receive('x', { hops: bounds.maxHops + 1 }))
        .then((w) => {
          expect(w.runs).to.deep.equal([]);
        })
        .when(receive('x', { hops: bounds.maxHops }))
        .then((w) => {
          expect(w.run().hops).to.equal(bounds.maxHops);
        });
    });
    it('one that may wake is not held up by more than memory holds that may not', () => {
      const w = new AgentWorld(awake);
      for (let i = 0; i < bounds.unreadInMemory + 3; i++) w.do(receive(`${i}`, { hops: bounds.maxHops + 1 }));
      expect(w.runs).to.deep.equal([]);
      w.do(receive('please'));
      expect(w.run()).to.include({ status: 'running', input: 'please' });
      expect(w.state.unread).to.have.length(bounds.unreadInMemory);
    });
  });

  describe('a run reads what woke it', () => {
    const exhaust = (w: AgentWorld, n: number): void => {
      for (let i = 0; i < n; i++) {
        w.do(receive(`old ${i}`));
        for (let wakes = 0; wakes < bounds.maxWakes; wakes++) w.do(stepFails());
      }
    };
    it(`however many older messages than the ${bounds.unreadPerStep} of a step have used up their wakes`, () => {
      const w = new AgentWorld(awake);
      exhaust(w, bounds.unreadPerStep + 5);
      w.do(receive('please'));
      const { record, reads } = w.running;
      expect(record.input).to.equal('please');
      expect(reads).to.have.length(bounds.unreadPerStep);
      expect(reads.at(-1)).to.equal(record.messageId);
      w.do(step([answer()]));
      expect(w.runs.filter((r) => r.input === 'please')).to.have.length(1);
    });
  });

  describe('more than memory holds', () => {
    it('one that may wake and is in the store alone is asked for when those in memory are used up', () => {
      const w = new AgentWorld(awake);
      for (let i = 0; i < bounds.unreadInMemory - 1; i++) w.do(receive(`${i}`, { hops: bounds.maxHops + 1 }));
      for (const content of ['first', 'second', 'third']) w.do(receive(content));
      for (let wakes = 0; wakes < bounds.maxWakes; wakes++) w.do(stepFails());
      expect(w.effects('refill')).to.have.length(1);
      expect(hasWork(w.state), 'a process that ends now leaves it to the next').to.equal(true);
      const second = w.docs.unread().find((m) => m.content === 'second');
      w.do({ type: 'refill', messages: [second!], moreMayWake: true });
      expect(w.run(-1)).to.include({ status: 'running', input: 'second' });
    });
    it('Mailbox.B5: also while other runs go on', () => {
      const w = new AgentWorld(awake);
      for (let i = 0; i < bounds.unreadInMemory - 1; i++) w.do(receive(`${i}`, { hops: bounds.maxHops + 1 }));
      for (const content of ['first', 'second', 'third']) w.do(receive(content));
      for (const c of [start(), cancel(0), cancel(2), cancel(3)]) w.do(c);
      expect(w.effects('refill')).to.have.length(1);
      w.do(start('comes between'));
      w.do({ type: 'refill', messages: [w.docs.unread().find((m) => m.content === 'second')!], moreMayWake: true });
      expect(w.run(-1)).to.include({ status: 'running', input: 'second' });
    });
    it('where none of them may wake, it is not asked again', () => {
      const w = new AgentWorld(awake);
      for (let i = 0; i < bounds.unreadInMemory - 1; i++) w.do(receive(`${i}`, { hops: bounds.maxHops + 1 }));
      for (const content of ['first', 'second']) w.do(receive(content));
      for (let wakes = 0; wakes < bounds.maxWakes; wakes++) w.do(stepFails());
      w.do({ type: 'refill', messages: [], moreMayWake: false });
      expect(w.effects('refill')).to.deep.equal([]);
      expect(hasWork(w.state)).to.equal(false);
    });
    const many = (): AgentWorld => {
      const w = new AgentWorld();
      for (let i = 0; i < bounds.unreadInMemory + 6; i++) w.do(receive(`${i}`));
      return w;
    };
    it('the oldest are kept, the count is of all', () => {
      const w = many();
      expect(w.state.unread.map((m) => m.content)).to.deep.equal(
        Array.from({ length: bounds.unreadInMemory }, (_, i) => `${i}`),
      );
      expect(w.state.agent.unread).to.equal(bounds.unreadInMemory + 6);
    });
    it('after a read the rest is asked for, and taken in once, in order', () => {
      const w = many();
      for (const c of [start(), work()]) w.do(c);
      expect(w.effects('refill')).to.deep.equal([{ type: 'refill' }]);
      w.do(receive('newest'));
      const messages = w.docs.unread().slice(0, bounds.unreadInMemory);
      w.do({ type: 'refill', messages, moreMayWake: false });
      w.do({ type: 'refill', messages, moreMayWake: false });
      expect(w.state.unread).to.deep.equal(w.docs.unread());
      expect(w.last.puts).to.deep.equal([]);
      w.do(work());
      expect(w.effects('refill'), 'all is there').to.deep.equal([]);
    });
    it('is asked for after a restart too', () => {
      const w = many();
      w.restart();
      expect(w.effects('refill')).to.have.length(1);
    });
  });
});

describe('domain: outbox', () => {
  it("a message to send is a document of the step's commit, with one hop more and what it replies to", () => {
    given(awake, receive('hi', { hops: 4, budget: 10 }))
      .when(step([send('hello')]))
      .then((w) => {
        const [item] = w.docs.all('outbox');
        expect(item).to.include({
          kind: 'message',
          to: 'agent_2',
          content: 'hello',
          from: 'agent_1',
          hops: 5,
          reply_to: w.docs.all('message')[0]!.id,
          type: null,
        });
        expect(item?.id).to.match(/^msg_/);
        expect(w.running.transcript[0]?.[0]).to.include({ ok: true, result: 'sent to Bob' });
      });
  });
  it('a share has the id of the memory that it becomes; its hive is noted', () => {
    given({ hives: ['hive_1'] }, start())
      .when(step([share('known'), share('known too')]))
      .then((w) => {
        expect(w.docs.posts().map((o) => [o.kind, o.to, o.type, o.id.slice(0, 4)])).to.deep.equal([
          ['share', 'hive_1', 'semantic', 'mem_'],
          ['share', 'hive_1', 'semantic', 'mem_'],
        ]);
        expect(w.state.agent.sharedWith).to.deep.equal(['hive_1']);
      });
  });
  it('delivered, it is gone', () => {
    given({}, start(), step([send('x')]))
      .when((w) => ({
        type: 'delivered',
        outboxId: w.docs.all('outbox')[0]!.id,
        bytes: sizeOf(w.docs.all('outbox')[0]),
      }))
      .then((w) => {
        expect(w.docs.all('outbox')).to.deep.equal([]);
      });
  });
  it('undelivered, it comes back as a message that wakes nobody', () => {
    given(awake, start(), step([send('x'.repeat(2000)), answer()]))
      .when((w) => ({
        type: 'undelivered',
        outboxId: w.docs.all('outbox')[0]!.id,
        bytes: sizeOf(w.docs.all('outbox')[0]),
        to: 'agent_2',
        content: 'x'.repeat(2000),
        reason: 'agent agent_2 is inactive',
      }))
      .then((w) => {
        expect(w.docs.all('outbox')).to.deep.equal([]);
        expect(w.docs.all('message')[0]).to.deep.include({
          from: null,
          content: 'could not be delivered to agent_2: agent agent_2 is inactive',
          metadata: { undelivered: { to: 'agent_2', content: 'x'.repeat(1000) } },
          hops: bounds.maxHops + 1,
        });
        expect(w.runs).to.have.length(1);
      });
  });
  for (const [what, call, result] of [
    ['to nobody', send('x', null, 'there is no agent "Eve"'), 'there is no agent "Eve"'],
    ['without content', send(' '), 'the content is empty'],
    ['of too much', send('é'.repeat(128 * 1024 + 1)), 'the content is longer than 262144 bytes'],
    ['to no hive', share('x', null, 'the agent is in no hive'), 'the agent is in no hive'],
    ['of too much knowledge', share('é'.repeat(32 * 1024 + 1)), 'the content is longer than 65536 bytes'],
  ] as const) {
    it(`${what}: the reasoner is told, and the run goes on`, () => {
      given({ hives: ['hive_1'] }, start())
        .when(step([call]))
        .then((w) => {
          expect(w.running.transcript[0]?.[0]).to.include({ ok: false, result });
          expect(w.docs.all('outbox')).to.deep.equal([]);
          expect(w.state.agent.sharedWith).to.deep.equal([]);
        });
    });
  }
  it(`holds ${bounds.outbox}; then the tool call fails`, () => {
    const w = new AgentWorld();
    w.do(start());
    w.do(step(Array.from({ length: bounds.outbox + 1 }, () => send('x'))));
    expect(w.running.transcript[0]?.at(-2)?.ok).to.equal(true);
    expect(w.running.transcript[0]?.at(-1)).to.include({
      ok: false,
      result: `${bounds.outbox} messages wait for delivery already`,
    });
    expect(w.docs.all('outbox')).to.have.length(bounds.outbox);
  });
});
