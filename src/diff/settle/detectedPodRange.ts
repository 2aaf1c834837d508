import { parseCidr } from '../../common/addresses/cidr.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { podRangeOf } from '../../seen/settings/podDetector.ts';

/**
 * Notes if a dump recognizes Pods by a clusterCIDR other than the compiled one, or by one when none was given: a
 * forgotten option looks like a fault in every Service.
 */
export function detectedPodRange({ model, plans }: Compiled, found: readonly ToolRules[], notes: string[]): void {
  if (model.config.detectLocal.kind !== 'clusterCIDR') return;
  for (const { family, node } of plans) {
    const own = node.localDetector?.kind === 'cidr' ? node.localDetector.cidr : undefined;
    for (const set of found) {
      const range = set.family === family ? podRangeOf(set) : undefined;
      if (range === undefined || parseCidr(range)?.text === parseCidr(own ?? '')?.text) continue;
      const shown = escapeText(range);
      notes.push(
        own === undefined
          ? `kube-proxy of this dump knows Pods by ${shown}, and no clusterCIDR was given: add --cluster-cidr ${shown}`
          : `kube-proxy of this dump knows Pods by ${shown}, not by ${own}: one clusterCIDR is wrong`,
      );
      break;
    }
  }
}
