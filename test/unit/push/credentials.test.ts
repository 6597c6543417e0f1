/** Push credentials at rest (src/push/credentials.ts). */
import { expect } from 'chai';
import type { WebhookPush } from '../../../src/domain/task/push.js';
import type { PushConfig, TaskPush } from '../../../src/domain/task/task.js';
import { createKeyring } from '../../../src/secrets/keyring.js';
import {
  openConfig,
  sealConfig,
  sealCredential,
  sendingSealed,
  withMaskedQuery,
} from '../../../src/push/credentials.js';
import type { Push } from '../../../src/push/port.js';

describe('push credentials', () => {
  const keyring = createKeyring([new Uint8Array(32).fill(1)]);
  const config: PushConfig = {
    id: 'c',
    url: 'https://r.example/x?key=1',
    version: '0.3',
    token: 'tok',
    authentication: { schemes: ['Bearer'], credentials: 'cred' },
  };
  const sealed = sealConfig(keyring, 'agent_1', config);
  const send = async (item: PushConfig, ring = keyring): Promise<PushConfig | Error> => {
    let sent: PushConfig | undefined;
    const push: Push = {
      check: () => Promise.resolve(),
      turn: () => Promise.resolve(() => undefined),
      close: () => Promise.resolve(),
      open: () => Promise.reject(new Error('nothing is called here')),
      deliver: ({ config: given }: TaskPush) => {
        sent = given;
        return Promise.resolve();
      },
    };
    try {
      await sendingSealed(push, ring).deliver(
        { id: 'p', config: item, task: { agent_id: 'agent_1' } as TaskPush['task'] },
        new AbortController().signal,
      );
    } catch (error) {
      return error as Error;
    }
    return sent!;
  };

  it('are sealed as a whole and sent in plain', async () => {
    expect(JSON.stringify(sealed)).not.to.match(/"tok"|"cred"/);
    expect(await send(sealed)).to.deep.equal(config);
  });

  it('do not open for another agent', () => {
    expect(openConfig(keyring, 'agent_2', sealed)).to.equal(null);
  });

  it('of a webhook open for its workspace only; one that is lost is left out beside another', async () => {
    const of = (workspace: string): string => sealCredential(keyring, workspace, `secret of ${workspace}`);
    const sentTo = async (workspace: string, secrets: string[]): Promise<readonly string[] | undefined> => {
      let sent: readonly string[] | undefined;
      const push: Push = {
        check: () => Promise.resolve(),
        turn: () => Promise.resolve(() => undefined),
        close: () => Promise.resolve(),
        open: () => Promise.reject(new Error('nothing is called here')),
        deliver: (item) => {
          if ('event' in item) sent = item.secrets;
          return Promise.resolve();
        },
      };
      const event: WebhookPush['event'] = { id: 'p', type: 'run.completed', timestamp: '', data: {} };
      const item = { id: 'p', workspace, webhook: 'wh_1', config: { url: 'https://r.example/' }, secrets, event };
      await sendingSealed(push, keyring)
        .deliver(item, new AbortController().signal)
        .catch((error: unknown) => error);
      return sent;
    };
    expect(of('w1')).to.not.contain('secret');
    expect(await sentTo('w1', [of('w1')])).to.deep.equal(['secret of w1']);
    expect(await sentTo('w2', [of('w1')])).to.equal(undefined);
    expect(await sentTo('w2', [of('w1'), of('w2')])).to.deep.equal(['secret of w2']);
  });

  for (const [secret, said, shown] of [
    ['Bearer s3cr3t-token', 'you sent "Bearer s3cr3t-token"!', 'you sent "*******************"!'],
    ['Bearer s3cr3t-token', 's3cr3t-token,s3cr3t-tokens3cr3t-tok', '************,************s3cr3t-tok'],
    ['s3cr3t-token', 'Bearer s3cr3t-tokeX s3cr3t-token', 'Bearer s3cr3t-tokeX ************'],
    ['short', 'a short text', 'a short text'],
    ['aaaaaaaaaaab', 'aaaaaaaaaaaaaaaaab', 'aaaaaa************'],
  ] as const)
    for (const size of [1, 7, 100])
      it(`an echo of the secret ${secret} in ${said} is masked, in pieces of ${size}`, async () => {
        async function* body(): AsyncGenerator<Uint8Array> {
          for (let at = 0; at < said.length; at += size)
            yield await Promise.resolve(Buffer.from(said).subarray(at, at + size));
        }
        const push: Push = {
          check: () => Promise.resolve(),
          turn: () => Promise.resolve(() => undefined),
          close: () => Promise.resolve(),
          open: (_agent, request) => {
            expect(request.secret?.value).to.equal(secret);
            return Promise.resolve({ status: 200, headers: {}, body: body() });
          },
          deliver: () => Promise.resolve(),
        };
        const value = sealCredential(keyring, 'agent_1', secret);
        const request = { url: '', headers: {}, maxBytes: 1000, secret: { header: 'Authorization', value } };
        const answer = await sendingSealed(push, keyring).open('agent_1', request, new AbortController().signal);
        const chunks: Uint8Array[] = [];
        for await (const chunk of answer.body) chunks.push(chunk);
        expect(Buffer.concat(chunks).toString()).to.equal(shown);
      });

  it('whose key was lost end their push for good, with the reason', async () => {
    const other = createKeyring([new Uint8Array(32).fill(2)]);
    expect(await send(sealed, other)).to.include({ name: 'PushError', final: true });
  });

  it('have the query of their URL masked, and its fragment', () => {
    expect(withMaskedQuery(config.url)).to.equal('https://r.example/x?***');
    expect(withMaskedQuery('https://r.example/x#k')).to.equal('https://r.example/x?***');
    expect(withMaskedQuery('https://r.example/x')).to.equal('https://r.example/x');
  });
});
