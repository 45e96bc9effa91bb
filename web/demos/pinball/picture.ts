import { accent, faded, ground, ink as white, okabeIto, quiet } from '../shared/colours';
import type { Flat } from '../shared/flat';
import { rippleSteps, type Game } from './game';
import { ballRadius, bumperRadius, flipper, table, type Kind, type Piece } from './table';

export const met = okabeIto.sky;

const colours: Readonly<Record<Kind, readonly [string, string]>> = {
  wall: ['#56657a', '#6b7b92'], // alternating, so that the pieces can be counted
  pin: ['#8491a3', '#8491a3'],
  target: [okabeIto.green, okabeIto.green],
  sling: [okabeIto.purple, okabeIto.purple],
  bumper: [okabeIto.blue, okabeIto.blue],
};

function drawPiece(flat: Flat, { a, b, radius }: Piece, colour: string): void {
  const { ink } = flat;
  if (a.x === b.x && a.y === b.y) {
    ink.fillStyle = colour;
    flat.disc(a, radius);
    return;
  }
  ink.strokeStyle = colour;
  ink.lineWidth = 2 * radius;
  flat.line(a, b);
}

/** Draws the parts that never move: once, in the background. */
export function drawTable(flat: Flat, pieces: readonly Piece[]): void {
  const { ink } = flat;
  flat.begin({ min: { x: table.min.x, y: table.min.y }, max: { x: table.max.x, y: table.max.y + 2 } });
  ink.fillStyle = '#0f141d';
  ink.beginPath();
  ink.moveTo(2, 98);
  ink.ellipse(36, 30, 34, 28, 0, Math.PI, 2 * Math.PI);
  ink.lineTo(70, 98);
  ink.fill();
  for (const [i, piece] of pieces.entries()) {
    ink.lineCap = piece.kind === 'wall' ? 'butt' : 'round'; // round ends of walls would cover the neighboring pieces
    drawPiece(flat, piece, colours[piece.kind][i % 2]!);
    if (piece.kind === 'bumper') {
      ink.fillStyle = ground;
      flat.disc(piece.a, bumperRadius * 0.72);
      ink.fillStyle = white;
      ink.font = "600 2.4px system-ui, 'DejaVu Sans', sans-serif";
      ink.textAlign = 'center';
      ink.textBaseline = 'middle';
      ink.fillText('100', piece.a.x, piece.a.y + 0.15);
    }
  }
}

/** Draws the moving and the highlighted parts. */
export function drawGame(flat: Flat, game: Game): void {
  const { ink } = flat;
  ink.lineCap = 'round';
  for (const piece of game.candidates()) {
    if (piece.kind !== 'bumper') {
      drawPiece(flat, piece, met);
    }
  }
  for (const [i, glow] of game.glow.entries()) {
    if (glow === 0) {
      continue;
    }
    const piece = game.pieces[i]!;
    const colour = faded(accent, glow / 255);
    if (piece.kind === 'bumper') {
      ink.lineWidth = bumperRadius * 0.28;
      ink.strokeStyle = colour;
      flat.ring(piece.a, bumperRadius * 0.86);
    } else {
      drawPiece(flat, piece, colour);
    }
  }
  for (const { at, kind, age } of game.ripples) {
    const part = age / rippleSteps;
    ink.strokeStyle = faded(accent, 0.6 * (1 - part));
    ink.lineWidth = 0.3;
    flat.ring(at, (kind === 'bumper' ? bumperRadius : 1) + 4 * part);
  }
  for (const { pivot, body, side } of game.flippers) {
    const angle = body.angle + (side === 'left' ? 0 : Math.PI);
    const tip = { x: pivot.x + flipper.length * Math.cos(angle), y: pivot.y + flipper.length * Math.sin(angle) };
    drawPiece(flat, { kind: 'wall', a: pivot, b: tip, radius: flipper.radius }, '#b9c5d6');
    ink.fillStyle = quiet;
    flat.disc(pivot, 0.4);
  }
  ink.lineWidth = flat.hair;
  for (const { body } of game.balls) {
    const [x = 0, y = 0] = body.position;
    ink.strokeStyle = faded(met, 0.7);
    flat.frame({ min: { x: x - ballRadius, y: y - ballRadius }, max: { x: x + ballRadius, y: y + ballRadius } });
    ink.fillStyle = white;
    flat.disc({ x, y }, ballRadius);
  }
}
