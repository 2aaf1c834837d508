import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import { type Imported, type ImportOptions, importRules } from '../../import/importRules.ts';
import { printJson } from '../../import/manifests/printJson.ts';
import { isProxyChain, isProxyTable } from '../../netfilter/proxyChains.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import type { CompileInput } from '../../pipeline/compile.ts';
import type { MigrationTarget } from '../migrate/migrateObjects.ts';
import { type Conversion, convertObjects } from './convertObjects.ts';
import { reportConversion } from './reportConversion.ts';

type Family = NonNullable<CompileInput['target']['family']>;

/** Reads manifests, in the way in which files are read. */
type ReadObjects = (
  files: readonly { readonly name: string; readonly text: string }[],
  report: Report,
) => Promise<Pick<CompileInput, 'objects'>>;

/** Reads Services back from the rules of a node and compiles them for another mode or version. */
export async function convertDump(
  dump: NodeRules,
  { family, ...from }: Omit<ImportOptions, 'isForRules'> & { readonly family?: Family | undefined },
  to: MigrationTarget,
  read: ReadObjects,
  report: Report,
): Promise<(Conversion & { readonly imported: Imported }) | undefined> {
  const imported = importRules(dump, { ...from, isForRules: true }, report);
  if (imported === undefined) return undefined;
  if (modeFacts[imported.mode].passesThroughProxy) {
    const message =
      'rules of userspace mode lead to kube-proxy itself: no endpoint is in them that others could lead to';
    report({ code: 'mode-unsupported', severity: 'error', message, at: [] });
    return undefined;
  }
  // Places in invisible manifests mean nothing.
  const placeless = (one: Diagnostic) => report({ ...one, at: [] });
  const { objects } = await read(
    [{ name: 'imported.json', text: [...printJson(imported.manifests)].join('') }],
    placeless,
  );
  const kubeVersion = from.kubeVersion;
  const target = { family: family === undefined || family === 'both' ? familyShown(dump) : family, allocates: false };
  const input: CompileInput = { objects, configObjects: [], target, kubeVersion };
  const conversion = convertObjects(input, to, placeless);
  if (conversion === undefined) return undefined;
  reportConversion(conversion, dump, imported, report);
  return { ...conversion, imported };
}

/** A family without rules of kube-proxy in the dump would get rules that take its Services away. */
function familyShown({ iptables, nft }: NodeRules): Family {
  const isShown = ({ tables }: ToolRules) =>
    [...tables.values()].some(({ name, chains }) => isProxyTable(name) || [...chains.keys()].some(isProxyChain));
  const families = [...new Set([...iptables, ...nft].filter(isShown).map(({ family }) => family))];
  return families.length === 1 && families[0] !== undefined ? families[0] : 'both';
}
