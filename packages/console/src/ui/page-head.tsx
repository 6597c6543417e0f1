/** The head of a page, and its tabs. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The head of a page; its title is also the tab's, and gets the focus when the page opens. */
export function PageHead({
  title,
  crumbs,
  children,
  actions,
}: {
  title: string;
  crumbs?: ComponentChildren;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · hivekeep`;
  }, [title]);
  return (
    <header class="page-head">
      <div>
        {crumbs !== undefined && (
          <nav class="crumbs" aria-label="Breadcrumb">
            {crumbs}
          </nav>
        )}
        <h1>{title}</h1>
        {children}
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </header>
  );
}

export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly (readonly [name: string, url: string, text: string])[];
  current: string;
}) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen the row of tabs scrolls.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav class="tabs" aria-label={label} ref={list}>
      {tabs.map(([name, url, text]) => (
        <a key={name} href={url} aria-current={name === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
