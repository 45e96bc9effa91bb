import { ready } from 'broadside';
import { BroadsideBroadphase } from 'broadside/p2';
import { p2World } from './p2.mjs';

await ready;

export const withBroadside = (workload) => p2World(workload, new BroadsideBroadphase());
export const withRefresh = (workload) => p2World(workload, new BroadsideBroadphase({ watchStatics: false }));
