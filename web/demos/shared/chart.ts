import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { accent, faint, ground, hairline } from './colours';
import { element, legend } from './page';

export interface ChartOptions {
  readonly x: string;
  readonly y: string;
  /** Whether equal distances stand for equal factors. */
  readonly logarithmic?: { readonly x?: boolean; readonly y?: boolean };
  readonly lines: readonly { readonly name: string; readonly colour: string; readonly dashed?: boolean }[];
  readonly height?: number;
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const font = "11px system-ui, 'DejaVu Sans', sans-serif";

/** Tells whether a number is a power of ten. */
function isPower(value: number): boolean {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-9;
}

/** Lines over an axis, in our colours. */
export class Chart {
  readonly #plot: uPlot;
  #mark: number | undefined;

  constructor(place: HTMLElement, { x, y, logarithmic = {}, lines, height = 180 }: ChartOptions) {
    const names = lines.map(({ name }) => name).join('; ');
    const chart = element('div', { class: 'chart', role: 'img', 'aria-label': `Chart by ${x}: ${names}` });
    place.append(chart, legend(...lines.map(({ name, colour }) => [name, colour] as const)));
    const axis = (label: string, size: number, log: boolean): uPlot.Axis => ({
      label,
      labelFont: font,
      labelSize: 18,
      size,
      font,
      stroke: faint,
      space: 38,
      grid: { stroke: hairline, width: 1, ...(log && { filter: (_, at) => at.map((one) => (isPower(one) ? one : null)) }) },
      ticks: { show: false },
      // A logarithmic axis gets labels only at powers of ten; others would not fit.
      values: (_, at) => at.map((one) => (log && !isPower(one) ? '' : short.format(one))),
    });
    this.#plot = new uPlot(
      {
        width: Math.max(200, place.clientWidth + 16),
        height,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, distr: logarithmic.x ? 3 : 1, range: (_, least, most) => [least, most] },
          y: { distr: logarithmic.y ? 3 : 1, ...(!logarithmic.y && { range: (_, __, most) => [0, most * 1.15 || 1] }) },
        },
        axes: [axis(x, 28, logarithmic.x ?? false), axis(y, 42, logarithmic.y ?? false)],
        series: [
          {},
          ...lines.map(({ colour, dashed }) => ({
            stroke: colour,
            width: 2,
            points: { show: false },
            ...(dashed && { dash: [5, 4] }),
          })),
        ],
        hooks: { draw: [(plot) => this.#drawMark(plot)] },
      },
      [[], ...lines.map(() => [])],
      chart,
    );
    new ResizeObserver(() => this.#plot.setSize({ width: Math.max(200, place.clientWidth + 16), height })).observe(place);
  }

  /** Shows values over x; gaps are null. */
  set(x: readonly number[], ...lines: readonly (readonly (number | null)[])[]): void {
    this.#plot.setData([x, ...lines] as uPlot.AlignedData);
  }

  /** Marks the current position on the x axis. */
  mark(x: number): void {
    if (x !== this.#mark) {
      this.#mark = x;
      this.#plot.redraw(false);
    }
  }

  #drawMark(plot: uPlot): void {
    if (this.#mark === undefined || plot.data[0].length === 0) {
      return;
    }
    const { ctx, bbox } = plot;
    const x = Math.min(bbox.left + bbox.width, Math.max(bbox.left, plot.valToPos(this.#mark, 'x', true)));
    ctx.save();
    ctx.strokeStyle = accent;
    ctx.fillStyle = accent;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.arc(x, bbox.top, 3.5 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fill();
    ctx.strokeStyle = ground;
    ctx.stroke();
    ctx.restore();
  }
}

/** Returns `count` values from `from` to `to` with a constant factor from one to the next. */
export function steps(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from * (to / from) ** (i / (count - 1)));
}

