import type { IptablesDialect } from './iptables/iptablesDialect.ts';
import type { IpvsDialect } from './ipvs/ipvsDialect.ts';
import type { NftablesDialect } from './nftables/nftablesDialect.ts';
import type { PlanDialect } from './plan/planDialect.ts';
import type { UserspaceDialect } from './userspace/userspaceDialect.ts';

/** One kube-proxy version in one mode: what it decides, and how it spells that. */
export type Dialect =
  | { readonly mode: 'iptables'; readonly plan: PlanDialect; readonly spelling: IptablesDialect }
  | { readonly mode: 'ipvs'; readonly plan: PlanDialect; readonly spelling: IpvsDialect }
  | { readonly mode: 'nftables'; readonly plan: PlanDialect; readonly spelling: NftablesDialect }
  | { readonly mode: 'userspace'; readonly plan: PlanDialect; readonly spelling: UserspaceDialect };
