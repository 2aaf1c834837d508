import { Command, Option } from 'commander';
import { count } from '../common/text/count.ts';
import type { Emitted } from '../derive/emitted.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { KubeVersion } from '../dialect/version.ts';
import type { LiveNeeds } from '../live/lists/liveKinds.ts';
import { load } from '../load/files/load.ts';
import type { Cluster } from '../model/cluster.ts';
import { resolveCluster } from '../public/core.ts';
import { told } from '../public/result.ts';
import { withCluster } from './objects/withCluster.ts';
import { type AssumeFlags, addAssumeOptions, assumeOptions } from './options/assumeOptions.ts';
import { addInputOptions, addMessageOptions, type InputOptions, type MessageOptions } from './options/commonOptions.ts';
import { cidrList, kubeVersion } from './options/targetOptions.ts';
import { exitCodes } from './write/exitCodes.ts';
import { collectMessages } from './write/messages.ts';
import { writeOut } from './write/writeOut.ts';

/** The options that every target of `k8snet emit` takes. */
export type EmitFlags = InputOptions &
  MessageOptions &
  AssumeFlags & {
    readonly kubeVersion?: KubeVersion;
    readonly serviceCidr?: readonly string[];
    readonly allocate: boolean;
    readonly outDir?: string;
  };

/** A target of `k8snet emit`, with `-f` and `-R`; it adds its own options, then `addEmitOptions`. */
export function createEmitCommand(name: string, summary: string, description: string): Command {
  return addInputOptions(new Command(name).summary(summary).description(description), false);
}

/**
 * Adds what all targets share; `forms` are those of `-o`, the first one is the default unless `defaultForm` says in words
 * what it depends on.
 */
export function addEmitOptions(command: Command, forms: readonly string[], defaultForm?: string): Command {
  const output = new Option(
    '-o, --output <form>',
    `form of the output${defaultForm === undefined ? '' : ` (default: ${defaultForm})`}`,
  ).choices(forms);
  command
    .addOption(
      new Option('--kube-version <version>', 'version of Kubernetes (default: the newest known)').argParser(
        kubeVersion,
      ),
    )
    .option('--service-cidr <cidrs>', 'range of cluster IPs, or one of each family (default: 10.96.0.0/12)', cidrList)
    .option('--no-allocate', 'do not fill in what the API server would allocate');
  addAssumeOptions(command)
    .addOption(defaultForm === undefined ? output.default(forms[0]) : output)
    .option('--out-dir <dir>', 'write every file of the target into this folder instead');
  return addMessageOptions(command);
}

/**
 * The run of a target: reads the input, lets `make` turn the cluster into text, and prints or writes it. Nothing is
 * printed after an error was reported. Returns the exit code.
 */
export async function emitTarget(
  options: EmitFlags,
  needs: LiveNeeds,
  make: (cluster: Cluster, report: Report) => Emitted | undefined | Promise<Emitted | undefined>,
): Promise<number> {
  const messages = collectMessages(options);
  const files = await load(options.filename, { recursive: options.recursive, keepsShortWords: true }, messages.report);
  const { objects, sources } = await withCluster(files, options, needs, messages);
  messages.progress(`${count(objects.length, 'object')} read`);
  const target = {
    allocates: options.allocate,
    ...(options.serviceCidr && { serviceCIDRs: options.serviceCidr }),
    ...assumeOptions(options),
    kubeVersion: options.kubeVersion,
  };
  const cluster = await told(resolveCluster(objects, target), messages.report);
  const emitted = cluster === undefined || messages.hasErrors() ? undefined : await make(cluster, messages.report);
  if (emitted !== undefined && !messages.hasErrors()) {
    if (options.outDir === undefined) {
      writeOut(emitted.printed);
    } else {
      const { writeFolder } = await import('./write/writeFolder.ts');
      const written = writeFolder(options.outDir, emitted.files, messages.report);
      if (written === undefined) {
        await messages.flush(sources);
        return exitCodes.cannotWrite;
      }
      messages.progress(`${count(written.length, 'file')} written`);
    }
  }
  await messages.flush(sources);
  if (emitted === undefined || messages.hasErrors()) return exitCodes.badInput;
  return emitted.hasFindings ? exitCodes.differs : exitCodes.ok;
}
