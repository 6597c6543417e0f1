/**
 * The agent as an A2A peer and an MCP server: its card, what to paste elsewhere, and an inspector that sends and
 * streams.
 */
import { useRef, useState } from 'preact/hooks';
import { parseEvents } from '../../../../client/src/events.js';
import { path, reach, type Agent } from '../../lib/api.js';
import { base } from '../../lib/router.js';
import { useQuery } from '../../lib/use-query.js';
import { Button, useAction } from '../../ui/button.js';
import { SelectField, TextField } from '../../ui/fields.js';
import { copy, Problem, Skeleton, Snippet } from '../../ui/states.js';

export function A2a({ agent }: { agent: Agent }) {
  const endpoint = `${location.origin}${base}${path`/api/v1/a2a/agents/${agent.id}`}`;
  const card = useQuery(`card ${agent.id}`, async (signal) => {
    const response = await reach('GET', path`/api/v1/a2a/agents/${agent.id}/card`, { signal });
    return (await response.json()) as unknown;
  });
  return (
    <div class="stack">
      <section class="card" aria-label="Address">
        <div class="card-head">
          <h2>Address</h2>
          <Button
            small
            label="Copy the address"
            onClick={() => {
              copy(endpoint);
            }}
          >
            Copy
          </Button>
        </div>
        <code class="break">{endpoint}</code>
        <p class="hint">
          Clients of A2A 0.2, 0.3 and 1.0 talk to it with an API key, or with one of this agent’s tokens.
        </p>
      </section>
      <Inspector endpoint={path`/api/v1/a2a/agents/${agent.id}`} />
      <section class="card" aria-label="Samples">
        <h2>Samples</h2>
        <Samples endpoint={endpoint} />
      </section>
      <section class="card" aria-label="MCP">
        <h2>MCP: for assistants and editors</h2>
        <p class="hint">
          It is an MCP server, too. Mint a token with the scope <code>agent:mcp</code>, and give it to the assistant:
        </p>
        <Snippet text={mcpSettings(agent)} label="Copy the settings" />
      </section>
      <section class="card" aria-label="Card">
        <h2>Card</h2>
        {card.data === null && card.error === null && <Skeleton />}
        <Problem error={card.error} retry={card.reload} />
        {card.data !== null && <Snippet text={JSON.stringify(card.data, null, 2)} label="Copy the card" />}
      </section>
    </div>
  );
}

const mcpSettings = ({ id }: Agent): string => {
  const url = `${location.origin}${base}${path`/mcp/agents/${id}`}`;
  const hivekeep = { type: 'http', url, headers: { Authorization: 'Bearer at_...' } };
  return JSON.stringify({ mcpServers: { hivekeep } }, null, 2);
};

const sample = (text: string, id = 'message-1'): object => ({
  kind: 'message',
  role: 'user',
  messageId: id,
  parts: [{ kind: 'text', text }],
});

function Samples({ endpoint }: { endpoint: string }) {
  const [language, setLanguage] = useState('curl');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: sample('Hello') } });
  const texts: Record<string, string> = {
    curl: `curl ${endpoint} \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '${body}'`,
    typescript: `import { A2AClient } from '@a2a-js/sdk/client';

const token = process.env.TOKEN;
const client = await A2AClient.fromCardUrl('${endpoint}/.well-known/agent-card.json', {
  fetchImpl: (url, init) =>
    fetch(url, { ...init, headers: { ...init?.headers, Authorization: \`Bearer \${token}\` } }),
});
const { result } = await client.sendMessage({ message: ${JSON.stringify(sample('Hello'))} });
console.log(result);`,
    python: `import os, httpx

answer = httpx.post(
    "${endpoint}",
    headers={"Authorization": f"Bearer {os.environ['TOKEN']}"},
    json=${body.replaceAll(':', ': ').replaceAll(',"', ', "').replaceAll('": //', '"://')},
)
print(answer.json()["result"])`,
  };
  return (
    <>
      <SelectField
        label="Language"
        value={language}
        onChange={setLanguage}
        options={[
          ['curl', 'curl'],
          ['typescript', 'TypeScript, with the A2A SDK'],
          ['python', 'Python, with httpx'],
        ]}
      />
      <Snippet text={texts[language] ?? ''} />
    </>
  );
}

function Inspector({ endpoint }: { endpoint: string }) {
  const [text, setText] = useState('');
  const [method, setMethod] = useState('message/stream');
  const [frames, setFrames] = useState<readonly string[]>([]);
  const stop = useRef<AbortController | null>(null);
  const { run, busy, error } = useAction(async () => {
    const controller = new AbortController();
    stop.current = controller;
    setFrames([]);
    const params = { message: sample(text, crypto.randomUUID()) };
    const note = (frame: unknown): void => {
      setFrames((before) => [...before, JSON.stringify(frame, null, 2)]);
    };
    try {
      const response = await reach('POST', endpoint, {
        body: { jsonrpc: '2.0', id: 1, method, params },
        signal: controller.signal,
      });
      if (!(response.headers.get('content-type') ?? '').includes('event-stream')) note(await response.json());
      else for await (const event of parseEvents(response)) note(JSON.parse(event.data));
    } catch (problem) {
      if (!controller.signal.aborted) throw problem;
    }
    return null;
  });
  return (
    <section class="card" aria-label="Inspector">
      <h2>Inspector</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') run();
        }}
      >
        <div class="form-row">
          <TextField label="Text" value={text} onInput={setText} placeholder="When is the launch?" />
          <SelectField
            label="Method"
            value={method}
            onChange={setMethod}
            options={[
              ['message/stream', 'message/stream: frame by frame'],
              ['message/send', 'message/send: the task'],
            ]}
          />
        </div>
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} needs="agent:spawn">
            Send
          </Button>
          {busy && (
            <Button
              onClick={() => {
                stop.current?.abort();
              }}
            >
              Stop reading
            </Button>
          )}
        </div>
      </form>
      <Problem error={error} />
      {frames.length > 0 && (
        <ol class="stack tight" aria-label="Frames" aria-live="polite">
          {frames.map((frame, n) => (
            <li key={n}>
              <pre class="frame-text" tabIndex={0} role="group" aria-label={`Frame ${n + 1}`}>
                {frame}
              </pre>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
