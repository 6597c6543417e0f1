/**
 * What stored texts have in common, for compression.ts: names and usual values of fields in the order in which they are
 * written. Never changed, not by a letter: what was compressed with it could not be read any more. What would be added
 * is another dictionary, with a mark of its own.
 */
const run =
  '{"status":"completed","triggeredBy":"api","sessionId":"sess_01","input":"","maxSteps":10,"maxRuntimeSeconds":300,' +
  '"steps":1,"created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","nextSeq":5,"statusSeq":4,' +
  '"stopReason":"answer","output":"","runtimeMs":1,"messageId":"msg_01","budget":1000,"consulted":[["run_01.input",0.9],' +
  '["run_01.output",0.8],["mem_01",0.7,"semantic"]],"entryId":"ckpt_01","messages":[{"messageId":"","role":"user"}],' +
  '"contextId":"","opens":true,"noted":true,"turns":{"input":"conversation","output":"conversation"}}\n';

const entry =
  '{"runId":"run_01","sessionId":"sess_01","step":1,"firstSeq":1,"events":[{"status":"running"},{"thoughtType":"recall",' +
  '"id":"tht_01","content":"5 memories come to mind, the best with relevance 0.9: ","at":"2026-01-01T00:00:00.000Z"},' +
  '{"thoughtType":"insight","id":"tht_01","content":""},{"thoughtType":"result"},{"answer":null},{"status":"completed",' +
  '"stopReason":"answer"}],"created_at":"","checkpoint":{"calls":[{"tool":"answer","arguments":{"content":""},"ok":true,' +
  '"result":"answered"},{"tool":"remember","arguments":{"content":"","type":"semantic"},"ok":true,"result":"mem_01"}],' +
  '"runtimeMs":1}}';

const memory =
  '{"id":"mem_01","type":"semantic","content":"","agent_id":"agent_01","hive_id":null,"shared_by":null,"sessionId":null,' +
  '"position":null,"importance":null,"occurred_at":"2026-01-01T00:00:00.000Z","speaker":null,"metadata":{},' +
  '"expires_at":null,"created_at":"2026-01-01T00:00:00.000Z","updated_at":"","identity":[""],"source":"run_01",' +
  '"type":"episodic","type":"procedural","vector":{"model":"","of":"","data":""},"superseded_by":"mem_01","chain":"mem_01"}';

const message =
  '{"id":"msg_01","agent_id":"agent_01","from":"agent_01","content":"","reply_to":null,"metadata":{},"hops":1,' +
  '"budget":999,"wakes":0,"read_at":null,"created_at":"2026-01-01T00:00:00.000Z"}';

const head =
  '[false,null,[[[""],["2026-01-01T00:00:00.000Z"]],[[],[]],[["active"],[]]]]\n{"agents":1,"bytes":1,"handled":1,"runs":1,' +
  '"thoughts":1,"checkpoints":1,"memories":1}\n[false,null,false]\n{"id":"agent_01","name":"","description":"",' +
  '"status":"active","config":{},"hives":[],"metadata":{},"wake_on_message":false,"memory_quota":null,' +
  '"maxRuntimeSeconds":null,"created_at":"","updated_at":"","last_active_at":"","lastMs":17,"nextExpiry":null,' +
  '"deleting":false,"running":null,"pending":[],"unread":0,"outbox":0,"pushes":0,"sharedWith":[],"journals":{"after":null,' +
  '"due":17,"again":[]}}';

const others =
  '"status":"failed","status":"cancelled","status":"pending","status":"paused","triggeredBy":"message",' +
  '"triggeredBy":"a2a","error":{"code":"","message":""},"waitingFor":{"question":""},"usage":{"requests":1,' +
  '"inputTokens":1,"outputTokens":1},"forkedFrom":{"runId":"run_01","checkpointId":"ckpt_01","step":1},"started_at":"",' +
  '"ended_at":"","parts":[{"kind":"text","text":""}],"push":[{"url":"https://"}],"restarts":1,"statusAt":"","hops":1,';

/** lmdb-js takes dictionaries whose length is a multiple of 8. */
export const dictionaryText = (others + head + message + memory + entry + run).padStart(2792);
