/** What must hold once the service has come back and everything that was in progress has ended. */
import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { get, listAll, type Listing, type Target, type Thing } from './client.js';
import type { Agents, Entry, Kind, Load } from './load.js';
import { stepsOfWork } from './model-server.js';

const terminal = new Set<unknown>(['completed', 'failed', 'timeout', 'cancelled']);

/** Everything that an agent has, over HTTP. */
interface Found {
  agent: Thing;
  runs: Listing;
  messages: Listing;
  memories: Listing;
}

export async function check(target: Target, load: Load, agents: Agents): Promise<void> {
  const all: string[] = [agents.workers, agents.talkers, agents.relays, agents.sinks].flat();
  const found = new Map<string, Found>();
  await ended(target, agents);
  for (const id of all) found.set(id, await read(target, id));
  const of = (id: string | null): Found => found.get(id ?? '') as Found;
  const ledger = (...kinds: Kind[]): [string, Entry][] => [...load.ledger].filter(([, e]) => kinds.includes(e.kind));

  // memories: by id, once by content, and counted
  const everywhere = await listAll(target, '/v1/memories');
  for (const [unique, entry] of ledger('memory')) {
    once(
      unique,
      entry,
      everywhere.items.filter((m) => m['content'] === unique),
    );
    if (entry.data)
      expect(await get(target, `/v1/memories/${entry.data.id}`)).to.include({ content: unique, agent_id: entry.agent });
  }
  for (const [id, f] of found)
    expect([f.memories.items.length, f.memories.total], `memories of ${id}`).to.deep.equal([
      f.agent['memory_count'],
      f.agent['memory_count'],
    ]);
  expect((await get(target, '/v1/usage'))['memories'], 'memories of the workspace').to.equal(everywhere.items.length);
  expect(everywhere.total).to.equal(everywhere.items.length);

  // runs and direct messages: once by input, gone to their end, each step counted once
  for (const [unique, entry] of ledger('run', 'message')) {
    const input = entry.kind === 'run' ? `work ${unique}` : `what about ${unique}?`;
    const { runs, memories } = of(entry.agent);
    const same = runs.items.filter((r) => r['input'] === input);
    once(unique, entry, same, entry.kind === 'run' ? 'id' : 'run_id');
    for (const run of same) {
      expect(run, `${input} of ${entry.agent ?? ''}`).to.include({ status: 'completed', stopReason: 'answer' });
      if (entry.kind === 'run')
        expect(
          memories.items.map((m) => m['content']).filter((c) => String(c).startsWith(`${unique} `)),
        ).to.have.members(Array.from({ length: stepsOfWork }, (_, i) => `${unique} step ${i + 1}`));
    }
  }

  // mailboxes: once by content; what was relayed arrived as often as it was taken in
  for (const [unique, entry] of ledger('mail'))
    once(
      unique,
      entry,
      of(entry.agent).messages.items.filter((m) => m['content'] === `mail ${unique}`),
    );
  const tokens = agents.sinks.flatMap((id) => of(id).messages.items.map((m) => String(m['content'])));
  for (const [unique, entry] of ledger('relay')) {
    const taken = of(entry.agent).messages.items.filter((m) => String(m['content']).endsWith(` ${unique}`));
    once(unique, entry, taken);
    expect(
      tokens.filter((t) => t === `token ${unique}`),
      `token ${unique}`,
    ).to.have.length(taken.length);
  }
  for (const f of found.values()) {
    expect(f.messages.total).to.equal(f.messages.items.length);
    expect(f.runs.total).to.equal(f.runs.items.length);
  }
}

/** Acknowledged: there once, under its id. Refused: not there. Not answered: at most once. */
function once(unique: string, entry: Entry, there: readonly Thing[], idField = 'id'): void {
  if (entry.outcome === 'unknown') {
    expect(there.length, `${entry.kind} ${unique}, not answered`).to.be.at.most(1);
    return;
  }
  expect(
    there.map((t) => t.id),
    `${entry.kind} ${unique}, ${entry.outcome}`,
  ).to.deep.equal(entry.data ? [entry.data[idField]] : []);
}

async function read(target: Target, id: string): Promise<Found> {
  const at = `/v1/agent-constellations/${id}`;
  return {
    agent: await get(target, `/v1/agents/${id}`),
    runs: await listAll(target, `${at}/runs`),
    messages: await listAll(target, `${at}/messages`),
    memories: await listAll(target, `/v1/memories?agent_id=${id}`),
  };
}

/**
 * Waits until no run is in progress and no message is under way, for two looks in a row. A message that is to be sent
 * again is in no list meanwhile: each relayed one that an agent has taken in is waited for at its sink. Whether it came
 * once is for the check to say.
 */
async function ended(target: Target, { workers, talkers, relays, sinks }: Agents): Promise<void> {
  const agents = [workers, talkers, relays, sinks].flat();
  let before = '';
  let underWay: string[] = [];
  for (let i = 0; i < 600; i++) {
    const runs = (await Promise.all(agents.map((id) => listAll(target, `/v1/agent-constellations/${id}/runs`)))).map(
      (l) => l.items,
    );
    const messages = await Promise.all(agents.map((id) => listAll(target, `/v1/agent-constellations/${id}/messages`)));
    const now = `${runs.map((r) => r.length).join()} ${messages.map((m) => m.total).join()}`;
    const texts = new Set(messages.flatMap((m) => m.items.map((item) => String(item['content']))));
    underWay = [...texts].filter(
      (text) => /^relay \S+ \S+$/.test(text) && !texts.has(`token ${text.split(' ')[2] ?? ''}`),
    );
    if (runs.flat().every((r) => terminal.has(r['status'])) && now === before && underWay.length === 0) return;
    before = now;
    await pause(150);
  }
  throw new Error(`not at rest after a minute and a half; messages under way: ${underWay.join(', ') || 'none'}`);
}
