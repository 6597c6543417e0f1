/**
 * Answers and frames, written out: states (docs/api.md 3.1), tasks (docs/api.md 2.8), frames (docs/api.md 2.9), errors
 * (docs/api.md 7.2; A2A 1.0, 9.5).
 */
import { expect } from 'chai';
import { codecFor } from '../../../src/a2a/codecs.js';
import { pushBody } from '../../../src/a2a/push-body.js';
import { rpcErrorObject, RpcError, rpcErrors, type RpcReason } from '../../../src/a2a/rpc.js';
import { isTerminal, type RunEvent } from '../../../src/domain/model/model.js';
import { runStatuses, type RunStatus } from '../../../src/domain/shared/vocabulary.js';
import { a2aVersions, type PushConfig, type Task, type TaskMessage } from '../../../src/domain/task/task.js';

const slash = codecFor('slash', '0.3');
const proto = codecFor('pascal', '1.0');
const at = '2026-11-21T12:00:00.000Z';
const ids = { taskId: 'run_1', contextId: 'agent_1' };
const asked = (n: number): TaskMessage => ({
  messageId: `m${n}`,
  role: 'user',
  parts: [{ kind: 'text', text: `q${n}` }],
});
const done: Task = {
  id: 'run_1',
  agent_id: 'agent_1',
  status: 'completed',
  statusAt: at,
  statusSeq: 4,
  statusMessage: null,
  output: [{ kind: 'text', text: 'here' }],
  history: [asked(1), asked(2), asked(3)],
  lastSeq: 4,
};
const paused: Task = { ...done, status: 'paused', statusMessage: 'Which one?', output: null, history: null };

const states: Readonly<Record<RunStatus, readonly [string, string]>> = {
  pending: ['submitted', 'TASK_STATE_SUBMITTED'],
  running: ['working', 'TASK_STATE_WORKING'],
  paused: ['input-required', 'TASK_STATE_INPUT_REQUIRED'],
  completed: ['completed', 'TASK_STATE_COMPLETED'],
  failed: ['failed', 'TASK_STATE_FAILED'],
  timeout: ['failed', 'TASK_STATE_FAILED'],
  cancelled: ['canceled', 'TASK_STATE_CANCELED'],
};

describe('a2a: tasks as they are answered', () => {
  it('0.2 and 0.3', () => {
    const said = (n: number) => ({
      kind: 'message',
      role: 'user',
      messageId: `m${n}`,
      parts: [{ kind: 'text', text: `q${n}` }],
      taskId: 'run_1',
      contextId: 'agent_1',
    });
    const bare = { kind: 'task', id: 'run_1', contextId: 'agent_1', status: { state: 'completed', timestamp: at } };
    const artifacts = [{ artifactId: 'run_1-response', name: 'response', parts: [{ kind: 'text', text: 'here' }] }];
    expect(slash.task(done)).to.deep.equal({ ...bare, artifacts, history: [said(1), said(2), said(3)] });
    expect(slash.sendResult(done, { historyLength: 2 })).to.deep.equal({
      ...bare,
      artifacts,
      history: [said(2), said(3)],
    });
    expect(slash.streamTask(done, { historyLength: 0 })).to.deep.equal({ ...bare, artifacts });
    expect(slash.task(done, { historyLength: 9, artifacts: false })).to.deep.equal({
      ...bare,
      history: [said(1), said(2), said(3)],
    });
    expect(slash.task(paused)).to.deep.equal({
      ...bare,
      status: {
        state: 'input-required',
        timestamp: at,
        message: {
          kind: 'message',
          role: 'agent',
          messageId: 'run_1-4',
          parts: [{ kind: 'text', text: 'Which one?' }],
          taskId: 'run_1',
          contextId: 'agent_1',
        },
      },
    });
  });

  it('1.0', () => {
    const said = (n: number) => ({
      messageId: `m${n}`,
      contextId: 'agent_1',
      taskId: 'run_1',
      role: 'ROLE_USER',
      parts: [{ text: `q${n}` }],
    });
    const bare = { id: 'run_1', contextId: 'agent_1', status: { state: 'TASK_STATE_COMPLETED', timestamp: at } };
    const artifacts = [{ artifactId: 'run_1-response', name: 'response', parts: [{ text: 'here' }] }];
    expect(proto.task(done, { historyLength: 1 })).to.deep.equal({ ...bare, artifacts, history: [said(3)] });
    expect(proto.sendResult(done, { historyLength: 0 })).to.deep.equal({ task: { ...bare, artifacts } });
    expect(proto.streamTask({ ...done, history: null })).to.deep.equal({ task: { ...bare, artifacts } });
    expect(proto.task(paused)).to.deep.equal({
      ...bare,
      status: {
        state: 'TASK_STATE_INPUT_REQUIRED',
        timestamp: at,
        message: {
          messageId: 'run_1-4',
          contextId: 'agent_1',
          taskId: 'run_1',
          role: 'ROLE_AGENT',
          parts: [{ text: 'Which one?' }],
        },
      },
    });
    expect(
      proto.listResult(
        { tasks: [done], nextPageToken: '', pageSize: 50, totalSize: 1 },
        { historyLength: 0, artifacts: false },
      ),
    ).to.deep.equal({ tasks: [bare], nextPageToken: '', pageSize: 50, totalSize: 1 });
  });

  it('every status has its state, in tasks and frames', () => {
    for (const status of runStatuses) {
      const event: RunEvent = { seq: 1, at, type: 'status', status, stopReason: null, message: null };
      expect(slash.task({ ...done, status }), status).to.have.nested.property('status.state', states[status][0]);
      expect(proto.task({ ...done, status }), status).to.have.nested.property('status.state', states[status][1]);
      expect(slash.frame(event, ids, isTerminal(status))).to.deep.equal({
        kind: 'status-update',
        ...ids,
        status: { state: states[status][0], timestamp: at },
        final: isTerminal(status),
      });
      expect(proto.frame(event, ids, isTerminal(status))).to.deep.equal({
        statusUpdate: { ...ids, status: { state: states[status][1], timestamp: at } },
      });
    }
  });

  it('a failed task says that it failed, and nothing of the inside', () => {
    const inside = 'cannot reach the model server at http://10.0.0.7:11434/v1 (ECONNREFUSED)';
    const failed = { ...done, status: 'failed' as const, statusMessage: inside };
    const event: RunEvent = { seq: 1, at, type: 'status', status: 'failed', stopReason: null, message: inside };
    for (const codec of [slash, proto])
      for (const told of [codec.task(failed), codec.frame(event, ids, true), codec.sendResult(failed, {})]) {
        expect(JSON.stringify(told)).not.to.contain('10.0.0.7');
        expect(JSON.stringify(told)).to.contain('could not finish this task');
      }
  });

  it('frames of thoughts, answers and statuses that say something', () => {
    const thought: RunEvent = {
      seq: 2,
      at,
      type: 'thought',
      thought: {
        id: 'thought_1',
        thoughtType: 'recall',
        content: 'hm',
        runId: 'run_1',
        sessionId: 's',
        agent_id: 'agent_1',
        step: 1,
        created_at: at,
      },
    };
    expect(slash.frame(thought, ids, false)).to.deep.equal({
      kind: 'status-update',
      ...ids,
      final: false,
      status: {
        state: 'working',
        timestamp: at,
        message: {
          kind: 'message',
          role: 'agent',
          messageId: 'thought_1',
          parts: [{ kind: 'text', text: 'hm' }],
          taskId: 'run_1',
          contextId: 'agent_1',
        },
      },
    });
    expect(proto.frame(thought, ids, false)).to.deep.equal({
      statusUpdate: {
        ...ids,
        status: {
          state: 'TASK_STATE_WORKING',
          timestamp: at,
          message: {
            messageId: 'thought_1',
            contextId: 'agent_1',
            taskId: 'run_1',
            role: 'ROLE_AGENT',
            parts: [{ text: 'hm' }],
          },
        },
      },
    });

    const answer: RunEvent = { seq: 3, at, type: 'answer', content: 'here' };
    expect(slash.frame(answer, ids, false)).to.deep.equal({
      kind: 'artifact-update',
      ...ids,
      artifact: { artifactId: 'run_1-response', name: 'response', parts: [{ kind: 'text', text: 'here' }] },
      append: false,
      lastChunk: true,
    });
    const richer: RunEvent = {
      ...answer,
      parts: [
        { kind: 'file', uri: 'https://h/a', filename: 'a', mediaType: 'image/png' },
        { kind: 'data', data: 5, metadata: { k: 1 } },
      ],
    };
    expect(proto.frame(richer, ids, false)).to.deep.equal({
      artifactUpdate: {
        ...ids,
        artifact: {
          artifactId: 'run_1-response',
          name: 'response',
          parts: [
            { url: 'https://h/a', filename: 'a', mediaType: 'image/png' },
            { data: 5, metadata: { k: 1 } },
          ],
        },
        append: false,
        lastChunk: true,
      },
    });
    expect(slash.frame(richer, ids, false))
      .to.have.nested.property('artifact.parts')
      .that.deep.equals([
        { kind: 'file', file: { uri: 'https://h/a', name: 'a', mimeType: 'image/png' } },
        { kind: 'data', data: { value: 5 }, metadata: { k: 1, data_part_compat: true } },
      ]);

    // the same id as in the task, so that a client can tell that it has the question already
    const asks: RunEvent = { seq: 4, at, type: 'status', status: 'paused', stopReason: null, message: 'Which one?' };
    expect(slash.frame(asks, ids, true)).to.deep.include({
      status: (slash.task(paused) as { status: unknown }).status,
      final: true,
    });
    expect((proto.frame(asks, ids, true) as { statusUpdate: { status: unknown } }).statusUpdate.status).to.deep.equal(
      (proto.task(paused) as { status: unknown }).status,
    );
  });

  it('a push is the task as it is, in the form of the version, with its artifact and without history', () => {
    const { history: _, ...old } = slash.task(done) as Record<string, unknown>;
    const { history: __, ...now } = proto.task(done) as Record<string, unknown>;
    expect(pushBody('0.2', done)).to.deep.equal({ contentType: 'application/json', body: JSON.stringify(old) });
    expect(pushBody('1.0', done)).to.deep.equal({
      contentType: 'application/a2a+json',
      body: JSON.stringify({ task: now }),
    });
  });
});

describe('a2a: push configs as they are answered', () => {
  const config: PushConfig = {
    id: 'p',
    url: 'https://h/',
    token: 't',
    authentication: { schemes: ['Bearer', 'Basic'], credentials: 'c' },
    version: '0.3',
  };
  const nested = {
    taskId: 'run_1',
    pushNotificationConfig: {
      id: 'p',
      url: 'https://h/',
      token: 't',
      authentication: { schemes: ['Bearer', 'Basic'], credentials: 'c' },
    },
  };
  const flat = {
    taskId: 'run_1',
    id: 'p',
    url: 'https://h/',
    token: 't',
    authentication: { scheme: 'Bearer', credentials: 'c' },
  };

  it('whatever the version under which they came', () => {
    expect(slash.pushConfig('run_1', config)).to.deep.equal(nested);
    expect(proto.pushConfig('run_1', config)).to.deep.equal(flat);
    expect(slash.pushList('run_1', [config], '')).to.deep.equal([nested]);
    expect(proto.pushList('run_1', [config], '')).to.deep.equal({ configs: [flat], nextPageToken: '' });
    expect([slash.pushDeleted, proto.pushDeleted]).to.deep.equal([null, {}]);
  });

  it('authentication without a scheme is nothing that 1.0 could say', () => {
    expect(
      proto.pushConfig('run_1', { id: 'p', url: 'https://h/', authentication: { schemes: [] }, version: '0.2' }),
    ).to.deep.equal({ taskId: 'run_1', id: 'p', url: 'https://h/' });
  });
});

describe('a2a: errors', () => {
  const codes: Readonly<Record<RpcReason, number>> = {
    PARSE_ERROR: -32700,
    INVALID_REQUEST: -32600,
    METHOD_NOT_FOUND: -32601,
    INVALID_PARAMS: -32602,
    INTERNAL_ERROR: -32603,
    TASK_NOT_FOUND: -32001,
    TASK_NOT_CANCELABLE: -32002,
    UNSUPPORTED_OPERATION: -32004,
    CONTENT_TYPE_NOT_SUPPORTED: -32005,
    VERSION_NOT_SUPPORTED: -32009,
    QUOTA_EXCEEDED: -32050,
    AGENT_BUSY: -32051,
  };
  const reasons = Object.keys(codes) as RpcReason[];

  for (const reason of reasons) {
    it(`${reason} is ${codes[reason]} in every version; 1.0 explains it where it is A2A's own`, () => {
      const error = new RpcError(reason, 'why');
      const message = `${rpcErrors[reason].title}: why`;
      for (const version of a2aVersions)
        expect(rpcErrorObject(version, error)).to.include({ code: codes[reason], message });
      expect(rpcErrorObject('0.2', error)).to.not.have.property('data');
      expect(rpcErrorObject('0.3', error)).to.not.have.property('data');
      const own = codes[reason] > -32010;
      expect(rpcErrorObject('1.0', error).data).to.deep.equal(
        own ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' }] : undefined,
      );
    });
  }

  it('1.0 names the fields that are to blame', () => {
    const error = new RpcError('INVALID_PARAMS', 'id is required (a string)', {
      violations: [{ path: 'id', message: 'is required (a string)' }],
    });
    expect(rpcErrorObject('1.0', error)).to.deep.equal({
      code: -32602,
      message: 'Invalid parameters: id is required (a string)',
      data: [
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: [{ field: 'id', description: 'is required (a string)' }],
        },
      ],
    });
    expect(rpcErrorObject('0.3', error)).to.deep.equal({
      code: -32602,
      message: 'Invalid parameters: id is required (a string)',
    });
  });

  it('keeps its cause for the log, and says its title where there is no more to say', () => {
    const cause = new Error('disk');
    expect(new RpcError('INTERNAL_ERROR', '', { cause })).to.include({ message: 'Internal error', cause });
  });
});
