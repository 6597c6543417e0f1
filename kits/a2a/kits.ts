/**
 * The official kits (a2aproject/a2a-tck): how to tell which one a folder holds, how it is run, and what it needs around
 * it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProxyRules } from './proxy.js';

export interface Kit {
  name: string;
  /** pytest's arguments, for a service at this origin. */
  command(origin: string): string[];
  /**
   * A kit that polls and streams has a multi-step agent; one that sends and then cancels or goes on needs each answer
   * to be settled.
   */
  multiStep: boolean;
  /** Where the kit's requests are not those of a client that has a token or says its version. */
  proxy: Pick<ProxyRules, 'cardVersion' | 'anonymous'>;
}

const kits: (Kit & { has: string; lacks?: string })[] = [
  {
    name: 'v0.2.5',
    has: 'tests/mandatory',
    lacks: 'tck/transport',
    multiStep: true,
    command: (origin) => ['tests/mandatory', 'tests/optional/capabilities', `--sut-url=${origin}`, '--test-scope=all'],
    proxy: { anonymous: ['test_missing_authentication'] },
  },
  {
    name: '0.3.x',
    has: 'tck/transport/transport_manager.py',
    multiStep: false,
    command: (origin) => [
      'tests/mandatory',
      'tests/optional/capabilities',
      `--sut-url=${origin}`,
      '--test-scope=all',
      '--transports=jsonrpc',
      '-m',
      'mandatory_jsonrpc or mandatory_protocol',
    ],
    proxy: {
      anonymous: [
        'tests/mandatory/authentication/',
        'test_missing_authentication',
        'test_authenticated_extended_card_without_auth',
        'test_extended_agent_card.py',
        'test_extended_card_access_controls',
      ],
    },
  },
  {
    name: '1.0-dev',
    has: 'tests/compatibility',
    multiStep: true,
    // the receiver of pushes listens on IPv4 alone
    command: (origin) => [
      'tests/compatibility',
      `--sut-host=${origin}`,
      '--transport=jsonrpc,http_json',
      '--webhook-host=127.0.0.1',
    ],
    // it checks the card against the strict schema of 1.0, but asks for it without a version
    proxy: { cardVersion: '1.0', anonymous: [] },
  },
];

/** Null where the folder holds none of the three. Branch main has files of each and is run as none of them. */
export const kitIn = (folder: string): Kit | null =>
  isMain(folder)
    ? null
    : (kits.find(
        ({ has, lacks }) => existsSync(join(folder, has)) && !(lacks !== undefined && existsSync(join(folder, lacks))),
      ) ?? null);

function isMain(folder: string): boolean {
  const head = join(folder, '.git', 'HEAD');
  return existsSync(head) && readFileSync(head, 'utf8').trim() === 'ref: refs/heads/main';
}

export const kitNames = kits.map(({ name }) => name);
