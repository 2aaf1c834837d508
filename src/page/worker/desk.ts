import {
  type BehaviourInput,
  behaviourInput,
  type Compiled,
  type CompileOptions,
  compile,
  compileBesideDump,
  type Diagnostic,
  type Loaded,
  loadTexts,
  type NodeRules,
  type PlacedDiagnostic,
  type Provenance,
  placeDiagnostics,
  policyRulesOf,
  provenance,
  readDump,
  rulesOf,
  type SharedWork,
  toFiles,
  toText,
} from '../../public/core.ts';
import { orThrow, told } from '../../public/result.ts';
import type { PageInput } from '../pageInput.ts';
import type { Variant } from '../protocol.ts';
import { type Target, targetOf } from '../targetOf.ts';

/** One input and all that was made of it so far: each step runs once, when it is first asked for. */
export interface Desk {
  readonly input: PageInput;
  readonly target: Target;
  readonly loaded: () => Promise<Loaded & Said>;
  readonly compiled: (variant: Pick<Variant, 'mode' | 'version'>) => Promise<CompiledRules>;
  readonly text: (
    variant: Variant,
  ) => Promise<Said & { readonly text: string; readonly compiled?: Compiled | undefined }>;
  readonly provenance: (variant: Variant) => Promise<Provenance | undefined>;
  /** By line of the text; empty where lines are no rules. */
  readonly lineSources: (variant: Variant) => Promise<ReturnType<Provenance['linesOf']>>;
  /** The node that packets walk through: that of the dumps, where there are any. Undefined: an error was reported. */
  readonly node: () => Promise<Said & { readonly node?: BehaviourInput | undefined }>;
  readonly dump: () => Promise<NodeRules | undefined>;
  readonly place: (diagnostics: readonly Diagnostic[]) => Promise<readonly PlacedDiagnostic[]>;
}

interface Said {
  readonly said: readonly Diagnostic[];
}

interface CompiledRules extends Said {
  readonly compiled: Compiled | undefined;
}

/** `work` is shared by all inputs: people change a line, and the rest stays as it was. */
export function createDesk(input: PageInput, work: SharedWork): Desk {
  const target = targetOf(input.settings);
  const kept = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const known = kept.get(key) ?? make();
    kept.set(key, known);
    return known as Promise<T>;
  };
  const loaded = () => once('loaded', () => load(input, work));
  const compiled: Desk['compiled'] = (variant) =>
    once(`compiled ${variant.mode} ${variant.version}`, async () => {
      const { objects, said } = await loaded();
      return compileWith(objects, said, { ...optionsOf(target, variant), sharing: work.sharing });
    });
  const text: Desk['text'] = (variant) =>
    once(`text ${JSON.stringify(variant)}`, async () =>
      variant.form === 'dump' ? { text: dumpText(input), said: [] } : textOf(await compiled(variant), variant),
    );
  const origins: Desk['provenance'] = (variant) =>
    once(`provenance ${variant.mode} ${variant.version}`, async () => {
      const { compiled: rules } = await compiled(variant);
      return rules && provenance(rules, await loaded(), await orThrow(rulesOf(rules)));
    });
  const dump = () => once('dump', () => readDumps(input));
  return {
    input,
    target,
    loaded,
    compiled,
    text,
    dump,
    provenance: origins,
    lineSources: (variant) =>
      once(`lines ${JSON.stringify(variant)}`, async () => {
        if (variant.form === 'json' || variant.form === 'script') return [];
        return (await origins(variant))?.linesOf((await text(variant)).text) ?? [];
      }),
    node: () => once('node', async () => walkedNode(await loaded(), await dump(), target.options)),
    place: async (diagnostics) => placeDiagnostics(diagnostics, (await loaded()).sources),
  };
}

async function load({ manifests }: PageInput, { texts }: SharedWork): Promise<Loaded & Said> {
  const said: Diagnostic[] = [];
  return { ...(await told(loadTexts(manifests, { memory: texts }), (one) => said.push(one))), said };
}

function optionsOf({ options }: Target, { mode, version }: Pick<Variant, 'mode' | 'version'>): CompileOptions {
  return {
    ...options,
    ...(mode !== '' && { mode: mode as NonNullable<CompileOptions['mode']> }),
    ...(version !== '' && { kubeVersion: version }),
  };
}

async function compileWith(
  objects: Loaded['objects'],
  before: readonly Diagnostic[],
  options: CompileOptions,
): Promise<CompiledRules> {
  const said = [...before];
  const compiled = await told(compile(objects, options), (one) => said.push(one));
  return { compiled: hasErrors(said) ? undefined : compiled, said };
}

async function textOf({ compiled, said: before }: CompiledRules, variant: Variant) {
  const said = [...before];
  const { form, family } = variant;
  if (compiled === undefined || form === 'dump') return { text: '', said };
  const report = (one: Diagnostic) => said.push(one);
  const files = await orThrow(toFiles(compiled), report);
  const pieces = await orThrow(toText(compiled, files, { form, family }), report);
  return { text: [...pieces].join(''), said, compiled };
}

/** The dumps as they were given, one behind the other. */
function dumpText({ dumps }: PageInput): string {
  return dumps.map(({ name, text }) => (dumps.length > 1 ? `# ${name}\n${text}` : text)).join('\n');
}

async function readDumps({ dumps }: PageInput): Promise<NodeRules | undefined> {
  if (dumps.every(({ text }) => text.trim() === '')) return undefined;
  return orThrow(readDump(dumps, { name: dumps.map(({ name }) => name).join(', ') }));
}

/** As `trace` does it: a dump is walked, and the manifests name Pods and Services; manifests alone with their policies. */
async function walkedNode(
  { objects, said: before }: Loaded & Said,
  dump: NodeRules | undefined,
  options: CompileOptions,
): Promise<Said & { readonly node?: BehaviourInput | undefined }> {
  const said = [...before];
  const report = (one: Diagnostic) => said.push(one);
  const family = options.family === 'both' ? undefined : options.family;
  if (objects.length === 0) return dump === undefined ? { said } : { said, node: { rules: dump, objects: undefined } };
  const compiled = await told(compileBesideDump(objects, dump, options), report);
  if (compiled === undefined || hasErrors(said)) return { said };
  const own = await orThrow(behaviourInput(compiled));
  const named = { ...own.objects, family };
  if (dump !== undefined) return { said, node: { rules: dump, objects: named } };
  const { networkPolicies, clusterPolicies = [] } = compiled.policyManifests;
  const hasPolicies = networkPolicies.length + clusterPolicies.length > 0;
  const policies = hasPolicies ? await told(policyRulesOf(compiled), report) : [];
  return { said, node: { rules: { ...own.rules, nft: [...own.rules.nft, ...policies] }, objects: named } };
}

function hasErrors(said: readonly Diagnostic[]): boolean {
  return said.some(({ severity }) => severity === 'error');
}
