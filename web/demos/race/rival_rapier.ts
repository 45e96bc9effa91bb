import type { Circles } from './circles';
import type { Rival } from './rival';

/** A step of rapier with sensors moved by hand, the least work that it offers. It reports only touching pairs. */
export async function rivalRapier(circles: Circles): Promise<Rival> {
  const { default: rapier } = await import('@dimforge/rapier2d-compat');
  await rapier.init();
  const world = new rapier.World({ x: 0, y: 0 });
  const placeOf = new Map<number, number>();
  const bodies = Array.from(circles.radii, (radius, i) => {
    const kind = rapier.RigidBodyDesc.kinematicPositionBased().setTranslation(circles.x(i), circles.y(i));
    const body = world.createRigidBody(kind);
    const shape = rapier.ColliderDesc.ball(radius).setSensor(true);
    const collider = world.createCollider(shape.setActiveCollisionTypes(rapier.ActiveCollisionTypes.ALL), body);
    placeOf.set(collider.handle, i);
    return { body, collider };
  });
  const comparedWith = (circle: number) => {
    const others: number[] = [];
    world.intersectionPairsWith(bodies[circle]!.collider, ({ handle }) => void others.push(placeOf.get(handle)!));
    return others;
  };
  return {
    move(positions) {
      circles.moveTo(positions);
      bodies.forEach(({ body }, i) => body.setTranslation({ x: circles.x(i), y: circles.y(i) }, true));
    },
    find: () => world.step(),
    touching: () => bodies.reduce((sum, _, i) => sum + comparedWith(i).length, 0) / 2,
    tests: () => undefined,
    comparedWith,
    release: () => world.free(),
  };
}
