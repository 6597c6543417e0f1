/** Line icons on a grid of 24; they decorate a text beside them and are hidden from screen readers. */
const paths = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  agents: 'M12 3.2l7.6 4.4v8.8L12 20.8l-7.6-4.4V7.6zM12 12m-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0',
  runs: 'M5 4v16M5 7h9l-1.5 3L14 13H5M19 20v-4M16 20h6',
  hives:
    'M8 3.5l3.6 2v4.2L8 11.8l-3.6-2.1V5.5zM16 3.5l3.6 2v4.2L16 11.8l-3.6-2.1V5.5zM12 12.4l3.6 2v4.2L12 20.7l-3.6-2.1v-4.2z',
  operations: 'M4 6h9M17 6h3M4 12h3M11 12h9M4 18h11M19 18h1M15 4v4M9 10v4M17 16v4',
  docs: 'M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7',
  goal: 'M12 12m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0M12 12m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  recall: 'M10.5 10.5m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M15 15l5 5',
  insight: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5.9 1 .9 1.7h5.2c0-.7.3-1.2.9-1.7A6 6 0 0 0 12 3z',
  action: 'M13 3L5 13.5h6L10.5 21 19 10h-6.5z',
  result: 'M5 12.5l4.5 4.5L19 7.5',
  reflection: 'M4 12a8 8 0 0 1 14-5.3M20 12a8 8 0 0 1-14 5.3M18 3v4h-4M6 21v-4h4',
  answer: 'M4 5h16v11H9l-5 4z',
  status: 'M12 7v5l3.5 2M12 12m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0',
  pause: 'M9 6v12M15 6v12',
  failed: 'M12 8v5M12 16.5v.1M12 3.5L21.5 20h-19z',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  key: 'M15.5 8.5m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0M12 12l-8 8M7 17l2.5 2.5',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  memory: 'M5 7c0-4 14-4 14 0s-14 4-14 0v10c0 4 14 4 14 0V7M5 12c0 4 14 4 14 0',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

export const Logo = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <path fill="#f2a71b" d="M16 1.5 28.6 8.7v14.6L16 30.5 3.4 23.3V8.7z" />
    <path fill="#241a08" d="M16 8.2l6.8 3.9v7.8L16 23.8l-6.8-3.9v-7.8z" />
    <path fill="#f2a71b" d="M16 12.4l3.1 1.8v3.6L16 19.6l-3.1-1.8v-3.6z" />
  </svg>
);
