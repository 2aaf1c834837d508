import { isLoopbackIp } from '../common/ip.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { type NodeFilesOptions, nodeFiles } from '../output/nodeFiles.ts';
import { type Checked, type Compiled, type CompileInput, compileChecked } from '../pipeline/compile.ts';
import type { EndpointHome } from '../pipeline/endpointHomes.ts';
import type { TargetFlags } from './targetOptions.ts';

/** A node of a lab: what its rules are made from, and the script that loads them. */
export interface LabNodeRules {
  readonly compiled: Compiled;
  readonly script: string;
  /** The kind of rules that its policies have; undefined: there are none. */
  readonly policies: 'nftables' | 'iptables' | undefined;
}

/**
 * Rules for the node that the options name, else for every Node of the input, or for those that endpoints mention.
 * Undefined: something is wrong, and messages.
 */
export async function readLabNodes(
  checked: Checked,
  input: CompileInput,
  flags: TargetFlags,
  options: NodeFilesOptions,
  homes: ReadonlyMap<string, EndpointHome>,
  report: Report,
): Promise<readonly LabNodeRules[] | undefined> {
  const given = namesOf(checked, homes);
  const names = flags.node === undefined && given.length > 0 ? given : [flags.node];
  const misuse = misuseOf(names, flags);
  if (misuse !== undefined) {
    report({ code: 'bad-option', severity: 'error', message: misuse, at: [], hint: `--node ${given[0]}` });
    return undefined;
  }
  const nodes: LabNodeRules[] = [];
  for (const [at, name] of names.entries()) {
    const target = { ...input.target, ...(name !== undefined && { node: name }) };
    const compiled = compileWithAddress(checked, { ...input, target }, at + 1, report);
    if (compiled === undefined) return undefined;
    const { policy } = options;
    const own = { ...options, policy: policy && { ...policy, node: compiled.model.node.name } };
    const files = await nodeFiles(compiled, own, report);
    const script = files.all.find((file) => file.name === 'apply.sh');
    nodes.push({ compiled, script: [...(script?.text() ?? [])].join(''), policies: files.policy?.backend });
  }
  return nodes;
}

function namesOf({ manifests }: Checked, homes: ReadonlyMap<string, EndpointHome>): readonly string[] {
  const nodes = manifests.nodes.map(({ value }) => value.metadata.name);
  if (nodes.length > 0) return nodes.sort();
  return [...new Set([...homes.values()].flatMap(({ node }) => node ?? []))].sort();
}

function misuseOf(names: readonly (string | undefined)[], flags: TargetFlags): string | undefined {
  if (names.length > mostNodes) return `the input has ${names.length} nodes: choose the one whose rules are wanted`;
  const isOfOne = flags.nodeIp !== undefined || flags.nodeAddress !== undefined;
  return names.length > 1 && isOfOne
    ? '--node-ip and --node-address are of one node, and the input has several'
    : undefined;
}

const mostNodes = 20;

/** A machine needs an address, and rules that know it: one is made up where the input tells none. */
function compileWithAddress(
  checked: Checked,
  input: CompileInput,
  number: number,
  report: Report,
): Compiled | undefined {
  const tried = compileChecked(checked, input, () => undefined);
  const isKnown = tried === undefined || !tried.model.node.addresses.every(isLoopbackIp);
  if (isKnown) return compileChecked(checked, input, report);
  const families = new Set(tried.model.servicePorts.map(({ family }) => family));
  const nodeIPs = [
    ...(families.has('ipv6') && !families.has('ipv4') ? [] : [`192.168.10.${number}`]),
    ...(families.has('ipv6') ? [`fd00:192:168:10::${number}`] : []),
  ];
  report({
    code: 'lab-address-made-up',
    severity: 'note',
    message: `the input tells no address of node ${tried.model.node.name}: it gets ${nodeIPs.join(' and ')}`,
    at: [],
  });
  return compileChecked(checked, { ...input, target: { ...input.target, nodeIPs } }, report);
}
