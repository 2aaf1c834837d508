import type { Report } from '../diagnostics/diagnostic.ts';
import { type Checked, checkObjects, type ObjectInput } from './checkObjects.ts';
import { readingProxy } from './read/readingProxy.ts';
import { type WrittenServices, writtenServices } from './writtenServices.ts';

/**
 * What runs for several nodes of one cluster share: objects are checked once, and Services that are the same on all
 * nodes are written once. The results equal those of separate runs.
 */
export interface Sharing {
  /** As `checkObjects`; what it reports is reported by the first run alone. */
  readonly checkObjects: (input: ObjectInput, report: Report) => Checked | undefined;
  readonly written: WrittenServices;
}

export function createSharing(): Sharing {
  const checked = new Map<string, { readonly input: ObjectInput; readonly result: Checked | undefined }>();
  return {
    written: writtenServices(),
    checkObjects: (input, report) => {
      const { target, kubeVersion, unknownFields, beside, objects, configObjects } = input;
      const key = JSON.stringify([readingProxy(target, kubeVersion), unknownFields, target.nodePortRange, beside]);
      const known = checked.get(key);
      if (known?.input.objects === objects && known.input.configObjects === configObjects) return known.result;
      const result = checkObjects(input, report);
      checked.set(key, { input, result });
      return result;
    },
  };
}
