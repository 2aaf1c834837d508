import { InvalidArgumentError, Option } from 'commander';
import { parseCidr } from '../../../common/addresses/cidr.ts';
import { inPieces } from '../../../common/inPieces.ts';
import type { Emitted } from '../../../derive/emitted.ts';
import type { RoutesOptions } from '../../../derive/routes/routesOptions.ts';
import type { RoutesPlan } from '../../../derive/routes/routesPlan.ts';
import type { Report } from '../../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../../model/cluster.ts';
import { addEmitOptions, createEmitCommand, type EmitFlags, emitTarget } from '../../emitTarget.ts';
import { emitNeeds } from '../../objects/liveNeeds.ts';
import { collect } from '../../options/commonOptions.ts';
import { clusterCidr, integer } from '../../options/targetOptions.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';

type Form = 'route' | 'script' | 'json' | 'route-n';

type RoutesFlags = EmitFlags & {
  readonly cni: RoutesOptions['cni'];
  readonly backend: RoutesOptions['backend'];
  readonly node?: string;
  readonly iface: string;
  readonly nodeSubnet?: readonly string[];
  readonly clusterCidr?: string;
  readonly directRouting: boolean;
  readonly vni: number;
  readonly flannelVersion: boolean;
  readonly calicoEncap: string;
  readonly blockSize: number;
  readonly output: Form;
};

/** `k8snet emit routes`: the routes that a network plug-in sets on the nodes. */
export function emitRoutesCommand(setExitCode: SetExitCode): ReturnType<typeof createEmitCommand> {
  const command = createEmitCommand(
    'routes',
    'routes of the Pod network',
    'Prints the routes, neighbors and forwarding entries that a network plug-in sets on each node, and checks that the networks of nodes, Pods and Services are apart.',
  )
    .addOption(choice('--cni <name>', 'network plug-in', ['flannel', 'calico', 'kindnet', 'bridge']))
    .addOption(choice('--backend <name>', "flannel's back end", ['vxlan', 'host-gw', 'udp']))
    .option('--node <node>', 'this node only (default: all)')
    .option('--iface <name>', 'device that nodes reach each other through', device, 'eth0')
    .option('--node-subnet <cidr>', 'a link of the nodes; can be repeated', subnet)
    .option('--cluster-cidr <cidrs>', 'network of all Pods, or one of each family', clusterCidr)
    .option('--direct-routing', "flannel's DirectRouting: no tunnel between nodes of one link", false)
    .option('--vni <n>', "number of flannel's VXLAN", integer('number', 1, 9_999_999), 1)
    .addOption(
      new Option('--flannel-version <version>', 'version of flannel').argParser(isPerNode).default(true, '0.25'),
    )
    .addOption(choice('--calico-encap <name>', "Calico's tunnel", encapsulations))
    .option('--block-size <bits>', "prefix length of Calico's IPv4 blocks", integer('length', 20, 32), 26);
  addEmitOptions(command, ['route', 'script', 'json', 'route-n'] satisfies readonly Form[]);
  return command.addHelpText('after', examples).action(async (flags: RoutesFlags) => {
    setExitCode(await emitTarget(flags, emitNeeds.routes, (cluster, report) => emitRoutes(cluster, flags, report)));
  });
}

async function emitRoutes(cluster: Cluster, flags: RoutesFlags, report: Report): Promise<Emitted | undefined> {
  const [{ planNodeRoutes }, { routesFiles }] = await Promise.all([
    import('../../../derive/routes/planNodeRoutes.ts'),
    import('../../../output/routesFiles.ts'),
  ]);
  const plan = planNodeRoutes(cluster.manifests, routesOptions(flags, cluster), report);
  if (plan === undefined) return undefined;
  if (flags.output === 'script' && flags.outDir === undefined && plan.nodes.length > 1) {
    const message = `a script is for one node, the input has ${plan.nodes.length}`;
    const hint = 'choose one with --node, or write all scripts with --out-dir';
    report({ code: 'bad-option', severity: 'error', message, at: [], hint });
    return undefined;
  }
  const printed = await printPlan(plan, flags);
  return { printed, files: routesFiles(plan), hasFindings: plan.hasFindings };
}

async function printPlan(plan: RoutesPlan, { output, node }: RoutesFlags): Promise<Iterable<string>> {
  const isHeaded = node === undefined;
  switch (output) {
    case 'route':
      return inPieces((await import('../../../derive/routes/printRoutes.ts')).printRoutes(plan, isHeaded));
    case 'route-n':
      return inPieces((await import('../../../derive/routes/printRouteTable.ts')).printRouteTable(plan, isHeaded));
    case 'json':
      return (await import('../../../derive/routes/routesJson.ts')).routesJson(plan);
    case 'script': {
      const { routesScript } = await import('../../../script/routesScript.ts');
      const [only] = plan.nodes;
      return only === undefined ? [] : inPieces(routesScript(only.name, only.entries()));
    }
  }
}

const encapsulations = ['none', 'ipip', 'ipip-cross-subnet', 'vxlan', 'vxlan-cross-subnet'];
const crossSubnet = '-cross-subnet';

function routesOptions(flags: RoutesFlags, cluster: Cluster): RoutesOptions {
  const cidrs = (texts: readonly string[]) => texts.map((text) => parseCidr(text)).filter((cidr) => cidr !== undefined);
  return {
    cni: flags.cni,
    backend: flags.backend,
    ...(flags.node === undefined ? {} : { node: flags.node }),
    iface: flags.iface,
    nodeSubnets: cidrs(flags.nodeSubnet ?? []),
    clusterCIDRs: cidrs((flags.clusterCidr ?? '').split(',').map((text) => text.trim())),
    serviceCIDRs: cidrs(cluster.serviceCIDRs),
    usesDirectRouting: flags.directRouting,
    vni: flags.vni,
    hasRoutePerNode: flags.flannelVersion,
    calico: {
      tunnel: flags.calicoEncap.replace(crossSubnet, '') as RoutesOptions['calico']['tunnel'],
      isCrossSubnetOnly: flags.calicoEncap.endsWith(crossSubnet),
      blockSize: flags.blockSize,
    },
  };
}

/** The first choice is the default. */
function choice(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).default(choices[0]);
}

/** A device's name, with characters that a shell leaves alone. */
function device(text: string): string {
  if (!/^[A-Za-z0-9_.:@-]{1,15}$/.test(text)) throw new InvalidArgumentError('Not a name of a network device.');
  return text;
}

function subnet(text: string, before: readonly string[] | undefined): readonly string[] {
  if (parseCidr(text) === undefined) throw new InvalidArgumentError(`${text} is not a network such as 192.0.2.0/24.`);
  return collect(text, before);
}

/** Since 0.9 flannel has a route to each node's range; before, one to the network of all Pods. */
function isPerNode(text: string): boolean {
  const match = /^v?(\d{1,4})\.(\d{1,4})(?:\.\d{1,4})?$/.exec(text);
  if (match === null) throw new InvalidArgumentError('A version looks like 0.25 or 0.8.0.');
  return Number(match[1]) > 0 || Number(match[2]) >= 9;
}

const examples = `
Examples:
  k8snet emit routes -f nodes.yaml                                        every node of a flannel cluster (VXLAN)
  k8snet emit routes -f nodes.yaml --backend host-gw --node n1
  k8snet emit routes -f nodes.yaml --node n1 -o script | ssh n1 sudo sh
  k8snet emit routes -f nodes.yaml -f blocks.yaml --cni calico --calico-encap ipip
  k8snet emit routes -f nodes.yaml --cni bridge                           and what the router has to know
  kubectl get nodes -o json | k8snet emit routes -f - --cni kindnet -o json

Exit status: 0 done, 1 networks overlap or a node cannot be reached, 2 bad usage or input, 70 a bug of k8snet.
`;
