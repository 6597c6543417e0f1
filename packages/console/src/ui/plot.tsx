/** A small line of one number over the last minutes, with its newest value beside the title. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface PlotProps {
  title: string;
  unit: string;
  /** Unix seconds, ascending. */
  times: readonly number[];
  values: readonly (number | null)[];
}

const height = 120;

export function Plot({ title, unit, times, values }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const data = [times, values] as unknown as uPlot.AlignedData;
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(options(element), data, element);
    };
    draw();
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', draw);
    const watcher = new ResizeObserver(() => {
      if (element.clientWidth > 0) plot.current?.setSize({ width: element.clientWidth, height });
    });
    watcher.observe(element);
    return () => {
      theme.removeEventListener('change', draw);
      watcher.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, []);
  useEffect(() => {
    plot.current?.setData(data);
  }, [times, values]);
  const newest = values.at(-1);
  const now = newest === null || newest === undefined ? 'no value yet' : `${short(newest)} ${unit}`;
  return (
    <figure class="card plot-card">
      <figcaption class="card-head">
        <span class="label">{title}</span>
        <strong class="tabular">{now}</strong>
      </figcaption>
      <div class="plot" ref={box} role="img" aria-label={`${title} over the last minutes, now ${now}`} />
    </figure>
  );
}

const short = (n: number): string => (n >= 100 ? String(Math.round(n)) : n.toFixed(n === 0 ? 0 : 1));

/** A canvas knows no custom properties, so the colours are read from the element's own styles. */
function options(element: HTMLElement): uPlot.Options {
  const { color, borderTopColor: grid, caretColor: text, fontFamily } = getComputedStyle(element);
  const axis: uPlot.Axis = {
    stroke: text,
    font: `11px ${fontFamily}`,
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    // below, half a line of the mark at 0 stands out where there is no time to mark yet
    padding: [8, 28, 6, 0],
    scales: { y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.15)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 24, space: 90, values: (_plot, at) => at.map(clockOf(at)) },
      { ...axis, size: 38, space: 34 },
    ],
    series: [
      {},
      { stroke: color, width: 2, fill: `color-mix(in srgb, ${color} 16%, transparent)`, points: { show: false } },
    ],
  };
}

const hourMinute = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const withSeconds = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** Marks less than a minute apart need their seconds to differ. */
const clockOf = ([first = 0, second = 0]: readonly number[]): ((at: number) => string) => {
  const format = second - first < 60 ? withSeconds : hourMinute;
  return (at) => format.format(at * 1000);
};
