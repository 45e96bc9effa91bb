// The page that chromium.mjs opens.
import { ready } from './contenders.mjs';
import { race } from './race.mjs';

await ready;
globalThis.race = race;
