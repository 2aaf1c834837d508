import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { builtFile, nodeCommand } from './builtFile.ts';
import { root } from './compileCase.ts';
import { type Ended, executable, runProcess } from './runCli.ts';

/** Runs command lines one after the other in one process: most of a short run is its start. None reads standard input. */
export function runMany(commands: readonly (readonly string[])[], cwd: string = root): readonly Ended[] {
  if (executable !== undefined) return commands.map((command) => runProcess(command, { cwd }));
  const { FORCE_COLOR: _, NO_COLOR: __, GITHUB_ACTIONS: ___, ...env } = process.env;
  const [node = '', ...words] = nodeCommand;
  const source = pathToFileURL(builtFile('src/cli/run.ts')).href;
  const arguments_ = [...words, '--input-type=module', '--eval', loop, source, JSON.stringify(commands)];
  const { stdout, stderr } = spawnSync(node, arguments_, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28, env });
  const [out, said] = [stdout.split(mark), stderr.split(mark)];
  return commands.map((command, at) => {
    const status = /^(\d+)\n/.exec(out[at + 1] ?? '')?.[1];
    if (status === undefined) throw new Error(`${command.join(' ')} did not end: ${stderr}`);
    return {
      status: Number(status),
      stdout: (out[at] ?? '').replace(/^\d+\n/, ''),
      stderr: (said[at] ?? '').replace(/^\n/, ''),
    };
  });
}

const mark = '\u0001end of a run\u0001';

const loop = `
import { writeSync } from 'node:fs';
const [source, commands] = process.argv.slice(-2);
const { run } = await import(source);
for (const command of JSON.parse(commands)) {
  const status = await run(command);
  writeSync(1, ${JSON.stringify(mark)} + status + '\\n');
  writeSync(2, ${JSON.stringify(mark)} + '\\n');
}
`;
