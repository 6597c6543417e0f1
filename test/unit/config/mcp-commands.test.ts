/** The file of HIVEKEEP_MCP_COMMANDS: what it gives, and that a mistake in it is a sentence without a value. */
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../../src/config/config.js';
import { mcpCommands } from '../../../src/config/mcp-commands.js';

describe('The commands of MCP servers', () => {
  let dir: string;
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'hivekeep-commands-'));
  });
  after(() => {
    rmSync(dir, { recursive: true });
  });
  const read = (content: unknown): ReturnType<typeof mcpCommands> => {
    const path = join(dir, 'commands.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return mcpCommands({ mcpCommands: path });
  };

  it('are those of the file, or none', () => {
    expect(mcpCommands({ mcpCommands: null }).size).to.equal(0);
    expect([
      ...read({ files: { command: 'npx', args: ['-y', 'x'] }, git: { command: 'git-mcp', workspaces: ['a'] } }),
    ]).to.deep.equal([
      ['files', { command: 'npx', args: ['-y', 'x'], env: {} }],
      ['git', { command: 'git-mcp', args: [], env: {}, workspaces: ['a'] }],
    ]);
  });

  for (const [content, told] of [
    ['{', 'is not JSON.'],
    [{ 'Big Name': { command: 'x' } }, 'Big Name'],
    [{ files: { args: ['s3cr3t'] } }, 'files.command'],
    [{ files: { command: 'x', env: { KEY: ['s3cr3t'] } } }, 'files.env.KEY'],
    [{ files: { command: 'x', shell: 's3cr3t' } }, 'files'],
  ] as const)
    it(`a mistake is told: ${told}`, () => {
      expect(() => read(content))
        .to.throw(ConfigError, told)
        .with.property('message')
        .that.does.not.include('s3cr3t');
    });

  it('a file that is not there is told', () => {
    expect(() => mcpCommands({ mcpCommands: join(dir, 'none') })).to.throw(ConfigError, 'cannot be read (ENOENT).');
  });
});
