/** Small things in a line of text: times, states, tags, shares. */
import type { ComponentChildren } from 'preact';
import { exactTime, percent, relativeTime, shortTime, timeIn } from '../lib/format.js';
import { createStore, useStore } from '../lib/store.js';

/** Changes twice a minute, so that relative times stay true while a page is open. */
const tick = createStore(0);
setInterval(() => {
  tick.set(tick.get() + 1);
}, 30_000);

/** How long ago, with the exact time on hover; `clock` says the time itself, and `zone` as it is in that zone. */
export function Time({ at, clock = false, zone }: { at: string | null | undefined; clock?: boolean; zone?: string }) {
  useStore(tick);
  if (!at) return <span>never</span>;
  return (
    <time dateTime={at} title={exactTime(at)} class="nowrap">
      {zone !== undefined ? timeIn(at, zone) : clock ? shortTime(at) : relativeTime(at)}
    </time>
  );
}

const tones: Readonly<Record<string, string>> = {
  completed: 'good',
  active: 'good',
  live: 'good',
  running: 'info running',
  pending: 'info',
  connecting: 'info',
  paused: 'warn',
  inactive: 'warn',
  lost: 'warn',
  test: 'info',
  failed: 'bad',
  timeout: 'bad',
  cancelled: 'plain-tone',
  terminated: 'bad',
};

export const Badge = ({ of, children }: { of: string; children?: ComponentChildren }) => (
  <span class={`badge ${tones[of] ?? ''}`}>{children ?? of}</span>
);

export const Tag = ({ children }: { children: ComponentChildren }) => <span class="badge plain">{children}</span>;

export const Relevance = ({ value }: { value: number }) => (
  <span class="relevance" title={`Relevance ${value.toFixed(3)} of 1`}>
    <Meter share={value} />
    <span>
      <span class="visually-hidden">relevance </span>
      {percent(value)}
    </span>
  </span>
);

export const Meter = ({
  share,
  bad = false,
  marks = [],
}: {
  share: number;
  bad?: boolean;
  marks?: readonly number[];
}) => (
  <div class={`meter ${bad ? 'bad' : ''}`} aria-hidden="true">
    <i style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }} />
    {marks.map((mark) => (
      <b key={mark} style={{ left: `calc(${mark * 100}% - 1px)` }} />
    ))}
  </div>
);

export const Facts = ({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {of.map(([name, value]) => (
      <>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
);
