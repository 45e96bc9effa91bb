// Runs a WebAssembly command of the WASI kind:
// node --no-warnings --no-turbo-fast-api-calls tools/run_wasi.mjs COMMAND.wasm ARGUMENTS...
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [command, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [command, ...rest] });
const module = await WebAssembly.compile(await readFile(command));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
