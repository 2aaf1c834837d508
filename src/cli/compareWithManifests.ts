import type { CompareLevel } from '../compare/diffChain.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { Snapshot } from '../load/loaded.ts';
import type { SearchEndpoints } from '../node/chains/endpointSearch.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { type CompiledForDump, compileForDump, type DiffReport, diff } from '../public/core.ts';
import { orThrow, told } from '../public/result.ts';
import type { IgnoreScope } from '../report/ignore/suppressions.ts';
import { changingServices } from './objects/changingServices.ts';
import { isUnknownService } from './objects/isUnknownService.ts';
import { namesOfServices } from './objects/namesOfServices.ts';
import type { ReadInput } from './objects/readInput.ts';
import { refuseNoServices } from './objects/refuseNoServices.ts';
import { refuseUnshownMode } from './objects/refuseUnshownMode.ts';
import type { DiffFlags } from './options/diffFlags.ts';
import type { Messages } from './write/messages.ts';

/** Manifests that nodes are compared with. */
export interface ComparedManifests extends ReadInput {
  /** What they ask to leave out. */
  readonly scopes: readonly IgnoreScope[];
  readonly serviceNames: readonly string[];
}

export async function readComparedManifests(
  filename: readonly string[],
  options: DiffFlags,
  messages: Messages,
): Promise<ComparedManifests> {
  const [{ readInput }, { ignoredInManifests }] = await Promise.all([
    import('./objects/readInput.ts'),
    import('../report/ignore/ignoredInManifests.ts'),
  ]);
  const input = await readInput({ ...options, filename }, messages, true);
  const scopes = ignoredInManifests(input.objects, input.sources, messages.report);
  return { ...input, scopes, serviceNames: namesOfServices(input.objects) };
}

/** What should be on the node of a dump. Undefined: an error was reported. */
export async function expectedFor(
  { objects, options: target }: Pick<ReadInput, 'objects' | 'options'>,
  dump: NodeRules,
  report: Report,
  search?: SearchEndpoints,
): Promise<CompiledForDump | undefined> {
  const expected = await told(compileForDump(objects, dump, { ...target, search }), report);
  if (expected) refuseNoServices(expected.compiled, dump, report);
  return expected;
}

/** Compares one node with what should be on it. Undefined: an error was reported. */
export async function judgeNode(
  { dump, expected, serviceNames, earlier, snapshot }: JudgedNode,
  options: DiffFlags,
  messages: Messages,
): Promise<DiffReport | undefined> {
  const { mode } = expected.compiled.model.config;
  if (await refuseUnshownMode(dump, mode, messages)) return undefined;
  // A Service without rules is in order on a node that has none for it.
  if (await isUnknownService(options.service, { given: serviceNames, dumps: [dump] }, messages)) return undefined;
  return orThrow(
    diff(expected, {
      level: options.compare as CompareLevel,
      service: options.service,
      changing: changingServices(options, snapshot),
      earlier: earlier?.chains,
      hasNfacct: options.nfacct,
      family: options.family,
    }),
  );
}

interface JudgedNode {
  readonly dump: NodeRules;
  readonly expected: CompiledForDump;
  readonly serviceNames: readonly string[];
  readonly snapshot?: Snapshot | undefined;
  /** Of an earlier look; see `DiffOptions`. */
  readonly earlier?: DiffReport | undefined;
}
