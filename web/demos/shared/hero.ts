import { element } from './page';

/** Options of the main slider of a page. */
export interface HeroOptions {
  readonly name: string;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly value: number;
  readonly text: (value: number) => string;
  /** Called when the slider is released, or moved by keys. */
  readonly chosen: (value: number) => void;
}

const notches = 1000;

/** Returns the value at a notch, to two digits: equal distances on the slider are equal factors. */
function valueAt(notch: number, { min, max }: HeroOptions): number {
  const value = min * (max / min) ** (notch / notches);
  return Math.min(max, Math.max(min, Number(value.toPrecision(2))));
}

function notchOf(value: number, { min, max }: HeroOptions): number {
  return Math.round((notches * Math.log(value / min)) / Math.log(max / min));
}

/** Adds the main control of a page, a logarithmic slider above the others; returns a function that sets it. */
export function addHero(side: HTMLElement, options: HeroOptions): (value: number) => void {
  const input = element('input', { type: 'range', min: '0', max: String(notches), 'data-control': options.name });
  const output = element('output');
  const show = (value: number) => {
    output.textContent = options.text(value);
    input.setAttribute('aria-valuetext', options.text(value));
  };
  const set = (value: number) => {
    input.value = String(notchOf(value, options));
    show(value);
  };
  input.addEventListener('input', () => show(valueAt(Number(input.value), options)));
  input.addEventListener('change', () => options.chosen(valueAt(Number(input.value), options)));
  set(options.value);
  const label = element('label', { class: 'hero' }, element('span', {}, options.label, output), input);
  side.querySelector('.readouts')?.before(label);
  return set;
}
