import GUI from 'lil-gui';
import { pages, type PagePath } from './pages';
import './style.css';

/** Makes an element with its content. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Record<string, string> = {},
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    made.setAttribute(name, value);
  }
  made.append(...inside);
  return made;
}

const whole = new Intl.NumberFormat('en');

/** Formats a count with thousands separators. */
export function count(value: number): string {
  return whole.format(value);
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', compactDisplay: 'long', maximumSignificantDigits: 3 });

/** Formats a large number in words: 200 million. */
export function roughly(value: number): string {
  return compact.format(value);
}

/** Formats a number of bytes with a unit. */
export function bytes(value: number): string {
  return value < 1e6 ? `${(value / 1e3).toFixed(1)} kB` : `${(value / 1e6).toFixed(1)} MB`;
}

/** The common layout of all pages: the picture, and beside it an explanation, numbers, controls and charts. */
export interface Page {
  /** Contains the canvases; fills the remaining space. */
  readonly stage: HTMLElement;
  readonly side: HTMLElement;
  readonly gui: GUI;
  /** Adds a number; returns a function that sets its text. */
  readout(name: string, label: string): (text: string) => void;
  /** Adds a place for a chart. */
  section(title: string): HTMLElement;
  /** Shows a message over the picture; an empty text hides it. */
  say(text: string): void;
  /** Returns the message. */
  said(): string;
}

export function openPage(path: PagePath, lead: string): Page {
  const up = path === '' ? './' : '../';
  const { title } = pages.find((one) => one.path === path)!;
  const menu = element('nav', { 'aria-label': 'Pages' });
  for (const one of pages) {
    const href = one.path === '' ? up : `${up}${one.path}/`;
    menu.append(element('a', { href, ...(one.path === path && { 'aria-current': 'page' }) }, one.name));
  }
  const said = element('p', { class: 'said', role: 'status' });
  const stage = element('div', { class: 'stage' }, said);
  const numbers = element('dl', { class: 'readouts' });
  const controls = element('div', { class: 'controls' });
  const side = element(
    'aside',
    {},
    element('h1', {}, title),
    element('p', { class: 'lead' }, lead),
    numbers,
    controls,
  );
  document.body.append(
    element('header', {}, element('a', { class: 'mark', href: up }, 'broadside'), menu),
    element('main', {}, stage, side),
  );
  menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

  const gui = new GUI({ container: controls, title: 'Controls' });
  const say = (text: string) => {
    said.textContent = text;
    said.hidden = text === '';
  };
  // Without WebGL2, or with too little memory, show the error instead of an empty picture.
  addEventListener('error', ({ message }) => say(message));
  addEventListener('unhandledrejection', ({ reason }) => say(String(reason)));
  return {
    stage,
    side,
    gui,
    readout(name, label) {
      const value = element('dd', { 'data-readout': name }, '–');
      numbers.append(element('div', {}, element('dt', {}, label), value));
      return (text) => {
        if (value.textContent !== text) {
          value.textContent = text;
        }
      };
    },
    section(name) {
      const inside = element('div');
      side.append(element('section', {}, element('h2', {}, name), inside));
      return inside;
    },
    say,
    said: () => said.textContent,
  };
}

/** Returns a legend: names with their colours. */
export function legend(...entries: readonly (readonly [name: string, colour: string])[]): HTMLElement {
  const list = element('ul', { class: 'legend' });
  for (const [name, colour] of entries) {
    list.append(element('li', {}, element('i', { style: `background:${colour}` }), name));
  }
  return list;
}

/** A row of buttons of which one is pressed. */
export interface Choices<T> {
  readonly row: HTMLElement;
  /** Presses the button of a value, if there is one. */
  show(value: T): void;
}

export function choices<T>(all: readonly (readonly [name: string, value: T])[], chosen: (value: T) => void): Choices<T> {
  const row = element('div', { class: 'choices' });
  const buttons = all.map(([name, value]) => {
    const button = element('button', { type: 'button' }, name);
    button.addEventListener('click', () => chosen(value));
    row.append(button);
    return button;
  });
  return {
    row,
    show(value) {
      buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(all[i]![1] === value)));
    },
  };
}
