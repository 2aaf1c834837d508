import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** commander loads what starts processes, a third of Node's own start, for subcommands that are programs; we have none. */
export const lateChildProcess: Plugin = {
  name: 'late child_process',
  setup(bundle) {
    bundle.onLoad({ filter: /commander[\\/]lib[\\/]command\.js$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8');
      if (!contents.includes(eager)) throw new Error(`${path} no longer loads child_process as it did`);
      return { contents: contents.replace(eager, late), loader: 'js' };
    });
  },
};

const eager = "const childProcess = require('node:child_process');";
const late = "const childProcess = { spawn: (...args) => require('node:child_process').spawn(...args) };";
