import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Shard } from '../../report/fleet/fleetReport.ts';
import { nodePattern } from './entries/nodeNames.ts';

/** Options of commands that judge many nodes, each from files. */
export interface FleetFlags {
  /** Each word is a node, or a folder of nodes. */
  readonly nodes?: boolean;
  readonly nodeName?: string;
  readonly failFast?: boolean;
  readonly shard?: Shard;
  readonly jobs?: number;
}

/** `hasNodes`: the command has `--nodes` already; `canFail`: a node can fail by itself. */
export function addFleetOptions(
  command: Command,
  { hasNodes = false, canFail = true }: { readonly hasNodes?: boolean; readonly canFail?: boolean } = {},
): Command {
  if (!hasNodes) command.addOption(new Option('--nodes', nodesText).default(false).helpGroup(group));
  const options = [
    new Option('--node-name <pattern>', 'where paths name the node: {node}/iptables.save, dump-{node}.txt').argParser(
      nodePattern,
    ),
    ...(canFail ? [failFastOption('stop behind the first node that fails')] : []),
    shardOption('only every nth node, from number i on, which counts from 0: 0/8'),
    jobsOption('nodes judged at once (default: as many as pay, at most one a processor)'),
  ];
  for (const option of options) command.addOption(option.helpGroup(group));
  return command;
}

export function failFastOption(description: string): Option {
  return new Option('--fail-fast', description).default(false);
}

export function shardOption(description: string): Option {
  return new Option('--shard <i/n>', description).argParser(shard);
}

export function jobsOption(description: string): Option {
  return new Option('--jobs <n>', description).argParser(jobs);
}

export const nodesText = 'each file or folder is a node, a folder of such stands for all of them';

const group = 'Many nodes:';

function shard(text: string): Shard {
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  if (index !== undefined && of !== undefined && Number(index) < Number(of))
    return { index: Number(index), of: Number(of) };
  throw new InvalidArgumentError('give a number from 0 and how many there are: 0/8 to 7/8');
}

function jobs(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('give a number from 1');
}
