import { defaultMode, proxyModeOf } from '../../common/proxy/proxyMode.ts';
import {
  compileForDump,
  type Diagnostic,
  type DiffReport,
  diagnose,
  diff,
  judge,
  kubeVersions,
  type Loaded,
  lint,
  policyMatrix,
  policyText,
  readPolicies,
  renderReport,
  serviceMaps,
  textKind,
  trace,
} from '../../public/core.ts';
import { orThrow, told } from '../../public/result.ts';
import type { Answers, FindingsAnswer, QuestionKind, Questions, ShownFinding } from '../protocol.ts';
import type { Desk } from './desk.ts';

/** Answers one question about an input. */
export function answer<K extends QuestionKind>(desk: Desk, kind: K, question: Questions[K]): Promise<Answers[K]> {
  return answers[kind](desk, question);
}

const answers: { readonly [K in QuestionKind]: (desk: Desk, question: Questions[K]) => Promise<Answers[K]> } = {
  rules: async (desk, variant) => {
    const { text, said, compiled } = await desk.text(variant);
    return {
      text,
      problems: await desk.place(said),
      settingProblems: desk.target.problems,
      mode: compiled?.model.config.mode ?? '',
      version: compiled === undefined ? '' : versionText(compiled.kubeVersion),
    };
  },
  sources: async (desk, { variant, at }) => {
    const own = await desk.provenance(variant);
    if (own === undefined) return [];
    const found = at.kind === 'rule' ? (await desk.lineSources(variant))[at.line - 1] : await own.sourcesAt(at);
    const places = await own.placesOf(found ?? []);
    return (found ?? []).flatMap((source, place) => {
      const { kind, name } = own.sources[source] ?? {};
      return kind === undefined || name === undefined ? [] : { kind, name, place: places[place] };
    });
  },
  lines: async (desk, { variant, names }) => {
    const own = await desk.provenance(variant);
    const wanted = new Set((own?.sources ?? []).flatMap(({ name }, source) => (names.includes(name) ? source : [])));
    const lines = await desk.lineSources(variant);
    return lines.flatMap((sources, at) => (sources.some((source) => wanted.has(source)) ? at + 1 : []));
  },
  line: async (desk, { variant, line }) => {
    const [own, { text }] = await Promise.all([desk.provenance(variant), desk.text(variant)]);
    const family = /^table ip6 |^add table ip6 |^# ip6?tables\.v6/m.test(text) ? 'ipv6' : variant.family;
    const asked = family === 'both' ? (['ipv4', 'ipv6'] as const) : ([family] as const);
    return { sentence: asked.map((one) => own?.sentenceOf(text, line, one)).find((one) => one !== undefined) };
  },
  versions: async (_, { mode }) => kubeVersions(proxyModeOf(mode) ?? defaultMode),
  services: async (desk) => {
    const { compiled, said } = await desk.compiled(asSet);
    return { maps: compiled === undefined ? [] : await serviceMaps(compiled), problems: await desk.place(said) };
  },
  parties: async (desk) => {
    const { compiled } = await desk.compiled(asSet);
    const pods = (compiled?.policyManifests.pods ?? []).map(({ value }) => podName(value));
    const services = (compiled?.model.servicePorts ?? []).map(
      ({ namespace, name, portName, port }) => `${namespace}/${name}:${portName === '' ? port : portName}`,
    );
    return { from: ['outside', 'node', ...pods], to: [...new Set(services)] };
  },
  walk: async (desk, question) => {
    const { node, said } = await desk.node();
    const notes = await desk.place(said);
    if (node === undefined) return { kind: 'problem', message: 'there are no rules to walk', notes };
    const { from, to, proto } = question;
    const { value, diagnostics } = await trace(node, { from, to, proto: proto === '' ? undefined : proto });
    if (value !== undefined) return { kind: 'walked', ...value, notes };
    return { kind: 'problem', message: diagnostics.map(({ message }) => message).join('; '), notes };
  },
  policies: async (desk, request) => {
    const { objects, said } = await readFor(desk);
    const report = (one: Diagnostic) => said.push(one);
    const { assumesPods } = desk.target.options;
    const read = await told(readPolicies(objects, assumesPods ? { assumesPods } : {}), report);
    const matrix = read && (await orThrow(policyMatrix(read, request)));
    const problems = await desk.place(said);
    if (read === undefined || matrix === undefined)
      return { title: '', names: [], parties: [], ports: {}, cells: [], problems };
    const { title, names, parties, cells } = matrix;
    const ports = Object.fromEntries(
      read.model.pods.flatMap(({ id, namedPorts: [first] }) =>
        first === undefined ? [] : [[id, `${first.port}/${first.protocol.toLowerCase()}`]],
      ),
    );
    const shown = cells.map((row) => row.map(({ text, unknown }) => ({ text, unknown })));
    return { title, names, parties, ports, cells: shown, problems };
  },
  connection: async (desk, { from, to, port }) => {
    const { objects } = await readFor(desk);
    const { assumesPods } = desk.target.options;
    const { value, diagnostics } = await judge(objects, { from, to, port }, assumesPods ? { assumesPods } : {});
    if (value !== undefined) return { text: await policyText(value) };
    return { text: diagnostics.find(({ severity }) => severity === 'error')?.message ?? '' };
  },
  findings: async (desk) => findingsOf(desk),
  kinds: async (_, { texts }) => texts.map(textKind),
};

const asSet = { mode: '', version: '' };

function versionText({ minor, patch }: { readonly minor: number; readonly patch?: number | undefined }): string {
  return `1.${minor}${patch === undefined ? '' : `.${patch}`}`;
}

function podName({ metadata }: PodLike): string {
  return `${metadata?.namespace || 'default'}/${metadata?.name}`;
}

async function readFor(desk: Desk): Promise<Pick<Loaded, 'objects'> & { readonly said: Diagnostic[] }> {
  const { objects, said } = await desk.loaded();
  return { objects, said: [...said] };
}

/** Of manifests what `lint` says, of a dump what `doctor` does, of both `diff`. */
async function findingsOf(desk: Desk): Promise<FindingsAnswer> {
  const { objects, said } = await readFor(desk);
  const report = (one: Diagnostic) => said.push(one);
  const dump = await desk.dump();
  const { options } = desk.target;
  if (dump === undefined) {
    await told(lint(objects, options), report);
    return { summary: '', findings: [], problems: await desk.place(said) };
  }
  if (objects.length === 0) return shown(await orThrow(diagnose(dump)), said, desk);
  const compiled = await told(compileForDump(objects, dump, options), report);
  if (compiled === undefined) return { summary: '', findings: [], problems: await desk.place(said) };
  return shown(await orThrow(diff(compiled)), said, desk);
}

async function shown(report: DiffReport, said: readonly Diagnostic[], desk: Desk): Promise<FindingsAnswer> {
  const { sources } = await desk.loaded();
  const pieces = await orThrow(renderReport(report, { form: 'json', sources }));
  const { findings } = JSON.parse([...pieces].join('')) as { readonly findings: readonly ShownFinding[] };
  const { services, same, missing, differ } = report.summary;
  const summary =
    report.comparison === 'doctor'
      ? ''
      : `${services} ${services === 1 ? 'Service' : 'Services'}: ${same} same, ${missing} missing, ${differ} different`;
  return { summary, findings, problems: await desk.place(said) };
}

interface PodLike {
  readonly metadata?: {
    readonly namespace?: string | null | undefined;
    readonly name?: string | null | undefined;
  } | null;
}
