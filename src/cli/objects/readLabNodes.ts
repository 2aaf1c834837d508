import { isLoopbackIp } from '../../common/addresses/ip.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { NodeFilesOptions } from '../../output/nodeFiles.ts';
import { type CheckedObjects, type Compiled, compileNode, type EndpointHome, toFiles } from '../../public/core.ts';
import { orThrow, told } from '../../public/result.ts';
import type { TargetFlags } from '../options/targetOptions.ts';

/** A node of a lab: the source of its rules, and the script that loads them. */
export interface LabNodeRules {
  readonly compiled: Compiled;
  readonly script: string;
  /** The kind of rules that its policies have; undefined without policies. */
  readonly policies: 'nftables' | 'iptables' | undefined;
}

/**
 * Rules for the node that the options name, otherwise for every Node of the input, or for those that Pods and endpoints
 * mention. Undefined: something is wrong, which is reported.
 */
export async function readLabNodes(
  checked: CheckedObjects,
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
    const target = name === undefined ? {} : { node: name };
    const compiled = await compileWithAddress(checked, target, at + 1, report);
    if (compiled === undefined) return undefined;
    const { policy } = options;
    const own = {
      ...options,
      isOneOfMany: names.length > 1,
      policy: policy && { ...policy, node: compiled.model.node.name },
    };
    const files = await orThrow(toFiles(compiled, own), report);
    const script = files.all.find((file) => file.name === 'apply.sh');
    nodes.push({ compiled, script: [...(script?.text() ?? [])].join(''), policies: files.policy?.backend });
  }
  return nodes;
}

function namesOf({ manifests }: CheckedObjects, homes: ReadonlyMap<string, EndpointHome>): readonly string[] {
  const nodes = manifests.nodes.map(({ value }) => value.metadata.name);
  if (nodes.length > 0) return nodes.sort();
  const ofPods = manifests.pods.flatMap(({ value }) => value.spec?.nodeName || []);
  return [...new Set([...[...homes.values()].flatMap(({ node }) => node ?? []), ...ofPods])].sort();
}

function misuseOf(names: readonly (string | undefined)[], flags: TargetFlags): string | undefined {
  if (names.length > mostNodes) return `the input has ${names.length} nodes: choose the one whose rules are wanted`;
  const isOfOne = flags.nodeIp !== undefined || flags.nodeAddress !== undefined;
  return names.length > 1 && isOfOne
    ? '--node-ip and --node-address are of one node, and the input has several'
    : undefined;
}

const mostNodes = 20;

/** A machine needs an address, and rules that contain it: one is invented if the input has none. */
async function compileWithAddress(
  checked: CheckedObjects,
  target: { readonly node?: string },
  number: number,
  report: Report,
): Promise<Compiled | undefined> {
  const tried = await told(compileNode(checked, target), () => undefined);
  const isKnown = tried === undefined || !tried.model.node.addresses.every(isLoopbackIp);
  if (isKnown) return told(compileNode(checked, target), report);
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
  return told(compileNode(checked, { ...target, nodeIPs }), report);
}
