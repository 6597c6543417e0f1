/** Commands: each has a name of its own, and rows of REST name the ids of what their commands are for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { changes, commands } from '../../../src/commands/index.js';
import { projectRoot } from '../../helpers/server.js';
import { routes } from '../../../gateway/rest/routes.js';

describe('Commands', () => {
  it('no two have one name, by which changes go to other processes', () => {
    const names = commands.map(({ name }) => name);
    expect([...new Set(names)]).to.deep.equal(names);
    for (const command of commands) if (command.kind === 'change') expect(changes.get(command.name)).to.equal(command);
  });

  it('a change decides, creates its entity or removes it', () => {
    for (const { name, decide, create, removes } of changes.values())
      expect([decide !== null, create !== null, removes].filter(Boolean), name).to.have.length(1);
  });

  it('all changes are exported, because other processes find them here', () => {
    const folder = join(projectRoot, 'src/commands');
    const hidden = readdirSync(folder).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^const (\w+) = (change|part|internalChange)\(/gm)].map(
        ([, name]) => name,
      ),
    );
    expect(hidden).to.deep.equal([]);
  });

  it('the path of a row has the ids that its command names, and no others', () => {
    const rows = routes.flatMap(({ operationId, path }) => {
      const command = commands.find(({ name }) => name === operationId);
      return command ? [[path.match(/(?<=:)\w+/g) ?? [], command.target] as const] : [];
    });
    expect(rows).not.to.have.length(0);
    for (const [inPath, named] of rows) expect(inPath).to.have.members(named);
  });

  it('every command that clients ask for has a row, or is asked for over A2A and MCP alone', () => {
    const served = new Set(routes.map(({ operationId }) => operationId));
    expect(
      commands.filter(({ name, result, summary }) => summary !== '' && result !== null && !served.has(name)),
    ).to.deep.equal([]);
    expect(commands.filter(({ name, result }) => result === null && served.has(name))).to.deep.equal([]);
  });
});
