import { balanceFindings } from './catalogue/balanceFindings.ts';
import { dumpFindings } from './catalogue/dumpFindings.ts';
import { natFindings } from './catalogue/natFindings.ts';
import { objectFindings } from './catalogue/objectFindings.ts';
import { otherProgramFindings } from './catalogue/otherProgramFindings.ts';
import { proxyModeFindings } from './catalogue/proxyModeFindings.ts';
import { reachabilityFindings } from './catalogue/reachabilityFindings.ts';
import { syncFindings } from './catalogue/syncFindings.ts';
import type { FindingCode } from './problemCode.ts';
import type { FindingEntry } from './problemEntry.ts';

/**
 * Everything that a comparison can name, by its stable id. An id is never given to another thing. The hundreds tell the
 * subject: the dump, the sync, balance, NAT, reachability, other programs, IPVS, nftables, objects.
 */
export const findingCatalogue: Readonly<Record<FindingCode, FindingEntry>> = {
  ...dumpFindings,
  ...syncFindings,
  ...balanceFindings,
  ...natFindings,
  ...reachabilityFindings,
  ...otherProgramFindings,
  ...proxyModeFindings,
  ...objectFindings,
};
