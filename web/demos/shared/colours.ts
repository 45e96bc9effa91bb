/** A colour-blind-safe palette. Source: M. Okabe, K. Ito, Color Universal Design, 2008. */
export const okabeIto = {
  orange: '#e69f00',
  sky: '#56b4e9',
  green: '#009e73',
  yellow: '#f0e442',
  blue: '#0072b2',
  vermillion: '#d55e00',
  purple: '#cc79a7',
} as const;

/** The highlight colour. */
export const accent = okabeIto.orange;

export const ground = '#0b0e14'; // behind the picture
export const quiet = '#35465c'; // bodies without contacts
export const ink = '#d9e0ea';
export const faint = '#8491a3';
export const hairline = '#1d2633';

export type Rgb = readonly [red: number, green: number, blue: number];

/** Returns the three components of `#rrggbb`, in [0, 1]. */
export function rgb(colour: string): Rgb {
  const all = parseInt(colour.slice(1), 16);
  return [((all >> 16) & 255) / 255, ((all >> 8) & 255) / 255, (all & 255) / 255];
}

/** Returns the colour with an opacity in [0, 1]. */
export function faded(colour: string, opacity: number): string {
  const [r, g, b] = rgb(colour).map((part) => Math.round(part * 255));
  return `rgb(${r} ${g} ${b} / ${opacity})`;
}
