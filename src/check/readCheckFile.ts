import { dirname, isAbsolute, join, normalize } from 'node:path';
import type { JsonPath, Origin, Report } from '../diagnostics/diagnostic.ts';
import { objectDiagnostic } from '../diagnostics/objectDiagnostic.ts';
import { readDocuments, stdinName } from '../load/files/readDocuments.ts';
import type { Sources } from '../load/sources.ts';
import { schemaErrors } from '../validate/fields/schemaErrors.ts';
import { k8snet } from '../validate/validators.generated.mjs';
import type { CheckCase } from './checkCase.ts';
import type { CheckFileObject } from './checkFileObject.ts';
import { goldenInputs } from './goldenInputs.ts';
import { optionFlags } from './optionFlags.ts';
import { readIgnored } from './readIgnored.ts';

/** The cases of a file, and its text for reports of errors. */
export interface CheckFile {
  readonly cases: readonly CheckCase[];
  readonly sources: Sources;
}

const hint = 'this file names the cases: k8snet check --help shows one, -c reads another';

/** Reads k8snet.yaml. Everything wrong with it is reported, with its place; then there are no cases. */
export async function readCheckFile(path: string, report: Report): Promise<CheckFile> {
  let hasFailed = false;
  const { documents, sources } = await readDocuments([path], { recursive: false }, (problem) => {
    hasFailed ||= problem.severity === 'error';
    const isMissing = problem.code === 'cannot-read' && problem.hint === undefined;
    if (problem.code !== 'no-objects') report(isMissing ? { ...problem, hint } : problem);
  });
  const [document, second] = documents;
  if (document === undefined) {
    const at = [{ file: path === '-' ? stdinName : path, document: 0, path: [], offset: 0 }];
    const message = 'the file is empty: it needs cases';
    if (!hasFailed) report({ code: 'bad-check-file', severity: 'error', message, at });
    return { cases: [], sources };
  }
  const origin: Origin = { file: document.file, document: document.document, path: [] };
  if (second !== undefined) {
    const at = [{ file: second.file, document: second.document, path: [] }];
    report({ code: 'bad-check-file', severity: 'error', message: 'the file has more than one document', at });
    return { cases: [], sources };
  }
  const value = checkedForm(document.value, origin, report);
  if (value === undefined) return { cases: [], sources };
  const cases = value.cases.map((_, index) => caseOf(value, index, origin));
  const isSound =
    checkIgnored(value, origin, report) && checkNames(cases, report) && checkCases(value, cases, path, report);
  return { cases: isSound ? cases : [], sources };
}

/** What is ignored is for reports of findings, of which a comparison has none: here it must only be right. */
function checkIgnored({ ignore = [] }: CheckFileObject, origin: Origin, report: Report): boolean {
  let isSound = true;
  readIgnored(ignore, origin, (problem) => {
    isSound = false;
    report(problem);
  });
  return isSound;
}

/** A field that is not known is an error here: a check that looks at less than was asked for is worse than none. */
function checkedForm(value: unknown, origin: Origin, report: Report): FileWithCases | undefined {
  if (k8snet(value)) {
    const { cases, ...rest } = value as CheckFileObject;
    if (cases !== undefined) return { ...rest, cases };
    report(
      objectDiagnostic(origin, { code: 'missing-field', path: ['cases'], message: 'is required', severity: 'error' }),
    );
    return undefined;
  }
  for (const problem of schemaErrors('k8snet', value, k8snet.errors ?? [])) {
    const isVersion = problem.path.at(-1) === 'kubeVersion' && problem.code === 'wrong-type';
    const hint = isVersion ? { hint: "put the version in quotes: kubeVersion: '1.30'" } : {};
    report(objectDiagnostic(origin, { ...problem, ...hint, severity: 'error' }));
  }
  return undefined;
}

type FileWithCases = CheckFileObject & Required<Pick<CheckFileObject, 'cases'>>;

function caseOf(file: FileWithCases, index: number, origin: Origin): CheckCase {
  const {
    name,
    manifests,
    recursive = false,
    options,
    golden,
    form = 'save',
    compare = 'bytes',
  } = file.cases[index] as FileWithCases['cases'][number];
  const folder = origin.file === '<stdin>' ? '.' : dirname(origin.file);
  const pathOf = (path: string) => (isAbsolute(path) ? path : join(folder, path));
  return {
    name,
    manifests: manifests.map(pathOf),
    isRecursive: recursive,
    options: optionFlags({ ...file.defaults, ...options }, pathOf),
    golden: pathOf(golden),
    form,
    compare,
    origin: { ...origin, path: ['cases', index] },
  };
}

function checkNames(cases: readonly CheckCase[], report: Report): boolean {
  let isSound = true;
  for (const field of ['name', 'golden'] as const) {
    const seen = new Map<string, CheckCase>();
    for (const one of cases) {
      const first = seen.get(one[field]);
      if (first === undefined) {
        seen.set(one[field], one);
        continue;
      }
      isSound = false;
      report({
        code: 'bad-check-file',
        severity: 'error',
        message: `two cases have the ${field} ${JSON.stringify(one[field])}`,
        at: [at(one, field), at(first, field)],
      });
    }
  }
  return isSound;
}

function checkCases(file: FileWithCases, cases: readonly CheckCase[], checkFile: string, report: Report): boolean {
  let isSound = true;
  const refuse = (one: CheckCase, path: JsonPath, message: string): void => {
    isSound = false;
    report({ code: 'bad-check-file', severity: 'error', message, at: [at(one, ...path)] });
  };
  const overwriting = new Set(goldenInputs(cases, checkFile));
  for (const [index, one] of cases.entries()) {
    const { golden = '', manifests = [] } = file.cases[index] ?? {};
    const isBelow = !isAbsolute(golden) && !/^\.\.(?:[\\/]|$)/.test(normalize(golden)) && normalize(golden) !== '.';
    if (!isBelow)
      refuse(one, ['golden'], 'a golden file must be below the folder of this file, since --update writes it');
    const stdin = manifests.indexOf('-');
    if (stdin !== -1) refuse(one, ['manifests', stdin], 'standard input cannot be read here: name a file');
    if (overwriting.has(one)) {
      refuse(one, ['golden'], 'this is also an input, or would be read as one: --update would write over it');
    }
    if (one.form === 'script' && one.compare === 'rules') {
      refuse(one, ['compare'], 'a script can only be compared by bytes');
    }
  }
  return isSound;
}

function at({ origin }: CheckCase, ...path: JsonPath): Origin {
  return { ...origin, path: [...origin.path, ...path] };
}
