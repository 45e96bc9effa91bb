// The script of the worker that `WorkerWorld.start` makes.
import { load } from './index.js';
import type { Port, Reply } from './worker_messages.js';
import { WorldHost } from './world_host.js';

const port = globalThis as unknown as Port;
const waiting: MessageEvent[] = [];
port.onmessage = (event) => waiting.push(event);

// Not awaited: bundlers make scripts of workers in which that is a syntax error.
load()
  .then(
    () => new WorldHost(port),
    (error: unknown) => {
      const reply: Reply = { refused: [], error: { code: 'broken', message: `the module in the worker: ${String(error)}` } };
      port.onmessage = () => port.postMessage(reply, []);
    },
  )
  .finally(() => waiting.forEach((event) => port.onmessage!(event)));
