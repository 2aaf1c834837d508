import { type Command, InvalidArgumentError, Option } from 'commander';
import { partyWords } from '../../../common/text/partyWords.ts';
import type { DnsType } from '../../../derive/dns/dnsRecord.ts';
import type { DnsForm } from '../../../derive/dns/emitDns.ts';
import type { Asker } from '../../../derive/dns/questionFrom.ts';
import type { Resolver } from '../../../derive/dns/resolveName.ts';
import type { Emitted } from '../../../derive/emitted.ts';
import type { Report } from '../../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../../model/cluster.ts';
import { addEmitOptions, createEmitCommand, type EmitFlags, emitTarget } from '../../emitTarget.ts';
import { emitNeeds } from '../../objects/liveNeeds.ts';
import { dnsAddresses } from '../../options/dnsAddresses.ts';
import { addPodDnsOptions, type PodDnsFlags, podDnsSettings } from '../../options/podDnsOptions.ts';
import { integer, list } from '../../options/targetOptions.ts';
import { namespacedName } from '../../words/namespacedName.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';

type DnsOptions = EmitFlags &
  PodDnsFlags & {
    readonly ttl: number;
    readonly serial: number;
    readonly profile: 'coredns' | 'spec';
    readonly pods: 'disabled' | 'verified' | 'insecure';
    readonly namespaces?: readonly string[];
    readonly endpointPodNames: boolean;
    readonly dnsIp?: readonly string[];
    readonly reverse?: 'ipv4' | 'ipv6';
    readonly resolve?: string;
    readonly from: Asker;
    readonly type: DnsType;
    readonly resolver: Resolver;
    readonly output?: DnsForm | 'text';
  };

/** `k8snet emit dns`: the zones of the cluster's DNS, and what a Pod gets for a name. */
export function emitDnsCommand(setExitCode: SetExitCode): Command {
  const command = createEmitCommand(
    'dns',
    "the records of the cluster's DNS, or what a Pod gets for a name",
    "Prints the zone that the cluster's DNS servers answer from: Services, their endpoints, Pods. With --resolve it says what a program in a Pod gets for a name, step by step.",
  )
    .addOption(new Option('--ttl <seconds>', 'of records').argParser(integer('number of seconds', 0, 3600)).default(5))
    .addOption(new Option('--serial <n>', 'of the zone').argParser(integer('number', 0, 4_294_967_295)).default(1))
    .addOption(
      new Option('--profile <name>', 'what CoreDNS answers, or only what the DNS specification asks for')
        .choices(['coredns', 'spec'])
        .default('coredns'),
    )
    .addOption(
      new Option('--pods <mode>', 'records of Pods').choices(['disabled', 'verified', 'insecure']).default('disabled'),
    )
    .option('--namespaces <namespaces>', 'serve only these namespaces', list)
    .option('--endpoint-pod-names', 'call endpoints without a hostname as their Pods', false)
    .option('--dns-ip <ips>', 'addresses of the DNS servers, if their Service is not in the input', dnsAddresses)
    .addOption(new Option('--reverse <family>', 'print the zone of addresses').choices(['ipv4', 'ipv6']))
    .option('--resolve <name>', 'say what a Pod gets for this name')
    .addOption(
      new Option('--from <asker>', 'who asks: pod/NAMESPACE/NAME or ns/NAMESPACE')
        .argParser(asker)
        .default({ kind: 'namespace', namespace: 'default' } satisfies Asker, 'ns/default'),
    )
    .addOption(
      new Option('--type <type>', 'what is asked for')
        .choices(['A', 'AAAA', 'CNAME', 'SRV', 'PTR', 'TXT'])
        .default('A'),
    )
    .addOption(new Option('--resolver <name>', "the Pod's C library").choices(['glibc', 'musl']).default('glibc'));
  addPodDnsOptions(command);
  addEmitOptions(command, ['zone', 'hosts', 'json', 'text'], 'zone, with --resolve text');
  return command.addHelpText('after', examples).action(async (options: DnsOptions) => {
    setExitCode(await emitTarget(options, emitNeeds.dns, (cluster, report) => makeDns(cluster, options, report)));
  });
}

async function makeDns(cluster: Cluster, options: DnsOptions, report: Report): Promise<Emitted | undefined> {
  const misuse = misuseOf(options);
  if (misuse !== undefined) {
    report({ code: 'bad-option', severity: 'error', message: misuse, at: [] });
    return undefined;
  }
  const [{ clusterDns }, { clusterZones }, { dnsIndex }] = await Promise.all([
    import('../../../derive/podDns/clusterDns.ts'),
    import('../../../derive/dns/clusterZones.ts'),
    import('../../../derive/dns/dnsIndex.ts'),
  ]);
  const settings = {
    clusterDomain: options.clusterDomain,
    ttl: options.ttl,
    serial: options.serial,
    profile: options.profile,
    pods: options.pods,
    namespaces: options.namespaces && new Set(options.namespaces),
    usesPodNames: options.endpointPodNames,
    server: clusterDns(
      cluster,
      { service: options.dnsService, addresses: undefined, otherwise: options.dnsIp, isOfZone: true },
      report,
    ),
  };
  const zones = clusterZones(cluster, settings, report);
  const index = dnsIndex(zones);
  if (options.resolve !== undefined) {
    const { emitResolution } = await import('../../../derive/dns/emitResolution.ts');
    const asked = { name: options.resolve, type: options.type, resolver: options.resolver };
    const form = options.output === 'json' ? 'json' : 'text';
    // Assumptions about the servers are printed once.
    const pod = podDnsSettings({ ...options, clusterDns: options.clusterDns ?? settings.server.addresses }, report);
    return emitResolution(cluster, { index, settings, form, asker: options.from, asked, pod }, report);
  }
  const { emitDns, reportOtherZones } = await import('../../../derive/dns/emitDns.ts');
  const form = options.output === undefined || options.output === 'text' ? 'zone' : options.output;
  const emitted = emitDns(zones, index, form, options.reverse);
  if (form === 'zone' && options.outDir === undefined) reportOtherZones(zones, options.reverse, report);
  return emitted;
}

function misuseOf({ resolve, output, reverse }: DnsOptions): string | undefined {
  if (resolve === undefined) return output === 'text' ? '-o text is a form of --resolve' : undefined;
  if (output === 'zone' || output === 'hosts') return `--resolve has no form ${output}: text or json`;
  return reverse === undefined ? undefined : '--resolve and --reverse exclude each other';
}

function asker(text: string): Asker {
  const [, namespace] = /^(?:ns|namespaces?)[:/]([^/]+)$/.exec(text) ?? [];
  if (namespace !== undefined) return { kind: 'namespace', namespace };
  const words = partyWords(text);
  if (/^pod\/|^[^/]+\/[^/]+$/.test(words) && !/^(?:svc|node)\//.test(words))
    return { kind: 'pod', ...namespacedName(words) };
  throw new InvalidArgumentError('Give pod/NAMESPACE/NAME or ns/NAMESPACE.');
}

const examples = `
Examples:
  k8snet emit dns -f cluster.yaml
  k8snet emit dns -f cluster.yaml --out-dir zones/
  k8snet emit dns -f cluster.yaml --resolve web.shop --from ns/default
  k8snet emit dns -f cluster.yaml --resolve _http._tcp.web.shop.svc.cluster.local --type SRV -o json
  kubectl get svc,endpointslices,pods -A -o json | k8snet emit dns -f - -o hosts

Exit status: 0 done, 1 the name is not found, 2 bad usage or input, 70 a bug of k8snet.
`;
