import { count } from '../common/count.ts';
import { bothSources } from '../load/bothSources.ts';
import { type Loaded, load } from '../load/load.ts';
import type { Sources } from '../load/sources.ts';
import type { CompileInput } from '../pipeline/compile.ts';
import type { InputOptions } from './commonOptions.ts';
import type { Talk } from './talk.ts';
import { type TargetFlags, targetOptions } from './targetOptions.ts';

/** The manifests and the configuration that a command line names, read and ready to be compiled. */
export interface ReadInput {
  readonly input: CompileInput;
  readonly sources: Sources;
}

export async function readInput(options: InputOptions & TargetFlags, talk: Talk): Promise<ReadInput> {
  const manifests = await load(options.filename, { recursive: options.recursive }, talk.report);
  const none: Pick<Loaded, 'objects'> = { objects: [] };
  const config = options.config
    ? await load([options.config], { recursive: false, readsFlags: true }, talk.report)
    : undefined;
  talk.progress(`${count(manifests.objects.length, 'object')} read`);
  return {
    input: {
      objects: await unpack(manifests.objects, talk.report),
      configObjects: await unpack((config ?? none).objects, talk.report),
      target: targetOptions(options),
      kubeVersion: options.kubeVersion,
      unknownFields: options.validate,
    },
    sources: bothSources(manifests.sources, config?.sources),
  };
}

/** Nearly no input holds a ConfigMap: the code for them is loaded when one does. */
async function unpack(objects: Loaded['objects'], report: Talk['report']): Promise<Loaded['objects']> {
  if (!objects.some(({ kind }) => kind === 'ConfigMap')) return objects;
  const { unpackConfigMaps } = await import('../load/unpackConfigMaps.ts');
  return unpackConfigMaps(objects, report);
}
