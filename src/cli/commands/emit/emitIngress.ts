import { InvalidArgumentError, Option } from 'commander';
import { inPieces } from '../../../common/inPieces.ts';
import type { Emitted } from '../../../derive/emitted.ts';
import type { IngressOptions } from '../../../derive/ingress/ingressOptions.ts';
import type { Report } from '../../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../../model/cluster.ts';
import { addEmitOptions, createEmitCommand, type EmitFlags, emitTarget } from '../../emitTarget.ts';
import { emitNeeds } from '../../objects/liveNeeds.ts';
import { integer, ips } from '../../options/targetOptions.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';

type IngressFlags = EmitFlags & {
  readonly upstream: IngressOptions['upstream'];
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly tlsDir: string;
  readonly ingressClass?: string;
  readonly defaultBackend?: NonNullable<IngressOptions['defaultBackend']>;
  readonly sslRedirect: boolean;
  readonly clusterDns?: readonly string[];
};

/** `k8snet emit ingress`: a reverse proxy for the Ingresses of the input. */
export function emitIngressCommand(setExitCode: SetExitCode): ReturnType<typeof createEmitCommand> {
  const port = integer('port', 1, 65_535);
  const command = createEmitCommand(
    'ingress',
    'an nginx configuration that serves Ingresses',
    'Prints a complete nginx configuration that does what the Ingresses of the input ask for.',
  )
    .addOption(
      new Option('--upstream <what>', 'proxy to the ready endpoints, or to the cluster IP')
        .choices(['endpoints', 'cluster-ip'])
        .default('endpoints'),
    )
    .option('--http-port <port>', 'port for HTTP', port, 80)
    .option('--https-port <port>', 'port for HTTPS', port, 443)
    .option('--tls-dir <dir>', 'folder of the certificates on the host of nginx', tlsDir, '/etc/nginx/tls')
    .option('--ingress-class <name>', 'only Ingresses of this class (default: all)')
    .option('--default-backend <backend>', 'where other requests go: NAMESPACE/SERVICE:PORT', backend)
    .option('--ssl-redirect', 'send requests for hosts with TLS to HTTPS', false)
    .option('--cluster-dns <ips>', 'DNS servers for ExternalName Services (default: those of the cluster)', ips);
  addEmitOptions(command, ['nginx']);
  return command.addHelpText('after', examples).action(async (flags: IngressFlags) => {
    setExitCode(await emitTarget(flags, emitNeeds.ingress, (cluster, report) => emitIngress(cluster, flags, report)));
  });
}

async function emitIngress(cluster: Cluster, flags: IngressFlags, report: Report): Promise<Emitted> {
  const [{ planIngress }, { ingressFiles }, { nginxConfig }, { clusterDns }] = await Promise.all([
    import('../../../derive/ingress/planIngress.ts'),
    import('../../../output/ingressFiles.ts'),
    import('../../../derive/ingress/nginxConfig.ts'),
    import('../../../derive/podDns/clusterDns.ts'),
  ]);
  const { upstream, ingressClass, defaultBackend, sslRedirect, httpPort, httpsPort } = flags;
  const options: IngressOptions = {
    upstream,
    redirectsToTls: sslRedirect,
    ...(ingressClass === undefined ? {} : { ingressClass }),
    ...(defaultBackend === undefined ? {} : { defaultBackend }),
  };
  const dns = { service: { namespace: 'kube-system', name: 'kube-dns' }, addresses: flags.clusterDns };
  const resolvers = () => clusterDns(cluster, dns, report).addresses;
  const plan = planIngress(cluster.manifests.ingresses, cluster.services, options, resolvers, report);
  const nginx = { httpPort, httpsPort, tlsDir: flags.tlsDir };
  return {
    printed: inPieces(nginxConfig(plan, nginx)),
    files: flags.outDir === undefined ? [] : ingressFiles(plan, nginx, cluster.manifests.secrets, report),
    hasFindings: false,
  };
}

/** nginx would read a dollar sign in the path of a certificate as a variable. */
function tlsDir(text: string): string {
  if (text === '' || /[$\p{Cc}]/u.test(text)) {
    throw new InvalidArgumentError('A folder without dollar signs and control characters.');
  }
  return text.replace(/(?<=.)\/+$/, '');
}

function backend(text: string): NonNullable<IngressOptions['defaultBackend']> {
  const match = /^(?:([^/:]+)\/)?([^/:]+):([^/:]+)$/.exec(text);
  if (match === null) throw new InvalidArgumentError('Give NAMESPACE/SERVICE:PORT.');
  return { namespace: match[1] ?? 'default', service: match[2] ?? '', port: match[3] ?? '' };
}

const examples = `
Examples:
  k8snet emit ingress -f ingress.yaml -f services.yaml > nginx.conf && nginx -t -c $PWD/nginx.conf
  k8snet emit ingress -f app/ -R --assume-pods --upstream cluster-ip
  k8snet emit ingress -f app/ -R --tls-dir /etc/nginx/tls --out-dir proxy/
  kubectl get ingresses,services,endpointslices -A -o json | k8snet emit ingress -f - --ingress-class nginx

Exit status: 0 done, 2 bad usage or input, 70 a bug of k8snet.
`;
