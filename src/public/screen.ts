import type { Family } from '../common/addresses/family.ts';
import { modeFacts } from '../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Locate } from '../diagnostics/place.ts';
import { hasRules, isObjects } from '../dump/paste/isObjects.ts';
import { looksLike } from '../dump/paste/looksLike.ts';
import type { Loaded } from '../load/loaded.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { NodeFiles } from '../output/nodeFiles.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { Severity } from '../problems/severity.ts';
import type { LineSources } from '../provenance/lineSources.ts';
import type { RuleSources } from '../provenance/ruleSources.ts';
import { areOptions, type OptionRules } from './options/checkOptions.ts';
import { oneOf } from './options/valueRule.ts';
import { type Result, resultOf } from './result.ts';

/** What shows rules beside manifests needs: which text is which, rules as one text, and where each line comes from. */

/** What a text that somebody hands over is: objects of Kubernetes, or what a tool of a node printed. */
export function textKind(text: string): 'objects' | 'dump' {
  if (isObjects(text)) return 'objects';
  const seen = hasRules(text) ? undefined : looksLike(text)?.what;
  return seen === 'Kubernetes objects' || seen === 'a table of kubectl get' ? 'objects' : 'dump';
}

/** Every version of kube-proxy that differs from others in a mode, the oldest first: `1.30`, `1.33.0`. */
export async function kubeVersions(mode: ProxyMode): Promise<readonly string[]> {
  const [{ knownVersions }, { formatKubeVersion }] = await Promise.all([
    import('../dialect/knownVersions.ts'),
    import('../dialect/version.ts'),
  ]);
  return knownVersions(mode).map(formatKubeVersion);
}

/** The forms of rules that are one text. */
export type PrintedForm = 'save' | 'restore' | 'script' | 'json' | 'ipvsadm-list';

/** Which rules are printed. */
export interface PrintOptions {
  readonly form: PrintedForm;
  readonly family: Family | 'both';
}

const printRules: OptionRules<PrintOptions> = {
  form: oneOf('save', 'restore', 'script', 'json', 'ipvsadm-list'),
  family: oneOf('ipv4', 'ipv6', 'both'),
};

/**
 * Rules as one text, in pieces, as `k8snet compile` prints them: of one family, save in JSON and the script. `files` are
 * those of the same run. The text is empty where the mode has none in this form, which is reported.
 */
export async function toText(
  compiled: Compiled,
  files: NodeFiles,
  options: PrintOptions,
): Promise<Result<Iterable<string> | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, printRules, report)) return undefined;
    const { form, family } = options;
    const { policy, printsPolicies } = files;
    if (form === 'json') return (await import('../output/jsonForm.ts')).jsonForm(compiled, files.all, policy);
    if (form === 'ipvsadm-list' && !modeFacts[compiled.model.config.mode].usesIpvs) {
      report(notIpvs(compiled.model.config.mode));
      return [];
    }
    const { chooseForStdout } = await import('../output/chooseForStdout.ts');
    const families = printsPolicies ? policy?.families : undefined;
    const artefactForm = form === 'ipvsadm-list' ? 'list' : form;
    const pieces = chooseForStdout(compiled, files.printed, artefactForm, family, report, families);
    if (policy && !printsPolicies && form !== 'script') report(policiesLeftOut);
    return pieces;
  });
}

function notIpvs(mode: string): Diagnostic {
  return {
    code: 'bad-option',
    severity: 'error',
    message: `${mode} mode has no virtual servers that ipvsadm could list`,
    at: [],
    hint: 'give --mode ipvs, or another form',
  };
}

const policiesLeftOut: Diagnostic = {
  code: 'policies-left-out',
  severity: 'note',
  message: "only kube-proxy's rules are printed; the input has NetworkPolicies too",
  at: [],
  hint: '--policy-only prints their rules, --out-dir writes all',
};

/** A diagnostic with the lines and columns of its places, which count from 1. */
export interface PlacedDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly at: readonly {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly endColumn?: number | undefined;
  }[];
}

/** Diagnostics in the order of their places. */
export async function placeDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: Loaded['sources'],
): Promise<readonly PlacedDiagnostic[]> {
  const [{ createLocator }, { orderDiagnostics }, { foldDiagnostics }] = await Promise.all([
    import('../load/locate.ts'),
    import('../diagnostics/orderDiagnostics.ts'),
    import('../diagnostics/foldDiagnostics.ts'),
  ]);
  const shown = foldDiagnostics(diagnostics);
  const locate = await createLocator(
    sources,
    shown.flatMap(({ at }) => at),
  );
  return orderDiagnostics(shown, locate).map(({ code, severity, message, hint, at }) => ({
    code,
    severity,
    message,
    hint,
    at: at.flatMap((origin) => {
      const place = locate(origin);
      return place === undefined
        ? []
        : [{ file: origin.file, line: place.line, column: place.column, endColumn: place.endColumn }];
    }),
  }));
}

/** Where the rules of a compile run come from, as data; asked for one printed text after the other. */
export interface Provenance {
  readonly sources: RuleSources['all'];
  /** By line of a text that `toText` gave, numbers of `sources`. */
  readonly linesOf: (text: string) => LineSources;
  /** What the rule in a line (from 1) does; undefined: it is no rule. */
  readonly sentenceOf: (text: string, line: number, family: Family) => string | undefined;
  /** Where some of the sources are written, lines from 1; undefined: nothing that was given says it. */
  readonly placesOf: (sources: readonly number[]) => Promise<readonly (SourcePlace | undefined)[]>;
  /** The sources that are written at a place or, where none is, begin last before it. */
  readonly sourcesAt: (place: SourcePlace) => Promise<readonly number[]>;
}

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

/** `expected`: what `rulesOf` gives for the same run. */
export async function provenance(
  compiled: Compiled,
  { objects, sources }: Pick<Loaded, 'objects' | 'sources'>,
  expected: NodeRules,
): Promise<Provenance> {
  const [{ ruleSources }, { lineSources }, { ruleAtLine }, { sourcesAt }] = await Promise.all([
    import('../provenance/ruleSources.ts'),
    import('../provenance/lineSources.ts'),
    import('../provenance/ruleAtLine.ts'),
    import('../provenance/sourcesAt.ts'),
  ]);
  const own = ruleSources(compiled, objects);
  let locator: Promise<Locate> | undefined;
  const locate = () => {
    const origins = own.all.flatMap(({ at }) => at.slice(0, 1));
    locator ??= import('../load/locate.ts').then(({ createLocator }) => createLocator(sources, origins));
    return locator;
  };
  return {
    sources: own.all,
    linesOf: (text) => lineSources(text, own, expected),
    sentenceOf: (text, line, family) => ruleAtLine(text, line, family, expected),
    placesOf: async (asked) => {
      const lineOf = await locate();
      return asked.map((source) => {
        const origin = own.all[source]?.at[0];
        const place = origin && lineOf(origin);
        return origin && place && { file: origin.file, line: place.line };
      });
    },
    sourcesAt: async ({ file, line }) => {
      const placeOf = await locate();
      return sourcesAt(own.all, file, line, (origin) => placeOf(origin)?.line);
    },
  };
}
