/** Numbers, sizes and times for people, in their language and zone. */
const whole = new Intl.NumberFormat();
const compactNumber = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

export const count = (n: number): string => whole.format(n);
export const compact = (n: number): string => (n < 10_000 ? whole.format(n) : compactNumber.format(n));
/** Small amounts to the hundredth of a cent. */
export const dollars = (n: number): string =>
  `$${n.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: n < 1 ? 4 : 2 })}`;
export const percent = (share: number): string => `${Math.round(share * 100)}%`;

export function bytes(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = n;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ''}`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const year = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'full',
  timeStyle: 'long',
});

/** Short: the time of today, the day of this year, or the date. */
export function shortTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  if (at.toDateString() === now.toDateString()) return clock.format(at);
  return Math.abs(now.getTime() - at.getTime()) < 180 * 86_400_000 ? day.format(at) : year.format(at);
}

const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

/** How long ago, or in how long, within a week; else as `shortTime`. */
export function relativeTime(iso: string, now = new Date()): string {
  const seconds = Math.round((Date.parse(iso) - now.getTime()) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 10) return 'just now';
  if (distance < 60) return ago.format(seconds, 'second');
  if (distance < 3600) return ago.format(Math.trunc(seconds / 60), 'minute');
  if (distance < 86_400) return ago.format(Math.trunc(seconds / 3600), 'hour');
  if (distance < 7 * 86_400) return ago.format(Math.trunc(seconds / 86_400), 'day');
  return shortTime(iso, now);
}

/** As clocks show it in a zone, such as `Europe/Berlin`. */
export function timeIn(iso: string, zone: string): string {
  try {
    return new Intl.DateTimeFormat(undefined, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: zone,
    }).format(new Date(iso));
  } catch {
    // a zone that this browser does not know
    return shortTime(iso);
  }
}

/** Exact: in the reader's zone, and as the service wrote it. */
export const exactTime = (iso: string): string => {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : `${full.format(at)} (${iso})`;
};

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const s = ms / 1000;
  if (s < 60) return `${s < 10 ? s.toFixed(1) : Math.round(s)} s`;
  const m = Math.floor(s / 60);
  if (m < 60) return `${m} min ${Math.round(s % 60)} s`;
  return `${Math.floor(m / 60)} h ${m % 60} min`;
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;
