import { nftChainKind, type ServiceChainKind, serviceChainKind } from '../../netfilter/proxyChains.ts';

/** The purpose of a chain, from its name: `the chain of an endpoint`. */
export function roleOf(name: string): string {
  const kind = serviceChainKind(name) ?? nftChainKind(name);
  return kind === undefined ? 'a chain' : roles[kind];
}

const roles: Readonly<Record<ServiceChainKind, string>> = {
  balance: 'the chain that balances over the endpoints',
  localBalance: "the chain that balances over this node's endpoints",
  endpoint: 'the chain of an endpoint',
  external: 'the chain of traffic from outside',
  localExternal: 'the chain of traffic from outside with policy Local',
  firewall: 'the chain that holds the source ranges',
};
