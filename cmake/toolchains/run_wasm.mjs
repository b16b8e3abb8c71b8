// SPDX-License-Identifier: Apache-2.0
// Runs a program for WASI: node run_wasm.mjs PROGRAM ARGUMENT...
// The program may read and write the files of the tree and of its own folder, and temporary files.
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';

const [program, ...words] = process.argv.slice(2);
const folders = [resolve(dirname(fileURLToPath(import.meta.url)), '../..'), resolve(dirname(program)), tmpdir()];
const wasi = new WASI({ version: 'preview1', args: [program, ...words], env: process.env, returnOnExit: true,
  preopens: Object.fromEntries(folders.map(folder => [folder, folder])) });
// Node.js 20 crashes if a program whose memory has grown calls its functions directly.
const calls = Object.fromEntries(Object.entries(wasi.wasiImport).map(([name, call]) => [name, (...values) => call(...values)]));
const { instance } = await WebAssembly.instantiate(await readFile(program), { wasi_snapshot_preview1: calls });
process.exitCode = wasi.start(instance);
