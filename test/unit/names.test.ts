/** Names of the product: an export has one meaning, so that whoever searches for a name finds one thing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../helpers/server.js';

const files = ['src', 'actors', 'gateway'].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
const exported = /^export (?:abstract )?(?:async )?(?:const|function\*?|class|interface|type|let) (\w+)/gm;

/** Two adapters of one port, and two versions of one wire, have the same parts under the same names. */
const families = [/^src\/store\/(lmdb|mongo)\//, /^src\/a2a\/(v0|v1)\.ts$/];
const isFamily = (places: readonly string[]): boolean =>
  families.some((family) => new Set(places.map((place) => family.exec(place)?.[1] ?? '')).size === places.length) &&
  families.some((family) => places.every((place) => family.test(place)));

describe('Exports', () => {
  it('have one meaning: no two files export one name', () => {
    const places = new Map<string, string[]>();
    for (const file of files) {
      const names = [...readFileSync(join(projectRoot, file), 'utf8').matchAll(exported)].map(([, name = '']) => name);
      for (const name of new Set(names)) places.set(name, [...(places.get(name) ?? []), file]);
    }
    expect(places.size).to.be.greaterThan(1000);
    const several = [...places].filter(([, where]) => where.length > 1 && !isFamily(where));
    expect(several).to.deep.equal([]);
  });
});
