/** What deploy/ and docs/ ask of Prometheus is what the service tells it (docs/operations.md 4). */
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMetrics } from '../../../src/telemetry/metrics.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const dashboardFile = 'deploy/grafana/hivekeep.json';

/** Every name that a scrape can have, with the suffixes that a histogram adds. */
async function metricNames(): Promise<ReadonlySet<string>> {
  const metrics = createMetrics();
  const nothing = new Proxy({}, { get: () => 0 });
  metrics.observeActors(() => nothing as never);
  metrics.observeCluster(() => nothing as never);
  const types = [...(await metrics.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const gauges = ['gateway/main/start-server.ts', 'gateway/main/clustered-backend.ts'].flatMap((file) =>
    [...read(file).matchAll(/observeGauge\(\s*'(\w+)'/g)].map(([, name = '']) => name),
  );
  return new Set([
    ...types.flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
    ),
    ...gauges,
  ]);
}

describe('dashboards and alerts', () => {
  for (const file of [dashboardFile, 'deploy/prometheus/rules.yaml', 'deploy/prometheus/rules.test.yaml'])
    it(`${file} asks for metrics that the service has`, async () => {
      const known = await metricNames();
      const asked = new Set(read(file).match(/\b(?:hivekeep|process|nodejs)_[a-z0-9_]+/g));
      expect(asked.size).to.be.greaterThan(4);
      expect([...asked].filter((name) => !known.has(name))).to.deep.equal([]);
    });

  it('the dashboard is what scripts/write-dashboard.js writes', async () => {
    const script = (await import(new URL('../../../scripts/write-dashboard.js', import.meta.url).href)) as {
      text(): string;
    };
    expect(read(dashboardFile)).to.equal(script.text());
  });

  it('every alert is explained in docs/operations.md', () => {
    const alerts = [...read('deploy/prometheus/rules.yaml').matchAll(/alert: (\w+)/g)].map(([, name = '']) => name);
    const explained = [...read('docs/operations.md').matchAll(/^\| `(Hivekeep\w+)`/gm)].map(([, name]) => name);
    expect(explained).to.have.members(alerts);
  });
});
