import { useState } from 'preact/hooks';
import { path, request, type ApiKey, type Schema } from '../../lib/api.js';
import { session } from '../../lib/session.js';
import { useStore } from '../../lib/store.js';
import { useList } from '../../lib/use-query.js';
import { allScopes, MintForm } from '../../ui/mint.js';
import { Badge, Button, Confirm, Empty, List, SecretDialog, SelectField, Tag, Time } from '../../ui/parts.js';

type Mode = 'live' | 'test';

export function Keys() {
  const list = useList<ApiKey>('/v1/keys');
  const who = useStore(session);
  const own = who.key === null ? undefined : who.me.key?.id;
  const ownMode: Mode = who.key !== null && who.me.mode === 'test' ? 'test' : 'live';
  const [mode, setMode] = useState<Mode>(ownMode);
  const [secret, setSecret] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <div class="split">
      <section class="card flush" aria-label="API keys">
        <List list={list} noun="keys" empty={<Empty icon="key" title="There is no key but yours" />}>
          {(keys) => (
            <ul class="items">
              {keys.map((key) => (
                <li key={key.id}>
                  <div class="row between">
                    <span class="row">
                      <strong>{key.name}</strong>
                      <Badge of={key.mode} />
                      {key.id === own && <Tag>yours</Tag>}
                    </span>
                    <Button
                      small
                      kind="danger"
                      label={`Revoke ${key.name}`}
                      onClick={() => {
                        setRevoking(key);
                      }}
                    >
                      Revoke
                    </Button>
                  </div>
                  <div class="row">
                    {key.scopes.length === allScopes.length ? (
                      <Tag>all scopes</Tag>
                    ) : key.scopes.length === 0 ? (
                      <Tag>no scopes</Tag>
                    ) : (
                      key.scopes.map((scope) => <Tag key={scope}>{scope}</Tag>)
                    )}
                  </div>
                  <div class="meta">
                    <code>{key.hint}…</code>
                    <span>
                      made <Time at={key.created_at} />
                    </span>
                    <span>
                      used <Time at={key.last_used_at} />
                    </span>
                    <span>
                      expires <Time at={key.expires_at} />
                    </span>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </List>
      </section>
      <section class="card" aria-label="Mint a key">
        <h2>Mint a key</h2>
        <SelectField
          label="Works on"
          value={mode}
          onChange={(chosen) => {
            setMode(chosen as Mode);
          }}
          options={[...(ownMode === 'live' ? [['live', 'live data'] as const] : []), ['test', 'the sandbox']]}
        />
        <MintForm
          what="key"
          scopes={allScopes}
          usual={allScopes.filter((scope) => scope !== 'workspace:admin')}
          mint={async (input) => {
            const minted = await request<Schema<'MintedKey'>>('POST', '/v1/keys', { body: { ...input, mode } });
            setSecret(minted.key);
            list.reload();
            return null;
          }}
        />
      </section>
      {secret !== null && (
        <SecretDialog
          title="The new key"
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
            await request('DELETE', path`/v1/keys/${revoking.id}`);
            list.reload();
            return `${revoking.name} is revoked.`;
          }}
          onClose={() => {
            setRevoking(null);
          }}
        >
          <p>
            {revoking.id === own
              ? 'This is the key with which you are signed in: you will be signed out.'
              : 'Whoever uses it is refused from now on, and open streams end.'}{' '}
            This cannot be undone.
          </p>
        </Confirm>
      )}
    </div>
  );
}
