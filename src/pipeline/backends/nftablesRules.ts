import { emitNftables } from '../../emit/nftables/emitNftables.ts';
import { applyTransaction } from '../../netfilter/nft/applyTransaction.ts';
import { nftRules } from '../../node/nftRules.ts';
import { nftablesOnDemand } from '../expected/nftablesOnDemand.ts';
import type { RulesBackend } from './rulesBackend.ts';

export const nftablesRules: RulesBackend<'nftables'> = {
  mode: 'nftables',
  rules: ({ spelling }, plan, { isOnDemand }) =>
    isOnDemand ? nftablesOnDemand(plan, spelling) : nftRules(applyTransaction(emitNftables(plan, spelling)), ''),
};
