import type { Command } from 'commander';
import type { EnvForm } from '../../../derive/env/emitEnv.ts';
import { addEmitOptions, createEmitCommand, type EmitFlags, emitTarget } from '../../emitTarget.ts';
import { emitNeeds } from '../../objects/liveNeeds.ts';
import type { NamespacedName } from '../../options/emitPodOptions.ts';
import { namespacedName } from '../../words/namespacedName.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';

type EnvOptions = EmitFlags & {
  readonly pod?: NamespacedName;
  readonly container?: string;
  readonly namespace?: string;
  readonly ignoreOrder: boolean;
  readonly output: EnvForm;
};

/** `k8snet emit env`: the variables of Services in a container's environment. */
export function emitEnvCommand(setExitCode: SetExitCode): Command {
  const command = createEmitCommand(
    'env',
    'the environment variables of Services in a container',
    'Prints the variables by which the kubelet tells a container of the Services that were there when it started.',
  )
    .option('--pod <pod>', 'the Pod: NAMESPACE/NAME', namespacedName)
    .option('--container <name>', 'container of the Pod (default: the first)')
    .option('--namespace <namespace>', 'instead of --pod: any Pod of this namespace that is made now')
    .option('--ignore-order', 'show Services that were made after the container started too', false);
  addEmitOptions(command, ['env', 'export', 'dotenv', 'json']);
  return command.addHelpText('after', examples).action(async (options: EnvOptions) => {
    setExitCode(
      await emitTarget(options, emitNeeds.env, async (cluster, report) => {
        const { pod, namespace, container } = options;
        const common = { ignoresOrder: options.ignoreOrder, form: options.output };
        const misuse = misuseOf(options);
        if (misuse !== undefined) report({ code: 'bad-option', severity: 'error', message: misuse, at: [] });
        const { emitEnv } = await import('../../../derive/env/emitEnv.ts');
        if (misuse !== undefined) return undefined;
        if (pod !== undefined) return emitEnv(cluster, { ...common, kind: 'pod', pod, container }, report);
        return emitEnv(cluster, { ...common, kind: 'namespace', namespace: namespace ?? '' }, report);
      }),
    );
  });
}

function misuseOf({ pod, namespace, container }: EnvOptions): string | undefined {
  if (pod === undefined && namespace === undefined) return 'give --pod NAMESPACE/NAME or --namespace NAME';
  if (pod !== undefined && namespace !== undefined) return '--pod and --namespace exclude each other';
  return pod === undefined && container !== undefined ? '--container needs --pod' : undefined;
}

const examples = `
Examples:
  k8snet emit env -f cluster.yaml --pod shop/web-0
  k8snet emit env -f services.yaml --namespace shop -o export >env.sh
  kubectl get svc,pods -A -o json | k8snet emit env -f - --pod shop/web-0 --ignore-order

Exit status: 0 done, 2 bad usage or input, 70 a bug of k8snet.
`;
