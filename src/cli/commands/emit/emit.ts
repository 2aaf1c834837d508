import { Command } from 'commander';
import type { SetExitCode } from '../../write/setExitCode.ts';

/**
 * `k8snet emit`: what else a cluster makes from the same manifests. If a target is named, only that one is loaded; the
 * list of targets loads all of them.
 */
export async function emitCommand(setExitCode: SetExitCode, argv: readonly string[]): Promise<Command> {
  const command = new Command('emit')
    .summary('generate DNS records, files of Pods, routes, and configurations of Ingresses and load balancers')
    .description('Computes what else a cluster makes of the same manifests, beside the rules of its nodes.');
  const named = targets.filter(([name]) => argv.includes(name));
  for (const [, load] of named.length > 0 ? named : targets) command.addCommand((await load())(setExitCode));
  return command.addHelpText('after', examples);
}

type AddTarget = (setExitCode: SetExitCode) => Command;

/** In the order of the help page. */
const targets: readonly (readonly [name: string, load: () => Promise<AddTarget>])[] = [
  ['dns', async () => (await import('./emitDns.ts')).emitDnsCommand],
  ['env', async () => (await import('./emitEnv.ts')).emitEnvCommand],
  ['resolv.conf', async () => (await import('./emitResolvConf.ts')).emitResolvConfCommand],
  ['hosts', async () => (await import('./emitHosts.ts')).emitHostsCommand],
  ['routes', async () => (await import('./emitRoutes.ts')).emitRoutesCommand],
  ['ingress', async () => (await import('./emitIngress.ts')).emitIngressCommand],
  ['lb', async () => (await import('./emitLb.ts')).emitLbCommand],
];

const examples = `
Examples:
  k8snet emit dns -f cluster.yaml --resolve web.shop
  k8snet emit env -f cluster.yaml --pod shop/web-0
  k8snet emit hosts -f pod.yaml --pod shop/web-0
  k8snet emit routes -f nodes.yaml --cni flannel --backend host-gw
  k8snet emit ingress -f ingress.yaml -f services.yaml > nginx.conf
  k8snet emit lb -f services.yaml -f nodes.yaml > haproxy.cfg
`;
