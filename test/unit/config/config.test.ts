import { expect } from 'chai';
import fc from 'fast-check';
import { ConfigError, configWarnings, loadConfig, type Environment } from '../../../src/config/config.js';
import { envName, settings, type Setting } from '../../../src/config/settings.js';

const load = (environment: Environment = {}): ReturnType<typeof loadConfig> => loadConfig(environment, false);

function problemsOf(environment: Environment): readonly string[] {
  try {
    load(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  it('has the defaults of', () => {
    const config = load();
    expect(config).to.include({
      host: '127.0.0.1',
      port: 8420,
      dataDir: './data',
      role: 'all',
      publicUrl: null,
      rootKey: null,
      heartbeatSeconds: 15,
      streamMaxSeconds: 600,
      runMaxSteps: 10,
      runMaxSeconds: 300,
      bodyMaxBytes: 1024 * 1024,
      logLevel: 'info',
      loopback: true,
    });
    expect(config.trustedProxies).to.deep.equal([]);
    expect(config.pushAllow).to.deep.equal([]);
  });

  it('reads what is set', () => {
    const config = load({
      HIVEKEEP_HOST: '0.0.0.0',
      HIVEKEEP_PORT: '0',
      HIVEKEEP_PUBLIC_URL: 'https://hive.example/base/',
      HIVEKEEP_TRUSTED_PROXIES: 'loopback, 10.1.2.3,fd00::/8',
      HIVEKEEP_HEARTBEAT_SECONDS: '0.5',
      HIVEKEEP_PUSH_ALLOW: 'Hooks.Internal:8080, [::1]:9000,127.0.0.1',
      OTHER: 'x',
    });
    expect(config).to.include({
      host: '0.0.0.0',
      port: 0,
      publicUrl: 'https://hive.example/base',
      heartbeatSeconds: 0.5,
      loopback: false,
    });
    expect(config.trustedProxies).to.deep.equal(['127.0.0.0/8', '::1/128', '10.1.2.3', 'fd00::/8']);
    expect(
      load({ HIVEKEEP_CORS_ORIGINS: 'https://app.example, http://localhost:3000,http://[::1]:8080' }).corsOrigins,
    ).to.deep.equal(['https://app.example', 'http://localhost:3000', 'http://[::1]:8080']);
    expect(load({ HIVEKEEP_CORS_ORIGINS: '*' }).corsOrigins).to.deep.equal(['*']);
    expect(config.corsOrigins).to.deep.equal([]);
    expect(config.pushAllow).to.deep.equal(['hooks.internal:8080', '[::1]:9000', '127.0.0.1']);
  });

  it('takes an empty variable as absent', () => {
    expect(load({ HIVEKEEP_PORT: '', HIVEKEEP_ROOT_KEY: '  ' })).to.include({ port: 8420, rootKey: null });
  });

  it('refuses an unknown name and suggests the nearest', () => {
    expect(problemsOf({ HIVEKEEP_HSOT: 'x' })).to.deep.equal([
      'HIVEKEEP_HSOT is not a setting of hivekeep; did you mean HIVEKEEP_HOST?',
    ]);
    expect(problemsOf({ HIVEKEEP_DATADIR: 'x' })[0]).to.include('did you mean HIVEKEEP_DATA_DIR?');
    expect(problemsOf({ HIVEKEEP_XYZZY: 'x' })[0]).to.equal(
      'HIVEKEEP_XYZZY is not a setting of hivekeep; "hivekeep config" lists them.',
    );
  });

  const bad: [string, string, RegExp][] = [
    ['PORT', '65536', /whole number from 0 to 65535/],
    ['PORT', '80x', /whole number/],
    ['PORT', '-1', /whole number/],
    ['HOST', 'two words', /host name/],
    ['HOST', '300.1.1.1', /IP address/],
    ['PUBLIC_URL', 'ftp://x', /http or https/],
    ['PUBLIC_URL', 'https://u:p@x', /without credentials/],
    ['TRUSTED_PROXIES', '10.0.0.0/33', /networks/],
    ['TRUSTED_PROXIES', 'proxy.internal', /networks/],
    ['ROOT_KEY', 'svc_live_short', /32 characters/],
    ['ROOT_KEY', `svc_test_${'a'.repeat(40)}`, /svc_live_/],
    ['ROOT_KEY', `svc_live_${'a b'.repeat(20)}`, /letters/],
    ['HEARTBEAT_SECONDS', '0', /seconds/],
    ['HEARTBEAT_SECONDS', 'NaN', /seconds/],
    ['STREAM_MAX_SECONDS', '601', /600/],
    ['RUN_MAX_STEPS', '101', /100/],
    ['RUN_MAX_SECONDS', '1.5', /whole/],
    ['BODY_MAX_BYTES', '10', /1024/],
    ['LOG_LEVEL', 'loud', /trace, debug, info, warn, error, fatal or silent/],
    ['LOG_FORMAT', 'xml', /json or pretty/],
    ['LEASE_SECONDS', '0.5', /from 1 to 300/],
    ['ROLE', 'workers', /all, gateway or worker/],
    ['PUSH_ALLOW', 'http://x', /host:port/],
    ['ALLOWED_HOSTS', 'https://x', /host:port/],
    ['METRICS_TOKEN', 'short', /16 to 512/],
    ['ADDRESS_CONNECTIONS', '0', /from 1/],
    ['MAX_CONNECTIONS', 'x', /whole number/],
    ['PUSH_ALLOW', 'x:0', /host:port/],
    ...[
      'https://app.example/',
      'https://APP.example',
      'https://app.example:443',
      'app.example',
      'https://*.example',
      '*,https://app.example',
      'https://u@app.example',
      'https://app.example/path',
    ].map((value): [string, string, RegExp] => ['CORS_ORIGINS', value, /origins such as/]),
  ];
  for (const [name, value, expected] of bad) {
    it(`refuses HIVEKEEP_${name}=${value}`, () => {
      const problems = problemsOf({ [`HIVEKEEP_${name}`]: value });
      expect(problems).to.have.length(1);
      expect(problems[0])
        .to.match(new RegExp(`^HIVEKEEP_${name} must .*\\.$`))
        .and.match(expected);
    });
  }

  it('says everything that is wrong at once', () => {
    expect(problemsOf({ HIVEKEEP_PORT: 'x', HIVEKEEP_HSOT: 'y', HIVEKEEP_LOG_LEVEL: 'z' })).to.have.length(3);
  });

  describe('of a cluster', () => {
    const servers = { HIVEKEEP_MONGODB_URL: 'mongodb://u:secret@h/hivekeep', HIVEKEEP_REDIS_URL: 'redis://:secret@h' };

    it('takes both servers, a role and a lease', () => {
      expect(load({ ...servers, HIVEKEEP_ROLE: 'worker', HIVEKEEP_LEASE_SECONDS: '2.5' })).to.include({
        mongodbUrl: 'mongodb://u:secret@h/hivekeep',
        redisUrl: 'redis://:secret@h',
        role: 'worker',
        leaseSeconds: 2.5,
      });
      expect(load()).to.include({ mongodbUrl: null, redisUrl: null, role: 'all', leaseSeconds: 10 });
    });

    it('wants both servers, or none', () => {
      expect(problemsOf({ HIVEKEEP_MONGODB_URL: servers.HIVEKEEP_MONGODB_URL })).to.deep.equal([
        'HIVEKEEP_MONGODB_URL needs HIVEKEEP_REDIS_URL as well.',
      ]);
      expect(problemsOf({ HIVEKEEP_REDIS_URL: 'redis://h' })).to.deep.equal([
        'HIVEKEEP_REDIS_URL needs HIVEKEEP_MONGODB_URL as well.',
      ]);
    });

    it('wants them for a gateway and a worker', () => {
      for (const role of ['gateway', 'worker'])
        expect(problemsOf({ HIVEKEEP_ROLE: role })).to.deep.equal([
          `HIVEKEEP_ROLE=${role} needs HIVEKEEP_MONGODB_URL and HIVEKEEP_REDIS_URL.`,
        ]);
      expect(problemsOf({ HIVEKEEP_ROLE: 'all' })).to.deep.equal([]);
    });

    it('takes as many shards as a cluster may have, and none for the embedded store', () => {
      expect(load({ ...servers, HIVEKEEP_SHARDS: '1024' })).to.include({ shards: 1024 });
      expect(problemsOf({ ...servers, HIVEKEEP_SHARDS: '300' })).to.deep.equal([
        'HIVEKEEP_SHARDS must be 256, 512, 1024, 2048 or 4096.',
      ]);
      expect(problemsOf({ HIVEKEEP_SHARDS: '256' })).to.deep.equal([
        'HIVEKEEP_SHARDS needs HIVEKEEP_MONGODB_URL: the embedded store has no shards.',
      ]);
    });

    it('refuses a data folder beside MongoDB, even the default one where it is spelt out', () => {
      const sentence =
        'HIVEKEEP_DATA_DIR and HIVEKEEP_MONGODB_URL are both set, but data is in one or the other: unset one of them.';
      expect(problemsOf({ ...servers, HIVEKEEP_DATA_DIR: './data' })).to.deep.equal([sentence]);
      expect(problemsOf({ ...servers, HIVEKEEP_DATA_DIR: ' ' })).to.deep.equal([]);
    });

    it('refuses bodies that a document of MongoDB could not hold', () => {
      expect(problemsOf({ ...servers, HIVEKEEP_BODY_MAX_BYTES: '4194305' })).to.deep.equal([
        'HIVEKEEP_BODY_MAX_BYTES must be at most 4194304 with HIVEKEEP_MONGODB_URL.',
      ]);
      expect(problemsOf({ ...servers, HIVEKEEP_BODY_MAX_BYTES: '4194304' })).to.deep.equal([]);
      expect(problemsOf({ HIVEKEEP_BODY_MAX_BYTES: '4194305' })).to.deep.equal([]);
    });

    it('does not warn of where a worker listens: probes need no HTTPS', () => {
      expect(configWarnings(load({ ...servers, HIVEKEEP_HOST: '0.0.0.0', HIVEKEEP_ROLE: 'worker' }))).to.deep.equal([]);
      expect(configWarnings(load({ ...servers, HIVEKEEP_HOST: '0.0.0.0', HIVEKEEP_ROLE: 'gateway' }))).to.have.length(
        1,
      );
    });
  });

  it('wants to know whose tokens open a workspace, and what audience they name', () => {
    const workspace = { HIVEKEEP_OAUTH_WORKSPACE: 'claim:org' };
    expect(problemsOf(workspace)).to.deep.equal([
      'HIVEKEEP_OAUTH_WORKSPACE needs HIVEKEEP_OAUTH_ISSUER as well.',
      'HIVEKEEP_OAUTH_WORKSPACE needs HIVEKEEP_OAUTH_AUDIENCE or HIVEKEEP_PUBLIC_URL as well.',
    ]);
    const issued = { ...workspace, HIVEKEEP_OAUTH_ISSUER: 'https://login.example.com' };
    expect(problemsOf({ ...issued, HIVEKEEP_PUBLIC_URL: 'https://a.example' })).to.deep.equal([]);
    expect(problemsOf({ ...issued, HIVEKEEP_OAUTH_AUDIENCE: 'api://a' })).to.deep.equal([]);
  });

  it('wants certificate and key together', () => {
    expect(problemsOf({ HIVEKEEP_TLS_CERT: 'c.pem' })).to.deep.equal([
      'HIVEKEEP_TLS_CERT needs HIVEKEEP_TLS_KEY as well.',
    ]);
    expect(problemsOf({ HIVEKEEP_TLS_KEY: 'k.pem' })).to.deep.equal([
      'HIVEKEEP_TLS_KEY needs HIVEKEEP_TLS_CERT as well.',
    ]);
  });

  it('never repeats the value of a secret', () => {
    const secret = fc.string({ minLength: 6, maxLength: 40 }).filter((s) => /[^\s]{6}/.test(s));
    const secrets = (Object.entries(settings) as [string, Setting<unknown>][])
      .filter(([, s]) => s.secret)
      .map(([key]) => envName(key));
    expect(secrets).to.include.members(['HIVEKEEP_ROOT_KEY', 'HIVEKEEP_OPENAI_API_KEY', 'HIVEKEEP_MONGODB_URL']);
    fc.assert(
      fc.property(fc.constantFrom(...secrets), secret, (name, value) => {
        const shown = `<<${value}>>`;
        expect(problemsOf({ [name]: shown, HIVEKEEP_PORT: 'x' }).join('\n')).not.to.include(shown);
      }),
    );
  });

  it('cannot be changed', () => {
    const config = load({ HIVEKEEP_TRUSTED_PROXIES: '10.0.0.1' });
    expect(() => {
      (config as { port: number }).port = 1;
    }).to.throw(TypeError);
    expect(() => {
      (config.trustedProxies as string[]).push('::/0');
    }).to.throw(TypeError);
    expect(() => {
      (load().pushAllow as string[]).push('x');
    }).to.throw(TypeError);
    expect(load().pushAllow).to.deep.equal([]);
  });

  it('logs for people on a terminal and JSON elsewhere, unless told', () => {
    expect(loadConfig({}, true).logFormat).to.equal('pretty');
    expect(loadConfig({}, false).logFormat).to.equal('json');
    expect(loadConfig({ HIVEKEEP_LOG_FORMAT: 'json' }, true).logFormat).to.equal('json');
  });

  it('knows which hosts are loopback', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost'])
      expect(load({ HIVEKEEP_HOST: host }).loopback, host).to.equal(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.example.com', 'localhost.example.com'])
      expect(load({ HIVEKEEP_HOST: host }).loopback, host).to.equal(false);
  });

  it('warns of an address on which every request would be refused', () => {
    expect(configWarnings(load({ HIVEKEEP_HOST: '0.0.0.0' }))).to.have.length(1);
    expect(configWarnings(load({ HIVEKEEP_HOST: '0.0.0.0', HIVEKEEP_TRUSTED_PROXIES: '10.0.0.1' }))).to.have.length(0);
    expect(configWarnings(load())).to.have.length(0);
  });
});
