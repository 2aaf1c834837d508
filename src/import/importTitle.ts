import { count } from '../common/text/count.ts';
import { escapeText } from '../common/text/escapeText.ts';
import { formatKubeVersion, type KubeVersion } from '../dialect/version.ts';
import type { Imported } from './importRules.ts';

/** What stands over imported manifests: where they come from. */
export function importTitle({ name, mode, versions, services, foreignRules }: Imported): readonly string[] {
  const writer = versions.length === 0 ? 'an unknown version' : versionsText(versions);
  return [
    `Read back by k8snet import from ${escapeText(name)}: rules of kube-proxy in ${mode} mode, ${writer}.`,
    `${count(services, 'Service')}${foreignRules > 0 ? `; ${count(foreignRules, 'rule')} of other programs left out` : ''}. Rules show no selectors and labels.`,
  ];
}

function versionsText(versions: readonly KubeVersion[]): string {
  const [oldest, newest] = [versions[0], versions.at(-1)].map((version) => formatKubeVersion(version as KubeVersion));
  return oldest === newest ? `version ${oldest}` : `one of the versions ${oldest} to ${newest}`;
}
