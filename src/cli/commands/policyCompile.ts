import { Command, InvalidArgumentError, Option } from 'commander';
import { type Cidr, parseCidr } from '../../common/cidr.ts';
import type { CompiledPolicies } from '../../emit/policy/compilePolicies.ts';
import type { Artefact } from '../../output/artefact.ts';
import { addInputOptions, addTalkOptions, type InputOptions, type TalkOptions } from '../commonOptions.ts';
import { exitCodes } from '../exitCodes.ts';
import { readPolicyInput } from '../policyInput.ts';
import { addVerdictOptions, type VerdictFlags } from '../policyOptions.ts';
import type { SetExitCode } from '../program.ts';
import { talk } from '../talk.ts';
import { writeFolder } from '../writeFolder.ts';
import { writeOut } from '../writeOut.ts';

type CompileOptions = InputOptions &
  TalkOptions &
  VerdictFlags & {
    readonly node?: string;
    readonly backend: 'nftables' | 'iptables';
    readonly policyLayout: 'strict' | 'kube-router';
    readonly syncVersion: string;
    readonly deny: 'drop' | 'reject';
    readonly log?: number;
    readonly unknownPods: 'allow' | 'deny';
    readonly podCidr?: readonly Cidr[];
    readonly serviceCidr?: readonly Cidr[];
    readonly hook: 'forward' | 'postrouting';
    readonly family: 'ipv4' | 'ipv6';
    readonly output: 'save' | 'restore' | 'script';
    readonly outDir?: string;
  };

/** `k8snet policy compile`: the rules that enforce the policies on a node. */
export function policyCompileCommand(setExitCode: SetExitCode): Command {
  const command = new Command('compile')
    .summary('compile NetworkPolicies to the rules of a node')
    .description('Prints rules for the Pods of one node: an nftables table of its own, or iptables chains and ipsets.')
    .option('--node <name>', 'node to compile for (default: the only Node given)')
    .addOption(new Option('--backend <name>', 'kind of rules').choices(['nftables', 'iptables']).default('nftables'))
    .addOption(
      new Option(
        '--policy-layout <layout>',
        "iptables: kube-router's rules repaired, or as kube-router 2.11 writes them",
      )
        .choices(['strict', 'kube-router'])
        .default('strict'),
    )
    .option('--sync-version <text>', 'iptables: hashed into chain names, as the time of a sync is', '0')
    .addOption(new Option('--deny <how>', 'what happens to denied traffic').choices(['drop', 'reject']).default('drop'))
    .option('--log <group>', 'send some denied packets to this netlink log group', logGroup)
    .addOption(
      new Option('--unknown-pods <verdict>', 'addresses of the pod range that are no known Pod')
        .choices(['allow', 'deny'])
        .default('allow'),
    )
    .option('--pod-cidr <cidrs>', "pod range of the node (default: the Node's)", cidrs)
    .option('--service-cidr <cidrs>', 'iptables: range of cluster IPs (default: 10.96.0.0/12)', cidrs)
    .addOption(
      new Option('--hook <hook>', 'nftables: postrouting for nodes with kube-proxy in IPVS mode')
        .choices(['forward', 'postrouting'])
        .default('forward'),
    )
    .addOption(new Option('--family <family>', 'family on standard output').choices(['ipv4', 'ipv6']).default('ipv4'))
    .addOption(
      new Option('-o, --output <form>', 'save: as the kernel shows it; restore: to load; script: shell (iptables)')
        .choices(['save', 'restore', 'script'])
        .default('restore'),
    )
    .option('--out-dir <dir>', 'write every artefact of both families into this folder instead');
  addVerdictOptions(addInputOptions(command));
  addTalkOptions(command);
  return command.addHelpText('after', examples).action(async (options: CompileOptions) => {
    setExitCode(await compileAction(options));
  });
}

async function compileAction(options: CompileOptions): Promise<number> {
  const said = talk(options);
  const input = await readPolicyInput(options, said);
  if (input === undefined) return exitCodes.badInput;
  const { compilePolicies } = await import('../../emit/policy/compilePolicies.ts');
  const onlyNode = input.model.nodes.length === 1 ? input.model.nodes[0]?.name : undefined;
  const node = options.node ?? onlyNode;
  if (node === undefined && input.model.nodes.length > 1) {
    said.report({
      code: 'node-not-chosen',
      severity: 'warning',
      message: 'several Nodes are given and none is chosen: the rules are for the Pods of all of them',
      at: [],
      hint: `--node ${input.model.nodes[0]?.name}`,
    });
  }
  const { deny, hook, hairpin, icmp, unknownPods, syncVersion, log, podCidr, serviceCidr } = options;
  const compiled = compilePolicies(
    input.model,
    {
      backends: [options.backend],
      layout: options.policyLayout,
      deny,
      hook,
      hairpin,
      icmp,
      unknownPods,
      syncVersion,
      ...(node === undefined ? {} : { node }),
      ...(log === undefined ? {} : { logGroup: log }),
      ...(podCidr === undefined ? {} : { podCIDRs: podCidr }),
      ...(serviceCidr === undefined ? {} : { serviceCIDRs: serviceCidr.map(({ text }) => text) }),
    },
    said.report,
  );
  if (options.outDir !== undefined) {
    writeFolder(options.outDir, artefactsOf(compiled), said.report);
  } else {
    writeOut([chosen(compiled, options)]);
  }
  await said.flush(input.sources);
  return said.hasErrors() ? exitCodes.badInput : exitCodes.ok;
}

function artefactsOf(compiled: CompiledPolicies): readonly Artefact[] {
  const of = (
    name: string,
    family: Artefact['family'],
    form: Artefact['form'],
    text: string | undefined,
  ): readonly Artefact[] => (text === undefined ? [] : [{ name: `netpol.${name}`, family, form, text: () => [text] }]);
  const { nftables, nftablesSave, iptables, iptablesSave } = compiled;
  return [
    ...of('nft.v4.restore', 'ipv4', 'restore', nftables?.v4),
    ...of('nft.v6.restore', 'ipv6', 'restore', nftables?.v6),
    ...of('nft.v4.save', 'ipv4', 'save', nftablesSave?.v4),
    ...of('nft.v6.save', 'ipv6', 'save', nftablesSave?.v6),
    ...of('iptables.v4.restore', 'ipv4', 'restore', iptables?.v4),
    ...of('iptables.v6.restore', 'ipv6', 'restore', iptables?.v6),
    ...of('iptables.v4.save', 'ipv4', 'save', iptablesSave?.v4),
    ...of('iptables.v6.save', 'ipv6', 'save', iptablesSave?.v6),
    ...of('ipset.restore', undefined, 'restore', compiled.ipset),
    ...of('ipset.save', undefined, 'save', compiled.ipsetSave),
    ...of('apply.sh', undefined, 'script', compiled.nftablesScript ?? compiled.iptablesScript),
  ];
}

function chosen(compiled: CompiledPolicies, { output, family }: CompileOptions): string {
  if (output === 'script') return compiled.nftablesScript ?? compiled.iptablesScript ?? '';
  const version = family === 'ipv4' ? 'v4' : 'v6';
  const saved = compiled.nftablesSave ?? compiled.iptablesSave;
  const restored = compiled.nftables ?? compiled.iptables;
  return (output === 'save' ? saved : restored)?.[version] ?? '';
}

function logGroup(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65535)
    throw new InvalidArgumentError('A group is a number up to 65535.');
  return Number(text);
}

function cidrs(text: string): readonly Cidr[] {
  return text.split(',').map((part) => {
    const cidr = parseCidr(part.trim());
    if (cidr === undefined) throw new InvalidArgumentError(`${part} is no CIDR.`);
    return cidr;
  });
}

const examples = `
Examples:
  k8snet policy compile -f cluster.yaml --node n1 | ssh n1 sudo nft -f -
  k8snet policy compile -f cluster.yaml --node n1 --backend iptables -o script | ssh n1 sudo sh
  k8snet policy compile -f cluster.yaml --node n1 --backend iptables --policy-layout kube-router -o save

Exit status: 0 done, 2 bad usage or input (nothing is written), 70 a bug of k8snet.
`;
