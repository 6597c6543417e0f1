/**
 * Bundles the pages for browsers into dist/pages: scripts and styles with a hash of their content in the name, each with
 * a gzip copy beside it. Nothing in the result is loaded from elsewhere.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Builds into `folder`; throws with the messages of the compiler where a source has an error. */
export function buildPages(folder = join(root, 'dist/pages')) {
  rmSync(folder, { recursive: true, force: true });
  const console = join(root, 'packages/console');
  buildPage('console', join(console, 'src/main.tsx'), join(folder, 'console'));
  buildPage('docs', join(console, 'docs/main.ts'), join(folder, 'docs'));
  copyFileSync(join(console, 'src/favicon.svg'), join(folder, 'console/favicon.svg'));
  compressAll(folder);
  writeFileSync(join(folder, 'LICENSES.txt'), licenses());
}

/** What is bundled from other projects, whose licences ask to be passed on. */
const bundled = {
  marked: ['LICENSE'],
  preact: ['LICENSE'],
  uplot: ['LICENSE'],
  'swagger-ui-dist': ['LICENSE', 'NOTICE', 'swagger-ui-es-bundle.js.LICENSE.txt'],
};

function licenses() {
  return Object.entries(bundled)
    .flatMap(([name, files]) => files.map((file) => [name, join(root, 'node_modules', name, file)]))
    .map(([name, path]) => `${name}: ${basename(path)}\n\n${readFileSync(path, 'utf8').trim()}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** A page is its first script, and beside it an `index.html` with %SCRIPT% and %STYLE%. */
function buildPage(name, entry, folder) {
  const { metafile } = esbuild.buildSync({
    entryPoints: { [name]: entry },
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'eof',
    metafile: true,
    logLevel: 'warning',
  });
  const outputs = Object.keys(metafile.outputs).map((path) => basename(path));
  const url = (extension) => `/${name}/assets/${outputs.find((output) => output.endsWith(extension))}`;
  mkdirSync(folder, { recursive: true });
  const page = readFileSync(join(dirname(entry), 'index.html'), 'utf8');
  writeFileSync(join(folder, 'index.html'), page.replace('%SCRIPT%', url('.js')).replace('%STYLE%', url('.css')));
}

function compressAll(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|html|svg)$/.test(name)) continue;
    const path = join(folder, name);
    const content = readFileSync(path);
    const compressed = gzipSync(content, { level: 9 });
    if (compressed.length < content.length) writeFileSync(`${path}.gz`, compressed);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? join(root, 'dist/pages');
  buildPages(folder);
  let total = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.gz'),
  )) {
    const { length } = readFileSync(join(folder, name));
    total += length;
    process.stdout.write(`${relative(root, join(folder, name))}  ${length} bytes\n`);
  }
  process.stdout.write(`${total} bytes in all\n`);
}
