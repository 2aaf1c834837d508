import { escapeText } from '../../common/text/escapeText.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import { namespaceNameLabel } from '../../model/labelSelector.ts';

/** What policies ask about and the input does not show: it is neither taken for empty nor guessed. */
export interface MissingFact {
  readonly kind: 'podLabels' | 'namespaceLabels' | 'nodeLabels' | 'portNames' | 'podAddresses' | 'domainAddresses';
  /** `namespace/name` of the Pod, the name of the Namespace or Node, or the domain name. */
  readonly of: string;
}

/** Each once, in the order given. */
export function distinctFacts(facts: Iterable<MissingFact>): readonly MissingFact[] {
  return [...new Map([...facts].map((fact) => [`${fact.kind} ${fact.of}`, fact])).values()];
}

/** `labels of Namespace prod, names of ports of Pods shop/a, shop/b`. */
export function factsText(facts: readonly MissingFact[]): string {
  return kinds
    .flatMap((kind) => {
      const of = facts.filter((fact) => fact.kind === kind).map((fact) => escapeText(fact.of));
      if (of.length === 0) return [];
      const { what, object } = words[kind];
      return [`${what} of ${object}${of.length === 1 ? '' : 's'} ${firstFew(of, mostNamed)}`];
    })
    .join('; ');
}

/** The command that prints them; undefined: no command does. */
export function factsCommand(facts: readonly MissingFact[]): string | undefined {
  const isAbout = (...asked: readonly MissingFact['kind'][]) => facts.some(({ kind }) => asked.includes(kind));
  const resources = [
    ...(isAbout('podLabels', 'portNames', 'podAddresses') ? ['pods'] : []),
    ...(isAbout('namespaceLabels') ? ['namespaces'] : []),
    ...(isAbout('nodeLabels') ? ['nodes'] : []),
  ];
  if (resources.length === 0) return undefined;
  return `kubectl get ${resources.join(',')}${resources.includes('pods') ? ' -A' : ''} -o yaml`;
}

const kinds = ['podLabels', 'namespaceLabels', 'nodeLabels', 'portNames', 'podAddresses', 'domainAddresses'] as const;

const words = {
  podLabels: { what: 'the labels', object: 'Pod' },
  namespaceLabels: { what: `the labels besides ${namespaceNameLabel}`, object: 'Namespace' },
  nodeLabels: { what: 'the labels', object: 'Node' },
  portNames: { what: 'the names of the ports', object: 'Pod' },
  podAddresses: { what: 'the address', object: 'Pod' },
  domainAddresses: { what: 'the addresses', object: 'the domain name' },
} as const;

const mostNamed = 5;
