import { conversionJson } from '../../behaviour/convert/conversionJson.ts';
import { formatKubeVersion } from '../../dialect/version.ts';
import type { Artefact } from '../../output/artefact.ts';
import type { ConversionCheck, Converted } from '../../public/core.ts';

/** A conversion as k8snet.convert/v1, every artefact as lines. */
export function convertJson(
  { from, to, imported }: Converted,
  artefacts: readonly Artefact[],
  check: ConversionCheck | undefined,
  limit: number,
): object {
  const proxy = ({ model, kubeVersion }: Converted['to']) => ({
    mode: model.config.mode,
    version: formatKubeVersion(kubeVersion),
  });
  return {
    schema: 'k8snet.convert/v1',
    from: { ...proxy(from), versions: imported.versions.map(formatKubeVersion) },
    to: proxy(to),
    node: to.model.node.name,
    services: imported.services,
    foreignRules: imported.foreignRules,
    gaps: imported.gaps,
    check: check === undefined ? null : conversionJson(check, limit),
    artefacts: Object.fromEntries(
      artefacts.filter(({ form }) => form !== 'script').map((one) => [one.name, linesOf(one)]),
    ),
  };
}

function linesOf({ text }: Artefact): readonly string[] {
  const lines = [...text()].join('').split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
