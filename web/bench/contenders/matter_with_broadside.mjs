import { ready } from 'broadside';
import { install } from 'broadside/matter';
import Matter from 'matter-js';
import { detector } from './matter.mjs';

await ready;

/** The same with `broadside/matter`, whatever the number of bodies. */
export function withBroadside(workload) {
  const original = Matter.Detector.collisions;
  install(Matter, undefined, 0);
  const ours = Matter.Detector.collisions;
  Matter.Detector.collisions = original;
  const one = detector(workload);
  return {
    ...one,
    find: () => {
      Matter.Detector.collisions = ours;
      one.find();
      Matter.Detector.collisions = original;
    },
  };
}
