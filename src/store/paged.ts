/** How adapters hand out what is read page by page. */
import type { KeptImage } from './port.js';

/** Reads one page after the other, each by `read`. Who stops earlier ends the source. */
export async function* pagesBy<P>(
  pages: () => AsyncIterable<P>,
  read: <T>(page: () => Promise<T>) => Promise<T>,
): AsyncGenerator<P> {
  const source = pages()[Symbol.asyncIterator]();
  try {
    for (;;) {
      const page = await read(() => source.next());
      if (page.done) return;
      yield page.value;
    }
  } finally {
    await source.return?.();
  }
}

export const pagedImage = (
  image: KeptImage | null,
  paged: <P>(pages: () => AsyncIterable<P>) => AsyncIterable<P>,
): KeptImage | null =>
  image && {
    seq: image.seq,
    chunks: paged(() => image.chunks),
    changes() {
      const changes = image.changes();
      return changes && paged(() => changes);
    },
  };
