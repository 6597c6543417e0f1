/** Lists, page by page. */
import type { components } from './types.js';

export interface Page<T> {
  data: T[];
  pagination: components['schemas']['Pagination'];
}

/**
 * A list of the service. `for await (const item of list)` reads all of it, a page at a time; `page()` reads the one page
 * that the query names.
 */
export class Pages<T, Q extends object> implements AsyncIterable<T> {
  readonly #query: Q;
  readonly #read: (query: Q) => Promise<Page<T>>;

  constructor(query: Q, read: (query: Q) => Promise<Page<T>>) {
    this.#query = query;
    this.#read = read;
  }

  page(): Promise<Page<T>> {
    return this.#read(this.#query);
  }

  async *pages(): AsyncGenerator<Page<T>, void> {
    let query = this.#query;
    for (;;) {
      const page = await this.#read(query);
      yield page;
      if (!page.pagination.has_more) return;
      query = { ...this.#query, cursor: page.pagination.next_cursor };
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const page of this.pages()) yield* page.data;
  }
}
