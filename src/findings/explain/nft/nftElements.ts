import { ipPort } from '../../../common/addresses/ipPort.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import { chainOfElement } from '../../../netfilter/nft/chainsNamed.ts';
import type { FindingCode } from '../../../problems/problemCode.ts';
import { nftServiceName } from '../../../seen/names/nftServiceName.ts';
import { endpointsRole } from '../consequences.ts';
import type { ExplainContext } from '../explainWith.ts';
import { leftReason } from '../leftReason.ts';
import { listOf } from '../listOf.ts';
import { otherWay } from '../lostRules.ts';
import { memberOwners } from '../memberOwners.ts';
import { refusedParts, unrefusedRole } from '../refusals.ts';
import type { RuleDifference } from '../ruleDifferences.ts';
import { sayByOwner } from '../sayByOwner.ts';
import { reachedOf } from '../serviceIndex.ts';

/** The maps of the addresses of Services. */
export function explainElements({ diff, items, say, index }: ExplainContext): void {
  const own = escapeText(diff.chain);
  const missing = items.filter(({ side }) => side === 'missing');
  const extra = items.filter(({ side }) => side === 'extra');
  const known = new Set(missing.map(keyOf));
  for (const item of missing) {
    const key = keyOf(item);
    const twins = extra.length > mostPaired ? [] : extra.filter((other) => keyOf(other) === key);
    const entrance = entranceOf(item, index);
    const isServiceMissing = twins.length === 0 && entrance?.what === 'cluster IP';
    const seen = `${own} lacks ${escapeText(item.line)}`;
    const reason =
      twins.length > 0
        ? { ...otherWay, role: { ...otherWay.role, about: twins.flatMap((twin) => serviceOfElement(twin) ?? []) } }
        : { role: { tells: 'unknown', follows: ['refused'], about: reachedOf(entrance?.service) } as const };
    say(
      'K8N201',
      [item, ...twins],
      { what: seen, ...reason, ...(isServiceMissing && { isServiceMissing }) },
      entrance?.service,
    );
  }
  for (const item of extra) {
    if (known.has(keyOf(item))) continue;
    const entrance = entranceOf(item, index);
    const seen = `${own} holds ${escapeText(item.line)}`;
    if (entrance === undefined || entrance.route === 'balance') {
      const name = serviceOfElement(item);
      say('K8N202', [item], {
        what: `${seen}, which no Service has`,
        ...leftReason(name, index),
        role: { tells: 'left', of: name, about: addressOf(item) },
      });
    } else
      say(
        'K8N203',
        [item],
        { what: `${seen}, and the Service has no endpoints for it`, role: { follows: ['strangers'] } },
        entrance.service,
      );
  }
}

/** `namespace/name:port` of the chain that an element leads to. */
function serviceOfElement({ content }: RuleDifference): string | undefined {
  const [chain = ''] = content?.kind === 'nftElement' ? chainOfElement(content.element) : [];
  return nftServiceName(chain);
}

/** Of `10.96.0.1 . tcp . 80`; none for a node port. */
function addressOf({ content }: RuleDifference): readonly string[] {
  const key = content?.kind === 'nftElement' ? content.element.key : [];
  return key.length === 3 ? key.slice(0, 1) : [];
}

/** No more unexpected elements than this are searched for each missing one. */
const mostPaired = 1000;

/** Those of Services are theirs. */
function explainLostElements(context: ExplainContext, id: FindingCode): void {
  const { diff, items, index } = context;
  const owners = memberOwners(index);
  sayByOwner(context, id, items, {
    ownerOf: (item) => (diff.chain === clusterIPs ? owners.ofAddress(keyOf(item)) : entranceOf(item, index)?.service),
    seen: (lines) => `${escapeText(diff.chain)} lacks ${listOf(lines)}`,
    roleOf: () => absentRole,
  });
}

/** The set of all cluster IPs. */
const clusterIPs = 'set cluster-ips';

/** Those of addresses that no Service has any more follow from what leads to the addresses. */
function explainLeftElements(context: ExplainContext, id: FindingCode): void {
  const { diff, items, index } = context;
  const addressesIn = (item: RuleDifference) => (diff.chain === clusterIPs ? [keyOf(item)] : addressOf(item));
  sayByOwner(context, id, items, {
    ownerOf: (item) => entranceOf(item, index)?.service,
    seen: (lines) => `${escapeText(diff.chain)} holds ${listOf(lines)}`,
    roleOf: (own) => {
      const addresses = own.flatMap((item) => (entranceOf(item, index) === undefined ? addressesIn(item) : []));
      return addresses.length === own.length ? { follows: ['left'], each: addresses } : {};
    },
  });
}

/** Sets and maps that all Services share. */
export function explainSharedElements(context: ExplainContext, id: FindingCode): void {
  const { diff, items, say } = context;
  const missing = items.filter(({ side }) => side === 'missing');
  const extra = items.filter(({ side }) => side === 'extra');
  const lacking = new Set(missing.map(keyOf));
  if (missing.length + extra.length < items.length || extra.some((item) => lacking.has(keyOf(item)))) {
    say(id, items, { what: `${escapeText(diff.chain)} ${difference(items)}` });
    return;
  }
  explainLostElements({ ...context, items: missing }, id);
  explainLeftElements({ ...context, items: extra }, id);
}

/** Of what a Service has that the node does not know, or does not know to have endpoints. */
const absentRole = { follows: ['unknown', 'refused'] } as const;

/** The set of endpoints on the node that may be their own clients. */
export function explainHairpins({ items, say, diff }: ExplainContext): void {
  for (const side of ['missing', 'extra']) {
    const own = items.filter((item) => item.side === side);
    if (own.length === 0) continue;
    const role = endpointsRole(own.map(endpointOfHairpin));
    say('K8N403', own, { what: `${escapeText(diff.chain)} ${difference(own)}`, role });
  }
}

/** `10.244.1.10 . 10.244.1.10 . tcp . 8080` */
function endpointOfHairpin(item: RuleDifference): string {
  const [ip = '', , , port = ''] = keyOf(item).split(' . ');
  return ipPort(ip, Number(port));
}

/** What becomes of packets to addresses without endpoints. */
export function explainNftRefusals(context: ExplainContext): void {
  const { items, diff, index, say } = context;
  const own = escapeText(diff.chain);
  const missing = items.filter(({ side }) => side === 'missing');
  const extra = items.filter(({ side }) => side === 'extra');
  sayByOwner(context, 'K8N209', missing, {
    ownerOf: (item) => entranceOf(item, index)?.service,
    seen: (lines) => `${own} lacks ${listOf(lines)}`,
    roleOf: (own) => unrefusedRole(own.some((item) => entranceOf(item, index)?.what === 'cluster IP')),
  });
  const isKnown = new Set(missing.map(keyOf));
  for (const item of extra) {
    const service = entranceOf(item, index)?.service;
    const seen = `${own} holds ${escapeText(item.line)}`;
    if (service === undefined) {
      const role = { tells: 'left', about: addressOf(item) } as const;
      say('K8N202', [item], { what: `${seen}, which no Service has`, role });
    } else if (isKnown.has(keyOf(item))) say('K8N209', [item], { what: seen }, service);
    else say('K8N209', [item], refusedParts(`${seen}, although it should not`, service), service);
  }
}

/** How elements differ, in words. */
export function difference(items: readonly RuleDifference[]): string {
  const lines = (side: RuleDifference['side']) => items.filter((item) => item.side === side).map(({ line }) => line);
  const parts = [
    ...(lines('missing').length > 0 ? [`lacks ${listOf(lines('missing'))}`] : []),
    ...(lines('extra').length > 0 ? [`holds ${listOf(lines('extra'))}`] : []),
  ];
  return parts.length === 0 ? 'is in another order' : parts.join(' and ');
}

function keyOf({ content, line }: RuleDifference): string {
  return content?.kind === 'nftElement' ? content.element.key.join(' . ') : line;
}

function entranceOf({ content }: RuleDifference, index: ExplainContext['index']) {
  const parts = content?.kind === 'nftElement' ? content.element.key : [];
  const [ip, protocol, port] = parts.length === 3 ? parts : ['*', parts[0], parts[1]];
  return index.entrances.get(`${protocol} ${ip} ${port}`);
}
