import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { everyTool } from '../../node/ruleKinds.ts';
import { holdsMode } from '../../seen/modes/holdsMode.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import { endUnread } from '../write/endUnread.ts';
import type { Messages } from '../write/messages.ts';

/**
 * Reports a dump that holds nothing of kube-proxy's mode: what kube-proxy wrote is unknown, instead of missing. The run of a
 * node of the cluster ends with it. Returns whether it was reported.
 */
export async function refuseUnshownMode(dump: NodeRules, mode: ProxyMode, messages: Messages): Promise<boolean> {
  if (holdsMode(dump, mode)) return false;
  const isLive = everyTool(dump).some(({ files }) => files.some((file) => file.startsWith('node/')));
  messages.report(isLive ? programMissing(dump, mode) : otherMode(dump, mode));
  return isLive ? endUnread(messages) : true;
}

/**
 * The same where no comparison is asked for, of a dump without kube-proxy's rules: in nftables mode, they are not where it
 * looked. Rules of another mode are what the node does, whatever its configuration says.
 */
export async function refuseUnshownNft(
  dump: NodeRules | undefined,
  mode: ProxyMode | undefined,
  messages: Messages,
): Promise<void> {
  if (dump === undefined || mode === undefined || modeFacts[mode].rulesIn !== 'nftables') return;
  if (proxySeen(dump).absence === undefined) return;
  await refuseUnshownMode(dump, mode, messages);
}

function otherMode({ name }: NodeRules, mode: ProxyMode): Diagnostic {
  const isNft = modeFacts[mode].rulesIn === 'nftables';
  return {
    code: 'not-a-dump',
    severity: 'error',
    message: `${name} holds ${isNft ? 'no nftables rules' : 'nftables rules only'}, and kube-proxy's mode is ${mode}`,
    at: [],
    hint: isNft ? 'give what nft list ruleset prints, or choose --mode iptables' : 'choose --mode nftables',
  };
}

/** For a node of the cluster: an image may lack some programs, and what they would show is unknown instead of empty. */
function programMissing({ name }: NodeRules, mode: ProxyMode): Diagnostic {
  const program = modeFacts[mode].rulesIn === 'nftables' ? 'nft' : 'iptables-save';
  return {
    code: 'node-unread',
    severity: 'error',
    message: `node ${name} cannot be judged: kube-proxy's mode is ${mode}, and ${program} is not there or shows nothing`,
    at: [],
    hint: 'other ways to a node: --via debug (a Pod made for it), --via ssh, --via local (this machine is the node)',
  };
}
