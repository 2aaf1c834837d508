import { load, loadConfig } from '../api.ts';
import { count } from '../common/count.ts';
import type { CompileOptions } from '../core.ts';
import { bothSources } from '../load/bothSources.ts';
import type { Loaded } from '../load/load.ts';
import type { InputOptions } from './commonOptions.ts';
import type { Talk } from './talk.ts';
import { type TargetFlags, targetOptions } from './targetOptions.ts';

/** The manifests that a command line names, and how they are to be compiled, its configuration included. */
export interface ReadInput extends Loaded {
  readonly options: CompileOptions & Required<Pick<CompileOptions, 'configObjects'>>;
}

export async function readInput(flags: InputOptions & TargetFlags, talk: Talk): Promise<ReadInput> {
  const manifests = await load(flags.filename, talk.report, flags.recursive);
  const config = flags.config ? await loadConfig(flags.config, talk.report) : undefined;
  talk.progress(`${count(manifests.objects.length, 'object')} read`);
  return {
    objects: manifests.objects,
    options: {
      ...targetOptions(flags),
      configObjects: config?.objects ?? [],
      kubeVersion: flags.kubeVersion,
      unknownFields: flags.validate,
    },
    sources: bothSources(manifests.sources, config?.sources),
  };
}
