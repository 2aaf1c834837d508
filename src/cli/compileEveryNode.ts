import { count } from '../common/text/count.ts';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import type { NodeFilesOptions } from '../output/nodeFiles.ts';
import { type CheckedObjects, checkObjects, shareWork } from '../public/core.ts';
import { told } from '../public/result.ts';
import type { CompileAnswer, CompileQuestion, CompileTask, EveryNodeOptions } from './fleet/threads/compileTask.ts';
import { compilingWork } from './fleet/threads/fleetWork.ts';
import { compileFor } from './fleet/threads/openCompiler.ts';
import { type ThreadPool, threadPool, threadsThatPay } from './fleet/threads/threadPool.ts';
import { compileNeeds } from './objects/liveNeeds.ts';
import { readInput } from './objects/readInput.ts';
import { exitCodes } from './write/exitCodes.ts';
import type { Messages } from './write/messages.ts';

/**
 * `--all-nodes`: the files of every Node, each in a folder with its name. The input is read and checked once; equal
 * messages about several nodes are printed once. Nothing is written unless all nodes, or all of the shard, compile.
 */
export async function compileEveryNode(
  options: EveryNodeOptions,
  filesOptions: NodeFilesOptions,
  messages: Messages,
): Promise<number> {
  const { objects, options: target, sources } = await readInput(options, messages, true, compileNeeds(options));
  const report = once(messages.report);
  const { sharing } = await shareWork();
  const checked = messages.hasErrors() ? undefined : await told(checkObjects(objects, { ...target, sharing }), report);
  const all = (checked?.manifests.nodes ?? []).map(({ value }) => value.metadata.name).sort();
  const { outDir, shard } = options;
  const misuse = misuseOf(options, checked === undefined ? undefined : all);
  if (misuse !== undefined) {
    report({
      code: 'bad-option',
      severity: 'error',
      message: misuse,
      at: [],
      hint: "run 'k8snet compile --help' for usage",
    });
  }
  if (checked === undefined || outDir === undefined || messages.hasErrors()) {
    await messages.flush(sources);
    return exitCodes.badInput;
  }
  const names = shard === undefined ? all : all.filter((_, at) => at % shard.of === shard.index);
  const task = { options, filesOptions };
  const isReadOnce = options.live !== undefined || readsInput(options);
  const size = isReadOnce ? 1 : threadsThatPay(options.jobs, compilingWork(checked.manifests, names.length));
  const pool =
    size < 2
      ? ownThread(checked, task)
      : threadPool<unknown, CompileQuestion, CompileAnswer>({ kind: 'compile', task }, size);
  try {
    // Twice: a node that does not compile must be known before the first file is written, and keeping all of them takes
    // much memory.
    for (const isWritten of [false, true]) {
      if (messages.hasErrors()) break;
      for await (const { at, said, written } of askAll(pool, names, isWritten, size * 2)) {
        for (const diagnostic of said) report(diagnostic);
        if (written === undefined) {
          await messages.flush(sources);
          return exitCodes.cannotWrite;
        }
        if ((isWritten || options.failFast) && messages.hasErrors()) break;
        if (isWritten) messages.progress(`${names[at]}: ${count(written, 'file')} written`);
      }
    }
  } finally {
    pool.close();
  }
  await messages.flush(sources);
  return messages.hasErrors() ? exitCodes.badInput : exitCodes.ok;
}

type Compilers = Pick<ThreadPool<unknown, CompileQuestion, CompileAnswer>, 'ask' | 'close'>;

function ownThread(checked: CheckedObjects, task: CompileTask): Compilers {
  return { ask: (question) => compileFor(checked, task, question), close: () => {} };
}

/** In the order of the names; some are requested ahead, so no thread is idle. */
async function* askAll(
  pool: Compilers,
  names: readonly string[],
  isWritten: boolean,
  ahead: number,
): AsyncGenerator<CompileAnswer> {
  const asked: Promise<CompileAnswer>[] = [];
  for (const [at, given] of names.entries()) {
    const answer = pool.ask({ at, given, isWritten });
    answer.catch(() => {});
    asked.push(answer);
    // Without threads each one is done before the next begins.
    if (asked.length >= (ahead > 2 ? ahead : 1)) yield await (asked.shift() as Promise<CompileAnswer>);
  }
  for (const answer of asked) yield await answer;
}

/** Standard input can only be read once, and each thread reads for itself. */
function readsInput({ filename, config }: EveryNodeOptions): boolean {
  return filename.includes('-') || config === '-';
}

function misuseOf(options: EveryNodeOptions, names: readonly string[] | undefined): string | undefined {
  if (options.outDir === undefined) return '--all-nodes needs --out-dir';
  if (options.node !== undefined) return '--all-nodes and --node exclude each other';
  if (options.nodeIp !== undefined || options.nodeAddress !== undefined) {
    return '--all-nodes takes the addresses of nodes from the Node objects: --node-ip and --node-address are of one node';
  }
  return names?.length === 0 ? '--all-nodes needs Node objects in the input' : undefined;
}

function once(report: Report): Report {
  const seen = new Set<string>();
  return (diagnostic: Diagnostic) => {
    const { code, message, at } = diagnostic;
    const key = JSON.stringify([code, message, at]);
    if (seen.has(key)) return;
    seen.add(key);
    report(diagnostic);
  };
}
