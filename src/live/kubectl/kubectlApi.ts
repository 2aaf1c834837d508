import type { ApiAnswer, ClusterApi } from '../clusterApi.ts';
import type { ClusterWriter, WriteAnswer } from '../clusterWriter.ts';
import { kubectlWords, type LiveOptions } from '../liveOptions.ts';
import { kubectlProxy } from './kubectlProxy.ts';
import { lineSplitter } from './lineSplitter.ts';
import { type ProgramEnd, runProgram } from './runProgram.ts';
import { tooSlow } from './tooSlow.ts';

/**
 * The API server by way of the user's own kubectl: its contexts, plugins for signing in and proxies apply, and k8snet
 * sees no credentials.
 */
export async function kubectlApi(options: LiveOptions): Promise<ClusterApi> {
  const words = kubectlWords(options);
  const { context = options.context, namespace } = await chosenContext(words);
  const name = context === undefined ? 'the cluster' : `cluster ${context}`;
  const timeout = options.requestTimeout === undefined ? undefined : options.requestTimeout + patience;
  const ask = async (path: string) =>
    answerOf(await runProgram([...words, 'get', '--raw', path], { timeout, mayAsk: true }));
  const proxy = kubectlProxy(words, options.requestTimeout);
  let isSignedIn = false;
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    follow: async (path, line, signal) => {
      const { requestTimeout: _, ...unlimited } = options;
      const follow = [...kubectlWords(unlimited), 'get', '--raw', path];
      return answerOf(await runProgram(follow, { take: lineSplitter(line), signal }));
    },
    get: async (path) => {
      // Only kubectl itself may ask the user to sign in, and only its words explain a failure.
      const answer = (isSignedIn ? await proxy.get(path) : undefined) ?? (await ask(path));
      isSignedIn ||= answer.kind !== 'failed';
      return answer;
    },
  };
}

/** Writes as the user in the kubeconfig. */
export function kubectlWriter(options: LiveOptions): ClusterWriter {
  const words = kubectlWords(options);
  const run = async (more: readonly string[], input?: string) =>
    writeAnswerOf(
      await runProgram([...words, ...more], { timeout: patience * 2, ...(input !== undefined && { input }) }),
    );
  return {
    create: (path, object) => run(['create', '--raw', path, '-f', '-'], JSON.stringify(object)),
    patch: (path, object, kind) => run([...patchWords(path), `--type=${kind}`, '--patch', JSON.stringify(object)]),
  };
}

/** kubectl patches by names, not by paths: `/api/v1/nodes/n1/status`, `/apis/GROUP/VERSION/namespaces/NS/RESOURCE/NAME`. */
function patchWords(path: string): readonly string[] {
  const [, group, version, namespace, resource = '', name = '', subresource] =
    /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  return [
    'patch',
    group === undefined ? resource : `${resource}.${version}.${group}`,
    decodeURIComponent(name),
    ...(namespace === undefined ? [] : [`--namespace=${namespace}`]),
    ...(subresource === undefined ? [] : [`--subresource=${subresource}`]),
    '--output=json',
  ];
}

function writeAnswerOf(end: ProgramEnd): WriteAnswer {
  if (/\(AlreadyExists\)/.test(end.said)) return { kind: 'exists' };
  const answer = answerOf(end);
  if (answer.kind === 'found') return { kind: 'done', text: answer.text };
  const isForbidden = answer.kind === 'refused' && answer.reason === 'Forbidden';
  return { kind: isForbidden ? 'forbidden' : 'failed', message: answer.message };
}

/** In addition to its own time limit, kubectl may have to sign in first. */
const patience = 15_000;

/** The context that counts, and the namespace that it names. */
async function chosenContext(
  words: readonly string[],
): Promise<{ readonly context?: string; readonly namespace?: string }> {
  const fields = '{.contexts[0].name}{"\\n"}{.contexts[0].context.namespace}';
  const view = [...words, 'config', 'view', '--minify', `--output=jsonpath=${fields}`];
  const { status, output } = await runProgram(view, { timeout: patience });
  if (status !== 0) return {};
  const [context = '', namespace = ''] = output.toString().split('\n');
  return { ...(context !== '' && { context }), ...(namespace !== '' && { namespace }) };
}

function answerOf(end: ProgramEnd): ApiAnswer {
  if (end.kind === 'notFound') {
    const hint = 'install kubectl, or read what it printed elsewhere: k8snet collect --from cluster';
    return { kind: 'failed', message: 'kubectl cannot be started: it is not in the PATH', hint };
  }
  if (end.kind === 'tooSlow') return tooSlow;
  if (end.kind === 'tooMuch') return { kind: 'failed', message: 'the answer is longer than anything that can be read' };
  if (end.status === 0) return { kind: 'found', text: end.output.toString() };
  const [, reason = '', message = ''] = /^Error from server \((\w+)\): (.*)/m.exec(end.said) ?? [];
  if (reason === 'Forbidden' || reason === 'NotFound') return { kind: 'refused', reason, message };
  if (reason === 'Expired' || reason === 'Gone') return { kind: 'refused', reason: 'Expired', message };
  const said = lastLine(end.said);
  const hint = isWithoutConfig.test(said) ? configHint() : hints.find(([pattern]) => pattern.test(said))?.[1];
  const why = said === '' ? 'kubectl failed and did not say why' : said;
  return { kind: 'failed', message: why, ...(hint !== undefined && { hint }) };
}

/** Remedies for kubectl's messages. */
const hints: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /must be logged in|\(Unauthorized\)/,
    'the credentials of this context are not accepted: a token may have expired; sign in again',
  ],
  [/Client\.Timeout|deadline exceeded/, '--request-timeout 2m waits longer'],
  [/was refused|no route to host|no such host|i\/o timeout/, 'is this the right cluster? --context names another one'],
];

/** Where nothing names a cluster, kubectl asks here. */
const isWithoutConfig = /localhost:8080/;

function configHint(): string {
  const { KUBECONFIG: files = '' } = process.env;
  return files === ''
    ? 'kubectl found no kubeconfig: set KUBECONFIG, or name a file with --kubeconfig'
    : `KUBECONFIG names no file that is there and names a cluster: ${files}`;
}

/** Warnings and repeated attempts come earlier. That it is an error is said already. */
function lastLine(said: string): string {
  const line = said.trim().split('\n').at(-1)?.trim() ?? '';
  return line.replace(/^error: /, '');
}
