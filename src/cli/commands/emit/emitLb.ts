import { InvalidArgumentError, Option } from 'commander';
import { canonicalIp } from '../../../common/addresses/ip.ts';
import { inPieces } from '../../../common/inPieces.ts';
import type { Emitted } from '../../../derive/emitted.ts';
import type { BalancerOptions } from '../../../derive/lb/balancerPlan.ts';
import type { Report } from '../../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../../model/cluster.ts';
import { addEmitOptions, createEmitCommand, type EmitFlags, emitTarget } from '../../emitTarget.ts';
import { emitNeeds } from '../../objects/liveNeeds.ts';
import { namespacedName } from '../../words/namespacedName.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';

type LbFlags = EmitFlags & {
  readonly lb: BalancerOptions['program'];
  readonly service?: readonly string[];
  readonly hostPorts?: readonly string[];
  readonly bind?: readonly string[];
  readonly proxyProtocol?: 'v1' | 'v2';
  readonly check: BalancerOptions['check'];
};

/** `k8snet emit lb`: a load balancer in front of node ports. */
export function emitLbCommand(setExitCode: SetExitCode): ReturnType<typeof createEmitCommand> {
  const command = createEmitCommand(
    'lb',
    'a load balancer in front of node ports or host ports',
    'Prints a complete configuration of haproxy or of nginx (stream) that balances connections to Services over the node ports of all nodes, or connections to the host ports of Pods.',
  )
    .addOption(new Option('--lb <program>', 'which program').choices(['haproxy', 'nginx']).default('haproxy'))
    .option(
      '--service <service>',
      'this Service: NAMESPACE/NAME; can be repeated (default: all of type LoadBalancer without a class)',
      serviceName,
    )
    .option(
      '--host-ports <workload>',
      'the host ports of this workload or Pod, as an Ingress controller has them: NAMESPACE/NAME; can be repeated',
      serviceName,
    )
    .option('--bind <ips>', 'addresses to listen on (default: those of each Service)', addresses)
    .addOption(new Option('--proxy-protocol <version>', 'tell nodes the source in a PROXY line').choices(['v1', 'v2']))
    .addOption(
      new Option('--check <how>', 'how haproxy checks nodes: node port, health of kube-proxy, not at all')
        .choices(['tcp', 'kube-proxy', 'none'])
        .default('tcp'),
    );
  addEmitOptions(command, ['config']);
  return command.addHelpText('after', examples).action(async (flags: LbFlags) => {
    setExitCode(await emitTarget(flags, emitNeeds.lb, (cluster, report) => emitLb(cluster, flags, report)));
  });
}

async function emitLb(cluster: Cluster, flags: LbFlags, report: Report): Promise<Emitted | undefined> {
  if (flags.lb === 'nginx' && flags.proxyProtocol === 'v2') {
    const message = '--proxy-protocol v2: nginx sends version 1 only';
    report({ code: 'bad-option', severity: 'error', message, at: [], hint: 'use v1, or --lb haproxy' });
    return undefined;
  }
  const [{ planBalancer }, { balancerNodes }] = await Promise.all([
    import('../../../derive/lb/planBalancer.ts'),
    import('../../../derive/lb/balancerNodes.ts'),
  ]);
  const options: BalancerOptions = {
    program: flags.lb,
    check: flags.check,
    ...(flags.service === undefined ? {} : { services: flags.service }),
    ...(flags.hostPorts === undefined ? {} : { hostPorts: flags.hostPorts }),
    ...(flags.bind === undefined ? {} : { bind: flags.bind }),
    ...(flags.proxyProtocol === undefined ? {} : { proxyProtocol: flags.proxyProtocol }),
  };
  const nodes = () => balancerNodes(cluster.manifests.nodes, report);
  const listeners = planBalancer(cluster, nodes, options, report);
  if (listeners === undefined) return undefined;
  const [name, lines] =
    flags.lb === 'haproxy'
      ? (['haproxy.cfg', (await import('../../../derive/lb/haproxyConfig.ts')).haproxyConfig] as const)
      : (['nginx.conf', (await import('../../../derive/lb/nginxStreamConfig.ts')).nginxStreamConfig] as const);
  const text = () => inPieces(lines(listeners));
  return { printed: text(), files: [{ name, form: 'state', text }], hasFindings: false };
}

function serviceName(text: string, before: readonly string[] | undefined): readonly string[] {
  const { namespace, name } = namespacedName(text);
  return [...(before ?? []), `${namespace}/${name}`];
}

function addresses(text: string): readonly string[] {
  const found = text.split(',').map((part) => {
    const ip = canonicalIp(part.trim());
    if (ip === undefined) throw new InvalidArgumentError(`${part.trim()} is not an IP address.`);
    return ip;
  });
  return [...new Set(found)];
}

const examples = `
Examples:
  k8snet emit lb -f services.yaml -f nodes.yaml > haproxy.cfg && haproxy -c -f haproxy.cfg
  k8snet emit lb -f services.yaml -f nodes.yaml --lb nginx
  k8snet emit lb -f services.yaml -f nodes.yaml --service shop/web --bind 203.0.113.10
  k8snet emit lb -f controller.yaml -f nodes.yaml --host-ports ingress-nginx/controller
  kubectl get services,endpointslices,nodes -A -o json | k8snet emit lb -f - --out-dir lb/

Exit status: 0 done, 2 bad usage or input, 70 a bug of k8snet.
`;
