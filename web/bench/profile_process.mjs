// A process that measures one contender, and prints the result: node profile_process.mjs (startUp | costs) NAME
import * as profile from './profile.mjs';

const [, , what, name] = process.argv;
console.log(JSON.stringify(await profile[what](name, () => process.memoryUsage.rss())));
