import { hairline } from './colours';
import type { Flat } from './flat';
import { element } from './page';

/** Returns a half of a canvas: side by side, or one below the other on a narrow canvas. */
export function halfOf(
  { width, height }: HTMLCanvasElement,
  index: number,
): [width: number, height: number, left: number, top: number] {
  return width > height ? [width / 2, height, (index * width) / 2, 0] : [width, height / 2, 0, (index * height) / 2];
}

/** Draws the line between the halves. */
export function drawGap({ canvas, ink }: Flat): void {
  const [wide, high, left, top] = halfOf(canvas, 1);
  ink.setTransform(1, 0, 0, 1, 0, 0);
  ink.fillStyle = hairline;
  ink.fillRect(left - 1, top - 1, left > 0 ? 3 : wide, top > 0 ? 3 : high);
}

/** Adds a label to each half; returns functions that set their texts. */
export function addLabels(stage: HTMLElement): ((text: string) => void)[] {
  return ['left', 'right'].map((side) => {
    const label = element('p', { class: `runner ${side}` });
    stage.append(label);
    return (text) => {
      label.textContent = text;
    };
  });
}
