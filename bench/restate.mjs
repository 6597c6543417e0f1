/**
 * What a call of one virtual object of Restate costs that awaits the answer of another, durable, on this machine: the
 * counterpart of questions.bench.ts. The packages are no dependencies of the project:
 *
 *   mkdir /tmp/restate && cd /tmp/restate && npm install @restatedev/restate-server@1.7 @restatedev/restate-sdk
 *   RESTATE_LOGGING=ERROR node bench/restate.mjs /tmp/restate
 *
 * It starts the server on a folder of its own, as it comes, and ends it. It prints calls a second, 64 at a time, and how
 * long one takes alone (p50), of calls that ask another object and of calls that only answer.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The SDK needs it of Node 22. */
Promise.withResolvers ??= function withResolvers() {
  const made = {};
  made.promise = new Promise((yes, no) => Object.assign(made, { resolve: yes, reject: no }));
  return made;
};

const folder = process.argv[2];
if (folder === undefined)
  throw new Error('usage: node bench/restate.mjs FOLDER, which has the packages (see the file)');
const from = createRequire(join(resolve(folder), 'package.json'));
const restate = await import(pathToFileURL(from.resolve('@restatedev/restate-sdk')).href);

const total = 2_000;
const agents = 50;
const rounds = 3;
const [ingress, admin, service] = [18080, 19070, 19080];

const answerer = restate.object({ name: 'answerer', handlers: { answer: async () => 'well' } });
const lead = restate.object({
  name: 'lead',
  handlers: {
    say: async () => 'well',
    ask: async (ctx, key) => ctx.objectClient({ name: 'answerer' }, key).answer('how are you?'),
  },
});
await restate.serve({ services: [answerer, lead], port: service });

const base = mkdtempSync(join(tmpdir(), 'restate-'));
const server = spawn(join(resolve(folder), 'node_modules/.bin/restate-server'), ['--base-dir', base], {
  env: {
    ...process.env,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_BIND_ADDRESS: '127.0.0.1:15122',
    RESTATE_LOG_FILTER: 'warn',
    DO_NOT_TRACK: '1',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});

const post = async (url, body) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return text;
};

/** Registers the services when the server is there. */
async function ready() {
  for (let tries = 0; ; tries++)
    try {
      return await post(`http://127.0.0.1:${admin}/deployments`, { uri: `http://127.0.0.1:${service}` });
    } catch (error) {
      if (tries > 150) throw error;
      await new Promise((done) => setTimeout(done, 200));
    }
}

const call = (word) => (i) =>
  post(`http://127.0.0.1:${ingress}/lead/agent-${i % agents}/${word}`, `agent-${(i * 7 + 1) % agents}`);

async function rate(n, atOnce, send) {
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < n) await send(next++);
    }),
  );
  return (n / (performance.now() - began)) * 1000;
}
const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

try {
  await ready();
  const rates = { say: [], ask: [] };
  const alone = { say: [], ask: [] };
  for (let round = 0; round <= rounds; round++)
    for (const word of ['say', 'ask']) {
      const figure = await rate(total, 64, call(word));
      for (let i = 0; i < 200; i++) {
        const began = performance.now();
        await call(word)(i);
        if (round > 0) alone[word].push(performance.now() - began);
      }
      if (round > 0) rates[word].push(figure);
    }
  for (const word of ['ask', 'say'])
    process.stdout.write(
      `${word}: ${Math.round(middle(rates[word]))} calls/s, alone ${middle(alone[word]).toFixed(2)} ms (p50)\n`,
    );
} finally {
  server.kill('SIGKILL');
  rmSync(base, { recursive: true, force: true });
}
process.exit(0);
