/** What /metrics says of a process that was used: every number that an operator watches, scraped as Prometheus does. */
import { expect } from 'chai';
import { until } from '../api/support/client.js';
import { say } from './support/rpc.js';
import { a2aWorld } from './support/world.js';

describe('metrics of a process that was used', () => {
  const world = a2aWorld({ HIVEKEEP_PUSH_RETRY_SECONDS: '30' });
  const { thinking, think, asking } = world;
  world.hooks();

  async function scrape(): Promise<Map<string, number>> {
    const text = await (await fetch(`${world.api.url}/metrics`)).text();
    return new Map(
      text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    );
  }
  const metric = (name: string, wanted: (value: number) => boolean): Promise<unknown> =>
    until(async () => (await scrape()).get(name) ?? NaN, wanted);

  it('tells the build, the size of the store, refusals, streams, requests to the model, and pushes that wait', async () => {
    const numbers = await scrape();
    expect([...numbers.keys()].join('\n')).to.match(
      /^hivekeep_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\S+"\}$/m,
    );
    await metric('hivekeep_store_bytes', (bytes) => bytes > 10_000);

    await world.api.refused('GET', '/v1/agents/agent_none', undefined, 'NOT_FOUND');
    await metric('hivekeep_refusals_total{code="NOT_FOUND"}', (n) => n >= 1);

    world.receiver().always('/away', 503);
    const rpc = world.rpc(await thinking());
    const stream = await rpc.stream('message/stream', {
      ...say('think about it'),
      configuration: { pushNotificationConfig: { url: world.receiver().url('/away') } },
    });
    await asking();
    await metric('hivekeep_streams_open', (n) => n === 1);
    await think({ text: 'forty-two' });
    await stream.end();
    await metric('hivekeep_streams_open', (n) => n === 0);
    const answered = 'outcome="answered",server="openai",model="slow"';
    await metric(`hivekeep_model_request_duration_seconds_count{${answered}}`, (n) => n >= 1);
    await metric('hivekeep_push_attempts_total{outcome="failed"}', (n) => n >= 1);
    await metric('hivekeep_outbox_documents{kind="pushes"}', (n) => n >= 2);
    await metric('hivekeep_outbox_documents{kind="messages"}', (n) => n === 0);
  });
});
