import { useState } from 'preact/hooks';
import { request, type ApiKey, type Schema } from '../../lib/api.js';
import { session } from '../../lib/session.js';
import { useStore } from '../../lib/store.js';
import { useList } from '../../lib/use-query.js';
import { Credentials } from '../../ui/credentials.js';
import { SelectField } from '../../ui/fields.js';
import { Badge, Tag } from '../../ui/labels.js';
import { allScopes } from '../../ui/mint.js';
import { Empty } from '../../ui/states.js';

type Mode = 'live' | 'test';

export function Keys() {
  const list = useList<ApiKey>('/v1/keys');
  const who = useStore(session);
  const own = who.key === null ? undefined : who.me.key?.id;
  const ownMode: Mode = who.key !== null && who.me.mode === 'test' ? 'test' : 'live';
  const [mode, setMode] = useState<Mode>(ownMode);
  return (
    <Credentials
      list={list}
      what="key"
      url="/v1/keys"
      label="API keys"
      empty={<Empty icon="key" title="There is no key but yours" />}
      marks={(key) => (
        <>
          <Badge of={key.mode} />
          {key.id === own && <Tag>yours</Tag>}
        </>
      )}
      warning={(key) =>
        key.id === own
          ? 'This is the key with which you are signed in: you will be signed out.'
          : 'Whoever uses it is refused from now on, and open streams end.'
      }
      scopes={allScopes}
      usual={allScopes.filter((scope) => scope !== 'workspace:admin')}
      mint={async (input) => (await request<Schema<'MintedKey'>>('POST', '/v1/keys', { body: { ...input, mode } })).key}
    >
      <SelectField
        label="Works on"
        value={mode}
        onChange={(chosen) => {
          setMode(chosen as Mode);
        }}
        options={[...(ownMode === 'live' ? [['live', 'live data'] as const] : []), ['test', 'the sandbox']]}
      />
    </Credentials>
  );
}
