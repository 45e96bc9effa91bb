// The page that chromium.mjs opens. It loads a contender only when it is asked for it.
import * as profile from './profile.mjs';
import { race } from './race.mjs';

globalThis.race = race;
globalThis.profile = (what, name) => profile[what](name);
