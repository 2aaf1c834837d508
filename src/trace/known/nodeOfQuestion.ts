import { canonicalIp } from '../../common/addresses/ip.ts';
import { podIps } from '../../model/podIps.ts';
import { podNamed } from '../../model/podNamed.ts';
import type { CompileInput } from '../../pipeline/compile.ts';
import { endpointHomes } from '../../pipeline/search/endpointHomes.ts';
import { addressText } from '../../walk/values/text.ts';
import { type AskedParty, readParty } from '../question/readParty.ts';

type ChooseNode = NonNullable<CompileInput['chooseNode']>;
type Manifests = Parameters<ChooseNode>[0];

/**
 * Chooses the Node whose rules a packet meets first, where no dump shows one of several: that of its sender, or the one
 * that a packet from outside is sent to. `say` is told which it is.
 */
export function nodeOfQuestion(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  say: (sentence: string) => void,
): ChooseNode {
  return (manifests) => {
    if (manifests.nodes.length < 2) return undefined;
    const receiver = to === undefined ? undefined : readParty(to);
    const name =
      homeOf(from === undefined ? undefined : readParty(from), manifests) ??
      homeOf(receiver?.kind === 'node' ? receiver : undefined, manifests);
    if (name !== undefined) say(`the packet is walked on node ${name}, which meets it first`);
    return name;
  };
}

/** The Node that it is, or that it runs on; undefined: the objects show none. */
function homeOf(party: AskedParty | undefined, manifests: Manifests): string | undefined {
  const home = party && nodeNamed(party, manifests)?.toLowerCase();
  return manifests.nodes.find(({ value }) => value.metadata.name.toLowerCase() === home)?.value.metadata.name;
}

function nodeNamed(party: AskedParty, manifests: Manifests): string | undefined {
  const { nodes, pods } = manifests;
  switch (party.kind) {
    case 'outside':
      return undefined;
    case 'node':
      return party.name;
    case 'object': {
      const homes = () => [...endpointHomes(manifests, 'nodes and Pods').values()];
      return podNamed(pods, party.name)?.spec?.nodeName ?? homes().find((home) => home.pod === party.name)?.node;
    }
    case 'address': {
      const address = addressText(party.address);
      const node = nodes.find(({ value }) =>
        value.status?.addresses?.some((one) => canonicalIp(one.address ?? '') === address),
      );
      const pod = pods.find(({ value }) => podIps(value).includes(address));
      return (
        node?.value.metadata.name ??
        pod?.value.spec?.nodeName ??
        endpointHomes(manifests, 'nodes and Pods').get(address)?.node
      );
    }
  }
}
