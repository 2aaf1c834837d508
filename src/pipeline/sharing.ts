import type { Report } from '../diagnostics/diagnostic.ts';
import { type WrittenServices, writtenServices } from '../emit/iptables/written/writtenServices.ts';
import { type WrittenCommands, writtenCommands } from '../emit/nftables/written/writtenCommands.ts';
import { type PlanMemory, planMemory } from '../plan/planMemory.ts';
import { type ResolveMemory, resolveMemory } from '../resolve/resolveMemory.ts';
import { type SoundObjects, soundObjects } from '../validate/soundObjects.ts';
import { type Checked, checkObjects, type ObjectInput } from './checkObjects.ts';
import { readingProxy } from './read/readingProxy.ts';

/**
 * What runs for several nodes of one cluster share: objects are checked once, and Services that are the same on all
 * nodes are written once. The results equal those of separate runs.
 */
export interface Sharing {
  /** As `checkObjects`; what it reports is reported by the first run alone. */
  readonly checkObjects: (input: ObjectInput, report: Report) => Checked | undefined;
  readonly written: Written;
  readonly resolved: ResolveMemory;
  readonly planned: PlanMemory;
}

/** What was written before and is the same now, by back end. */
export interface Written {
  readonly iptables: WrittenServices;
  readonly nftables: WrittenCommands;
}

export function createSharing(): Sharing {
  const sound = new Map<string, SoundObjects>();
  const checked = new Map<string, { readonly input: ObjectInput; readonly result: Checked | undefined }>();
  return {
    written: { iptables: writtenServices(), nftables: writtenCommands() },
    resolved: resolveMemory(),
    planned: planMemory(),
    checkObjects: (input, report) => {
      const { target, kubeVersion, unknownFields, beside, objects, configObjects } = input;
      const key = JSON.stringify([readingProxy(target, kubeVersion), unknownFields, target.nodePortRange, beside]);
      const known = checked.get(key);
      if (known?.input.objects === objects && known.input.configObjects === configObjects) return known.result;
      const soundNow = sound.get(key) ?? soundObjects();
      sound.set(key, soundNow);
      const result = checkObjects({ ...input, sound: soundNow }, report);
      checked.set(key, { input, result });
      return result;
    },
  };
}
