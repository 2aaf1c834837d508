// The program for scripts that run it in their own process: what src/cli/cachedRun.ts does in the build.
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * `chunksOf(file)` gives the chunks of a file; `onUse` gets the name of each that is evaluated. Two programs in one process
 * share no state.
 */
export function openProgram(folder, chunksOf, onUse = () => {}) {
  const require = createRequire(join(folder, 'main.cjs'));
  const evaluated = new Map();
  const chunk = (file, name) => {
    if (!evaluated.has(name)) {
      onUse(name);
      evaluated.set(name, chunksOf(file)[name](chunk, load, folder, require));
    }
    return evaluated.get(name);
  };
  const load = async (file, name) => chunk(file, name);
  return async (words) => {
    const status = await chunk('run', 'run').run(words);
    if (status > 1) throw new Error(`k8snet ${words.join(' ')} ended with ${status}`);
  };
}
