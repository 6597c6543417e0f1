/** One page of a list, in any of its states. */
import type { ComponentChildren } from 'preact';
import { count } from '../lib/format.js';
import type { Paged } from '../lib/use-query.js';
import { Button } from './button.js';
import { Problem, Skeleton } from './states.js';

export interface ListProps<T> {
  list: Paged<T>;
  children: (items: readonly T[]) => ComponentChildren;
  empty: ComponentChildren;
  noun: string;
}

/** One page of a list, in any of its states. */
export function List<T>({ list, children, empty, noun }: ListProps<T>) {
  const { data, error, items, loading } = list;
  if (data === null)
    return error === null ? (
      <Skeleton />
    ) : (
      <div class="stack" style={{ padding: '1rem' }}>
        <Problem error={error} retry={list.reload} />
      </div>
    );
  return (
    <>
      {error !== null && <Problem error={error} retry={list.reload} />}
      {items.length === 0 && list.pageNumber === 1 ? empty : children(items)}
      {(list.next !== null || list.previous !== null) && (
        <div class="pager">
          <span aria-live="polite">
            Page {list.pageNumber} · {count(list.total)} {noun}
            {loading ? ' · loading' : ''}
          </span>
          <div class="actions">
            <Button small disabled={list.previous === null} onClick={() => list.previous?.()}>
              Previous
            </Button>
            <Button small disabled={list.next === null} onClick={() => list.next?.()}>
              Next
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

export interface Column<T> {
  title: string;
  cell: (item: T) => ComponentChildren;
  /** The first is what the row is about. */
  kind?: 'primary' | 'number' | 'plain';
  /** On a narrow screen the title stands before the cell, unless the cell says what it is. */
  labelled?: boolean;
}

/** A list as a table: a row for each item. */
export const ListTable = <T extends { id: string }>({
  columns,
  ...list
}: Omit<ListProps<T>, 'children'> & { columns: readonly Column<T>[] }) => (
  <List {...list}>
    {(items) => (
      <div class="table-wrap">
        <table class="rows">
          <thead>
            <tr>
              {columns.map(({ title, kind }) => (
                <th key={title} scope="col" class={kind === 'number' ? 'number' : undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.id}>
                {columns.map(({ title, cell, kind, labelled = kind !== 'primary' }) => (
                  <td
                    key={title}
                    class={kind === 'primary' ? 'primary-cell' : kind === 'number' ? 'number' : undefined}
                    data-label={labelled ? title : undefined}
                  >
                    {cell(item)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </List>
);
