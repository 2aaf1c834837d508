import { seenServices } from '../import/seenServices.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { CompileInput } from '../pipeline/compile.ts';
import { nodeShown } from '../pipeline/nodeShown.ts';
import { deduceTarget } from './deduceTarget.ts';

/**
 * Chooses the Node that a dump is of, where it shows that, and says so. `addresses`: more that the node is known to have;
 * `asked`: one that somebody asks about.
 */
export function nodeOfDump(
  dump: NodeRules,
  say: (sentence: string) => void,
  { addresses = [], asked }: { readonly addresses?: readonly string[]; readonly asked?: string | undefined } = {},
): NonNullable<CompileInput['chooseNode']> {
  return (manifests) => {
    const chosen = nodeShown(manifests, {
      network: dump.network,
      addresses: () => [...deduceTarget(dump).addresses, ...addresses],
      services: () => seenServices(dump),
      asked,
    });
    if (chosen !== undefined) say(chosen.sentence);
    return chosen?.name;
  };
}
