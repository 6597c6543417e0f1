/** Imports among the files of the product: no file imports, over others, itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../helpers/server.js';

const files = ['src', 'actors', 'gateway'].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
const importsOf = new Map(
  files.map((file) => {
    const text = readFileSync(join(projectRoot, file), 'utf8');
    const imported = [...text.matchAll(/from '(\.[^']+)\.js'/g)].map(([, path]) =>
      normalize(join(file, '..', `${path}.ts`)),
    );
    return [file, imported] as const;
  }),
);

/** A way from the file back to itself; null if there is none. `done` are files from which none leads on. */
function circleFrom(file: string, way: readonly string[], done: Set<string>): readonly string[] | null {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (done.has(file)) return null;
  for (const next of importsOf.get(file) ?? []) {
    const circle = circleFrom(next, [...way, file], done);
    if (circle) return circle;
  }
  done.add(file);
  return null;
}

describe('Imports', () => {
  it('go in no circle, not even for types', () => {
    const done = new Set<string>();
    for (const file of files) expect(circleFrom(file, [], done)).to.equal(null);
  });
});
