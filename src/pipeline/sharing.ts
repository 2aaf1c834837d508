import { lastFew } from '../common/lastFew.ts';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import { type WrittenServices, writtenServices } from '../emit/iptables/written/writtenServices.ts';
import { type WrittenCommands, writtenCommands } from '../emit/nftables/written/writtenCommands.ts';
import { type PlanMemory, planMemory } from '../plan/planMemory.ts';
import { type ResolveMemory, resolveMemory } from '../resolve/resolveMemory.ts';
import { type SoundObjects, soundObjects } from '../validate/soundObjects.ts';
import { type Checked, checkObjects, type ObjectInput } from './checkObjects.ts';
import { readingProxy } from './read/readingProxy.ts';

/**
 * What runs share: those for several nodes of one cluster, and those of one program whose objects are edited. Objects are
 * checked once, and what comes out the same is made once. The results equal those of separate runs.
 */
export interface Sharing {
  /** As `checkObjects`. */
  readonly checkObjects: (input: ObjectInput, report: Report) => Checked | undefined;
  readonly written?: Written;
  readonly resolved?: ResolveMemory;
  readonly planned?: PlanMemory;
}

/** What was written before and is the same now, by back end. */
export interface Written {
  readonly iptables: WrittenServices;
  readonly nftables: WrittenCommands;
}

/** How runs that share their work differ. */
export interface SharingOptions {
  /** Every run reports what is wrong with the objects. Default: only the first one with just these does. */
  readonly repeatsProblems?: boolean;
}

export function createSharing(options: SharingOptions = {}): Sharing {
  return {
    ...shareChecks(options),
    written: { iptables: writtenServices(), nftables: writtenCommands() },
    planned: planMemory(),
  };
}

/** For a few runs for one node: objects are checked once, and their Services joined with endpoints. */
export function shareChecks({ repeatsProblems = false }: SharingOptions = {}): Sharing {
  const asked = lastFew<Asked>();
  return {
    resolved: resolveMemory(),
    checkObjects: (input, report) => {
      const { target, kubeVersion, unknownFields, beside, objects, configObjects } = input;
      // Only a configuration is read otherwise for another mode or version.
      const isConfigured = configObjects.length > 0 || objects.some(({ kind }) => kind === 'KubeProxyConfiguration');
      const proxy = isConfigured && readingProxy(target, kubeVersion);
      const key = JSON.stringify([proxy, unknownFields, target.nodePortRange, beside]);
      const own = asked.of(key, () => ({ sound: soundObjects() }));
      const { last, sound } = own;
      if (last?.input.objects === objects && last.input.configObjects === configObjects) {
        if (repeatsProblems) for (const problem of last.problems) report(problem);
        return last.result;
      }
      const problems: Diagnostic[] = [];
      const result = checkObjects({ ...input, sound }, (problem) => {
        problems.push(problem);
        report(problem);
      });
      own.last = { input, problems, result };
      return result;
    },
  };
}

interface Asked {
  readonly sound: SoundObjects;
  last?: {
    readonly input: ObjectInput;
    readonly problems: readonly Diagnostic[];
    readonly result: Checked | undefined;
  };
}
