/**
 * The built files of a page (scripts/build-pages.js): an `index.html`, a favicon, and assets whose names contain a hash
 * of their content. Only files that the folder contained at the start can be served, so a path from a request never
 * reaches the file system.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  /** The same compressed with gzip; null where that would not be smaller. */
  readonly gzip: Buffer | null;
  /** A digest of the content, for ETags. */
  readonly digest: string;
}

/** Files by their path in the folder, with `/` as the separator. They are read when they are first asked for. */
export interface Bundle {
  file(path: string): PageFile | null;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** dist/pages, seen from dist/gateway/pages as well as from the sources. */
export function pagesFolder(): string {
  const built = fileURLToPath(new URL('../../pages', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../../dist/pages', import.meta.url));
}

/**
 * Returns an empty bundle if the folder does not exist: the pages have not been built. `base` is the path that a proxy
 * adds to every URL, such as `/hive`; the links of pages begin with it.
 */
export function openBundle(folder: string, base = ''): Bundle {
  const names = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
    : [];
  const known = new Set(names.filter((name) => extname(name) in types));
  const read = new Map<string, PageFile>();
  return {
    file(path) {
      if (!known.has(path)) return null;
      const before = read.get(path);
      if (before !== undefined) return before;
      const rebased = base !== '' && path.endsWith('.html');
      const content = readFileSync(join(folder, path));
      const body = rebased ? Buffer.from(withBase(content.toString(), base)) : content;
      const file: PageFile = {
        type: types[extname(path)] ?? '',
        body,
        gzip: !rebased && names.includes(`${path}.gz`) ? readFileSync(join(folder, `${path}.gz`)) : null,
        digest: createHash('sha256').update(body).digest('base64url').slice(0, 27),
      };
      read.set(path, file);
      return file;
    },
  };
}

const withBase = (html: string, base: string): string => html.replaceAll(/(?<=\b(?:src|href)=")(?=\/)/g, () => base);
