/** What comments, tests and documents refer to is in this repository: invariants, documents and their sections. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { definitionsIn, modelProperties, read, root, sources } from './protocol.js';

const self = 'test/unit/references.test.ts';
const code = sources('actors', 'gateway', 'src', 'test', 'bench', 'kits').filter(
  (file) => file !== self && file !== 'test/unit/protocol.ts',
);
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Comments, and the titles of tests. */
function prose(file: string): string {
  const text = read(file);
  const comments = text.match(/\/\*\*?[\s\S]*?\*\/|(?<=[\s{])\/\/[^\n]*/g) ?? [];
  const titles = file.startsWith('test/')
    ? (text.match(/\b(?:it|describe|context)(?:\.\w+)?\(\s*(?:'(?:[^'\\]|\\.)*'|`[^`]*`|"[^"]*")/g) ?? [])
    : [];
  return [...comments, ...titles].join('\n');
}

/** `Router.R3`, and each of `Router.R5-R6`. */
function citations(text: string): string[] {
  return Array.from(
    text.matchAll(/\b([A-Z][A-Za-z]*)\.([A-Z])(\d{1,2})(?:-\2?(\d{1,2}))?(?![\w(])/g),
    ([, module = '', letter = '', first = '', last = first]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => `${module}.${letter}${Number(first) + i}`),
  ).flat();
}

describe('references', () => {
  const defined = [
    ...sources('actors', 'gateway', 'src', 'test', 'bench', 'kits').flatMap(definitionsIn),
    ...modelProperties(),
  ];
  const labels = new Set(defined.map(({ label }) => label));

  it('no label means two things', () => {
    const twice = defined.filter((one, i) => defined.findIndex(({ label }) => label === one.label) !== i);
    expect(twice).to.deep.equal([]);
    expect(labels.size).to.be.greaterThan(100);
  });

  it('every file of code that comments and documents name is there, by its name or by the end of its path', () => {
    const files = sources('actors', 'gateway', 'src', 'test', 'bench', 'kits', 'packages', 'scripts', 'examples');
    const isThere = (name: string): boolean => files.some((file) => file === name || file.endsWith(`/${name}`));
    // files that users make, or a test writes
    const others = new Set(['sample.ts', 'typed.ts']);
    const missing = [
      ...code.map((file) => [file, prose(file)] as const),
      ...documents.map((file) => [file, read(file)] as const),
    ].flatMap(([file, text]) =>
      Array.from(text.matchAll(/(?<![\w*/.])(?:[a-z0-9-]+\/)*[a-z0-9-]+\.ts\b/g), ([name]) => name)
        .filter((name) => !isThere(name) && !others.has(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('every invariant that code, tests and documents cite is defined', () => {
    const missing = [
      ...code.map((file) => [file, prose(file)] as const),
      ...documents.map((file) => [file, read(file)] as const),
    ].flatMap(([file, text]) =>
      citations(text)
        .filter((label) => !labels.has(label))
        .map((label) => `${file}: ${label}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('a definition has a module name: a bare label would mean something else in each file', () => {
    const bare = code.flatMap((file) =>
      Array.from(read(file).matchAll(/^ \* {2}([A-Z]\d+) /gm), ([, label]) => `${file}: ${label}`),
    );
    expect(bare).to.deep.equal([]);
  });

  it('every document that is cited is there, and every section of docs/api.md', () => {
    const sections = new Set(
      Array.from(read('docs/api.md').matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm), ([, number]) => number),
    );
    const missing = code.flatMap((file) => {
      const text = prose(file).replace(/\n\s*\*\s*/g, ' ');
      const files = Array.from(text.matchAll(/\bdocs\/[\w/-]+\.md\b/g), ([path]) => path).filter(
        (path) => !existsSync(join(root, path)),
      );
      const cited = Array.from(
        text.matchAll(/docs\/api\.md ((?:\d+(?:\.\d+)?(?:, | and | to )?)+)/g),
        ([, list = '']) => list.match(/\d+(?:\.\d+)?/g) ?? [],
      ).flat();
      return [...files, ...cited.filter((number) => !sections.has(number))].map((what) => `${file}: ${what}`);
    });
    expect(missing).to.deep.equal([]);
  });

  it('nothing cites a text that the repository does not have', () => {
    const absent = [...code, ...documents].filter((file) => /\bdesign, sections?\b|\bspec \d/.test(read(file)));
    expect(absent).to.deep.equal([]);
  });
});
