import { useState } from 'preact/hooks';
import { path, request, type Agent, type AgentToken, type Schema } from '../../lib/api.js';
import { useList } from '../../lib/use-query.js';
import { allScopes, MintForm } from '../../ui/mint.js';
import { Button, Confirm, Empty, List, Needs, SecretDialog, Tag, Time } from '../../ui/parts.js';

const tokenScopes = [
  'agent:mcp' as const,
  ...allScopes.filter((scope) => scope !== 'usage:read' && scope !== 'workspace:admin'),
];

export function Tokens({ agent }: { agent: Agent }) {
  const url = path`/v1/agent-constellations/${agent.id}/tokens`;
  return (
    <Needs scope="agent:manage">
      <TokenList agent={agent} url={url} />
    </Needs>
  );
}

function TokenList({ agent, url }: { agent: Agent; url: string }) {
  const list = useList<AgentToken>(url);
  const [secret, setSecret] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<AgentToken | null>(null);
  return (
    <div class="split">
      <section class="card flush" aria-label="Tokens">
        <div class="card-head">
          <h2>Tokens</h2>
          <p>They open the A2A endpoint of {agent.name}, its MCP endpoint with agent:mcp, and nothing else</p>
        </div>
        <List
          list={list}
          noun="tokens"
          empty={
            <Empty icon="key" title="No token yet">
              <p>A peer of another service needs one to talk to {agent.name}. Mint it with the form.</p>
            </Empty>
          }
        >
          {(tokens) => (
            <ul class="items">
              {tokens.map((token) => (
                <li key={token.id}>
                  <div class="row between">
                    <strong>{token.name}</strong>
                    <Button
                      small
                      kind="danger"
                      label={`Revoke ${token.name}`}
                      onClick={() => {
                        setRevoking(token);
                      }}
                    >
                      Revoke
                    </Button>
                  </div>
                  <div class="row">
                    {token.scopes.map((scope) => (
                      <Tag key={scope}>{scope}</Tag>
                    ))}
                  </div>
                  <div class="meta">
                    <code>{token.hint}…</code>
                    <span>
                      made <Time at={token.created_at} />
                    </span>
                    <span>
                      used <Time at={token.last_used_at} />
                    </span>
                    <span>
                      expires <Time at={token.expires_at} />
                    </span>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </List>
      </section>
      <section class="card" aria-label="Mint a token">
        <h2>Mint a token</h2>
        <MintForm
          what="token"
          scopes={tokenScopes}
          usual={['agent:spawn', 'agent:read']}
          mint={async (input) => {
            const minted = await request<Schema<'MintedToken'>>('POST', url, { body: input });
            setSecret(minted.token);
            list.reload();
            return null;
          }}
        />
      </section>
      {secret !== null && (
        <SecretDialog
          title="The new token"
          secret={secret}
          onClose={() => {
            setSecret(null);
          }}
        />
      )}
      {revoking !== null && (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          verb="Revoke"
          act={async () => {
            await request('DELETE', `${url}/${encodeURIComponent(revoking.id)}`);
            list.reload();
            return `${revoking.name} is revoked.`;
          }}
          onClose={() => {
            setRevoking(null);
          }}
        >
          <p>Whoever uses it is refused from now on, and open streams end. This cannot be undone.</p>
        </Confirm>
      )}
    </div>
  );
}
