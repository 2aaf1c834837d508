import { plainIpv4, plainPort } from '../../common/addresses/plainPatterns.ts';
import { usualComment } from '../../netfilter/iptables/usualComment.ts';

/**
 * What an endpoint's chain over IPv4 says whose text is as kube-proxy writes it: the endpoint's own packets are marked,
 * then all are sent to it. Nothing is parsed: a large node has a hundred thousand such chains, and a check of each took a
 * quarter of the time of `doctor`. Undefined: the text is another one, which may mean the same.
 */
export function usualEndpoint(text: string): string | undefined {
  return usual.exec(text)?.[3];
}

const usual = new RegExp(
  [
    `^-A (KUBE-SEP-[A-Z2-7]{16}) -s (${plainIpv4})/32${usualComment} -j KUBE-MARK-MASQ\n`,
    `-A \\1 -p (?:tcp|udp|sctp)${usualComment} -m (?:tcp|udp|sctp) -j DNAT --to-destination (\\2:${plainPort})$`,
  ].join(''),
);
