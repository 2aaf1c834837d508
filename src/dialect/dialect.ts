import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { IptablesDialect } from './iptables/iptablesDialect.ts';
import type { IpvsDialect } from './ipvs/ipvsDialect.ts';
import type { NftablesDialect } from './nftables/nftablesDialect.ts';
import type { PlanDialect } from './plan/planDialect.ts';
import type { UserspaceDialect } from './userspace/userspaceDialect.ts';

/** What the versions of each mode write, as values. */
interface Spellings {
  readonly iptables: IptablesDialect;
  readonly ipvs: IpvsDialect;
  readonly nftables: NftablesDialect;
  readonly userspace: UserspaceDialect;
}

export type SpellingIn<M extends ProxyMode> = Spellings[M];

export interface DialectIn<M extends ProxyMode> {
  readonly mode: M;
  readonly plan: PlanDialect;
  readonly spelling: SpellingIn<M>;
}

/** One kube-proxy version in one mode: what it decides, and how it spells that. */
export type Dialect = { [M in ProxyMode]: DialectIn<M> }[ProxyMode];

/** A function for each mode, which gets a dialect of that mode. */
export type ByDialect<Rest extends readonly unknown[], Result> = {
  readonly [M in ProxyMode]: (dialect: DialectIn<M>, ...rest: Rest) => Result;
};

/** Asks the function of the dialect's mode. */
export function askByDialect<Rest extends readonly unknown[], Result>(
  table: ByDialect<Rest, Result>,
  dialect: Dialect,
  ...rest: Rest
): Result {
  // That entry and dialect are of one mode is beyond the type checker.
  const entry = table[dialect.mode] as (dialect: Dialect, ...rest: Rest) => Result;
  return entry(dialect, ...rest);
}
