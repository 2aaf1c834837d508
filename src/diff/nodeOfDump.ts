import type { NodeRules } from '../node/nodeRules.ts';
import type { CompileInput } from '../pipeline/compile.ts';
import { nodeShown, type ShownNode } from '../pipeline/read/nodeShown.ts';
import { proxySeen } from '../seen/proxySeen.ts';

/**
 * Chooses the Node that a dump comes from, if the dump shows it, and says so. The caller passes what it has read off
 * the dump already.
 */
export function nodeOfDump(
  dump: NodeRules,
  say: (sentence: string) => void,
  read: Partial<Pick<ShownNode, 'addresses' | 'services' | 'asked'>> = {},
): NonNullable<CompileInput['chooseNode']> {
  return (manifests) => {
    const seen = proxySeen(dump);
    const { addresses = () => seen.nodePortIPs } = read;
    // Iptables mode opens node ports on single addresses of the node only where nodePortAddresses asks for it.
    const opened = () => (seen.mode && seen.of(seen.mode).settings.nodePortIPs) ?? [];
    const chosen = nodeShown(manifests, {
      network: dump.network,
      services: () => seen.services,
      namesOwnEndpoints: seen.namesOwnEndpoints,
      ownEndpoints: () => seen.ownEndpoints,
      ...read,
      addresses: () => [...addresses(), ...opened()],
    });
    if (chosen !== undefined) say(chosen.sentence);
    return chosen?.name;
  };
}
