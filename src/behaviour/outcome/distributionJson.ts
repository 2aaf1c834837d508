import { addressText, endText } from '../../walk/values/text.ts';
import type { Distribution } from './distribution.ts';
import type { BehaviourOutcome, DecidingRule } from './outcome.ts';
import { rejectionName } from './rejectionName.ts';

export function distributionJson({ outcomes, isOpen }: Distribution, isV6: boolean): object {
  return {
    isKnown: !isOpen,
    outcomes: [...outcomes.values()].map(({ outcome, share }) => ({
      ...(isOpen ? {} : { share: Number(share.toFixed(7)) }),
      ...outcomeJson(outcome, isV6),
    })),
  };
}

function outcomeJson(outcome: BehaviourOutcome, isV6: boolean): object {
  const { kind, at, source, isMasqueraded, by, why, staysFor, decidedBy } = outcome;
  return {
    outcome: kind,
    ...(at && { at: endText(at.address, at.port) }),
    ...(source !== undefined && { source: addressText(source) }),
    ...(isMasqueraded !== undefined && { isMasqueraded }),
    ...(by && { by: rejectionName(by, isV6) }),
    ...(why !== undefined && { why }),
    ...(staysFor !== undefined && { staysForSeconds: Number.isFinite(staysFor) ? staysFor / 1000 : null }),
    ...(decidedBy && { rule: ruleJson(decidedBy()) }),
  };
}

function ruleJson({ chain, rule }: DecidingRule): object {
  const place = rule ?? chain.place;
  return {
    table: chain.table.name,
    chain: chain.name,
    text: rule?.text ?? `policy ${chain.base?.policy ?? 'accept'}`,
    ...(place?.file !== undefined && { file: place.file }),
    ...(place?.line !== undefined && { line: place.line }),
  };
}
