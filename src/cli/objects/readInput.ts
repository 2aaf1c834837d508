import { count } from '../../common/text/count.ts';
import { parseKubeVersion } from '../../dialect/version.ts';
import type { LiveNeeds } from '../../live/lists/liveKinds.ts';
import { bothSources } from '../../load/bothSources.ts';
import { type ProxyLog, readProxyLog } from '../../load/flags/readProxyLog.ts';
import type { Loaded } from '../../load/loaded.ts';
import { load, loadConfig } from '../../public/api.ts';
import type { CompileOptions } from '../../public/core.ts';
import { told } from '../../public/result.ts';
import type { InputOptions } from '../options/commonOptions.ts';
import { type TargetFlags, targetOptions } from '../options/targetOptions.ts';
import type { Messages } from '../write/messages.ts';
import { rulesNeeds } from './liveNeeds.ts';
import { withCluster } from './withCluster.ts';

/** The manifests that a command line names, and the options for compiling them, including the configuration. */
export interface ReadInput extends Loaded {
  readonly options: CompileOptions & Required<Pick<CompileOptions, 'configObjects'>>;
}

export async function readInput(
  flags: InputOptions & TargetFlags,
  messages: Messages,
  isForRules = false,
  needs: LiveNeeds = rulesNeeds(flags),
): Promise<ReadInput> {
  const files = await told(
    load(flags.filename, { recursive: flags.recursive, onlyForRules: isForRules }),
    messages.report,
  );
  const manifests = await withCluster(files, flags, needs, messages);
  const config = flags.config ? await told(loadConfig(flags.config), messages.report) : undefined;
  messages.progress(`${count(manifests.objects.length, 'object')} read`);
  const log = readProxyLog((flags.config && config?.sources.textOf(flags.config)) ?? '');
  return {
    objects: manifests.objects,
    options: {
      ...(log && logged(log, manifests.objects)),
      ...targetOptions(flags),
      configObjects: config?.objects ?? [],
      kubeVersion: flags.kubeVersion ?? parseKubeVersion(log?.version ?? ''),
      unknownFields: flags.validate,
    },
    sources: bothSources(manifests.sources, config?.sources),
    ...(manifests.snapshot && { snapshot: manifests.snapshot }),
  };
}

/** A log shows the node's IP, and with it the node. */
function logged({ nodeIPs }: ProxyLog, objects: Loaded['objects']): Pick<CompileOptions, 'node' | 'nodeIPs'> {
  if (nodeIPs.length === 0) return {};
  const own = objects.find(({ kind, value }) => kind === 'Node' && nodeIPs.some((ip) => hasAddress(value, ip)));
  const name = (own?.value.metadata as { readonly name?: unknown } | undefined)?.name;
  return { nodeIPs, ...(typeof name === 'string' && { node: name }) };
}

function hasAddress({ status }: Loaded['objects'][number]['value'], ip: string): boolean {
  const { addresses } = (status ?? {}) as { readonly addresses?: unknown };
  return Array.isArray(addresses) && addresses.some((one) => (one as { address?: unknown } | null)?.address === ip);
}
