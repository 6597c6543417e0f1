/**
 * What deploy/ says about hivekeep is so: its settings are accepted, its files are there, its times fit together.
 * Whether the files are what Docker and Kubernetes read is for their own linters (.ci/check-deploy).
 */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configWarnings, loadConfig } from '../../../src/config/config.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifests = readdirSync(join(root, 'deploy/kubernetes')).map((name) => `deploy/kubernetes/${name}`);

/**
 * The settings of a file in YAML, as hivekeep would get them; `${X:-y}` is y, `${X:?...}` is what a person filled in.
 */
function settingsIn(yaml: string, filledIn: Record<string, string> = {}): Record<string, string> {
  const lines = [...yaml.matchAll(/^ +(HIVEKEEP_[A-Z_]+): +(.*)$/gm)];
  return Object.fromEntries(
    lines.map(([, name = '', value = '']) => [
      name,
      value
        .replace(/^"(.*)"$/, '$1')
        .replace(
          /\$\{([A-Z_]+):([-?])([^}]*)\}/g,
          (_, variable: string, kind: string, text: string) => filledIn[variable] ?? (kind === '-' ? text : ''),
        ),
    ]),
  );
}

describe('deploy/', () => {
  it('compose.yaml: gateways and workers start with its settings, without a warning', () => {
    const secrets = {
      MONGODB_PASSWORD: 'a1b2',
      REDIS_PASSWORD: 'c3d4',
      HIVEKEEP_ROOT_KEY: `svc_live_${'0'.repeat(48)}`,
    };
    const all = settingsIn(read('deploy/compose.yaml'), secrets);
    for (const role of ['gateway', 'worker']) {
      const config = loadConfig({ ...all, HIVEKEEP_ROLE: role, HIVEKEEP_HOST: '0.0.0.0' }, false);
      expect(config).to.include({
        role,
        mongodbUrl: 'mongodb://hivekeep:a1b2@mongodb:27017/hivekeep?authSource=admin',
        redisUrl: 'redis://:c3d4@redis:6379',
      });
      expect(configWarnings(config)).to.deep.equal([]);
    }
  });

  it('compose.yaml: .env.example names every variable that it needs', () => {
    const asked = [...read('deploy/compose.yaml').matchAll(/\$\{([A-Z_]+):/g)].map(([, name]) => name);
    const named = [...read('deploy/.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect([...new Set(asked)].sort()).to.deep.equal(named.sort());
  });

  it('kubernetes/: gateways and workers start with its settings, without a warning', () => {
    const all = {
      ...settingsIn(read('deploy/kubernetes/configmap.yaml')),
      ...settingsIn(read('deploy/kubernetes/secret.example.yaml')),
    };
    for (const role of ['gateway', 'worker']) {
      expect(read(`deploy/kubernetes/${role}.yaml`)).to.include(`{ name: HIVEKEEP_ROLE, value: ${role} }`);
      const config = loadConfig({ ...all, HIVEKEEP_ROLE: role, HIVEKEEP_HOST: '0.0.0.0' }, false);
      expect(config).to.include({ role, leaseSeconds: 10 });
      expect(configWarnings(config)).to.deep.equal([]);
    }
  });

  it('helm/: the chart has the settings of kubernetes/, and takes no secret among its values', () => {
    const settings = settingsIn(read('deploy/helm/hivekeep/values.yaml'));
    expect(settings).to.deep.equal(settingsIn(read('deploy/kubernetes/configmap.yaml')));
    const refused = Object.keys(settingsIn(read('deploy/kubernetes/secret.example.yaml')));
    for (const name of refused) expect(read('deploy/helm/hivekeep/values.schema.json')).to.include(`"${name}"`);
  });

  it('kubernetes/: pods get no variables of services, which would be taken for unknown settings', () => {
    expect(() => loadConfig({ HIVEKEEP_PORT_80_TCP: 'tcp://10.0.0.1:80' }, false)).to.throw(
      'HIVEKEEP_PORT_80_TCP is not a setting',
    );
    for (const file of manifests) {
      const deployments = read(file).match(/^kind: Deployment$/gm)?.length ?? 0;
      expect(read(file).match(/^ {6}enableServiceLinks: false$/gm)?.length ?? 0, file).to.equal(deployments);
    }
  });

  it('gives gateways a bounded /tmp to keep imports in, where their root is read-only', () => {
    const compose = read('deploy/compose.yaml');
    expect(compose)
      .to.match(/^ {2}read_only: true$/m)
      .and.match(/^x-gateway: &gateway\n(?: {2}.*\n)*? {2}tmpfs: \["\/tmp:size=\d+[mg],mode=1777"\]$/m);
    const gateway = read('deploy/kubernetes/gateway.yaml');
    expect(gateway)
      .to.include('readOnlyRootFilesystem: true')
      .and.include('{ name: tmp, mountPath: /tmp }')
      .and.match(/- name: tmp\n +emptyDir: \{ sizeLimit: \d+Gi \}/);
  });

  it('gives a stop the time that it may take before it is killed', () => {
    const shutdown = loadConfig(settingsIn(read('deploy/kubernetes/configmap.yaml')), false).shutdownSeconds;
    const cutOff = 5;
    const grace = Number(/^ +stop_grace_period: (\d+)s$/m.exec(read('deploy/compose.yaml'))?.[1]);
    expect(grace).to.be.greaterThan(loadConfig({}, false).shutdownSeconds + cutOff);
    for (const role of ['gateway', 'worker']) {
      const manifest = read(`deploy/kubernetes/${role}.yaml`);
      const pause = Number(/sleep: \{ seconds: (\d+) \}/.exec(manifest)?.[1] ?? 0);
      expect(Number(/terminationGracePeriodSeconds: (\d+)/.exec(manifest)?.[1]), role).to.be.greaterThan(
        pause + shutdown + cutOff,
      );
    }
  });

  it('systemd/: the service starts with its settings, and its stop has time', () => {
    const unit = read('deploy/systemd/hivekeep.service');
    const config = loadConfig(
      Object.fromEntries(
        [...unit.matchAll(/^Environment=(HIVEKEEP_\w+)=(.*)$/gm)].map(([, name = '', value]) => [name, value]),
      ),
      false,
    );
    expect(config).to.include({ dataDir: '/var/lib/hivekeep/data', logFormat: 'json' });
    expect(configWarnings(config)).to.deep.equal([]);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).to.be.greaterThan(config.shutdownSeconds + 5);
    expect(unit)
      .to.match(/^User=hivekeep$/m)
      .and.match(/^StateDirectory=hivekeep$/m)
      .and.match(/^ExecStart=.*\/dist\/gateway\/main\/main\.js serve$/m);
  });

  it('runs as somebody who is not root, on images of a named version', () => {
    expect(read('deploy/Dockerfile')).to.match(/^USER 1000:1000$/m);
    for (const role of ['gateway', 'worker'])
      expect(read(`deploy/kubernetes/${role}.yaml`))
        .to.include('runAsNonRoot: true')
        .and.include('readOnlyRootFilesystem: true')
        .and.include('allowPrivilegeEscalation: false');
    const images = [
      ...read('deploy/compose.yaml').matchAll(/^ +image: (.*)$/gm),
      ...read('deploy/Dockerfile').matchAll(/^FROM (\S+)/gm),
    ].map(([, image = '']) => image);
    expect(images).to.have.length(6);
    for (const image of images) expect(image).to.match(/^[a-z]+:\d/);
  });

  it('Dockerfile: what it copies is there and let through by .dockerignore', () => {
    const ignore = read('.dockerignore').split('\n');
    const copied = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, sources = '']) =>
      sources.split(' '),
    );
    expect(copied).to.include.members(['package.json', 'src', 'actors', 'gateway', 'packages']);
    for (const source of copied) {
      expect(existsSync(join(root, source)), source).to.equal(true);
      expect(ignore, source).to.include(`!${source}`);
    }
    expect(
      ignore
        .filter((line) => line.startsWith('!'))
        .map((line) => line.slice(1))
        .sort(),
    ).to.deep.equal([...new Set(copied)].sort());
  });

  it('Dockerfile: the npm scripts that it runs are those of package.json', () => {
    const { scripts, bin } = JSON.parse(read('package.json')) as {
      scripts: Record<string, string>;
      bin: Record<string, string>;
    };
    for (const [, name = ''] of read('deploy/Dockerfile').matchAll(/npm run (\S+)/g))
      expect(scripts).to.have.property(name);
    expect(read('deploy/Dockerfile')).to.include(`/opt/hivekeep/${bin['hivekeep']}`);
  });

  describe('healthcheck.js', () => {
    let server: Server | undefined;
    afterEach(() => {
      server?.close();
      server = undefined;
    });

    const listening = (status: number): Promise<number> =>
      new Promise((resolve) => {
        server = createServer((req, res) => {
          res.writeHead(req.url === '/livez' ? status : 404).end();
        });
        server.listen(0, '127.0.0.1', () => {
          resolve((server?.address() as AddressInfo).port);
        });
      });
    const healthcheck = (env: Record<string, string>): Promise<number | null> =>
      new Promise((resolve) => {
        spawn(process.execPath, [join(root, 'deploy/healthcheck.js')], {
          env: { ...process.env, ...env },
          stdio: 'ignore',
        }).once('close', resolve);
      });

    it('ends with 0 while /livez answers 200, and with 1 when it answers anything else or nothing', async () => {
      const port = await listening(200);
      expect(await healthcheck({ HIVEKEEP_HOST: '0.0.0.0', HIVEKEEP_PORT: String(port) })).to.equal(0);
      server?.close();
      expect(await healthcheck({ HIVEKEEP_HOST: '127.0.0.1', HIVEKEEP_PORT: String(port) })).to.equal(1);
      expect(await healthcheck({ HIVEKEEP_HOST: '', HIVEKEEP_PORT: String(await listening(503)) })).to.equal(1);
    });
  });
});
