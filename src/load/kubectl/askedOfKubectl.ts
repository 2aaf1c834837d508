import { typedCommand } from '../../common/typedCommand.ts';
import type { ShownKind } from './tableObject.ts';

/** What a command line of kubectl asks for, as far as it decides how its output is read. */
export interface AskedOfKubectl {
  /** Undefined: of several kinds, or of one that is not read. */
  readonly kind: ShownKind | undefined;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  /** The steps of `-o jsonpath={.spec.podCIDR}`; undefined: another form, or more than one field. */
  readonly path: readonly (string | number)[] | undefined;
}

/** Reads a command line that was copied with its output; undefined: not a command line. */
export function askedOfKubectl(line: string): AskedOfKubectl | 'another command' | undefined {
  if (line.length > 1000) return undefined;
  const command = /^kubectl (?:get|describe) /.test(line) ? line : typedCommand(line);
  if (command === undefined) return undefined;
  const words = command.split(/\s+/);
  const at = words.indexOf('kubectl');
  const verb = words[at + 1];
  if (at === -1 || (verb !== 'get' && verb !== 'describe')) return 'another command';
  const path = pathOf(command);
  let [kind, name, namespace]: (string | undefined)[] = [];
  for (let index = at + 2; index < words.length && words[index] !== '|'; index++) {
    const word = words[index] ?? '';
    if (word === '-n' || word === '--namespace') namespace = words[++index];
    else if (word.startsWith('--namespace=')) namespace = word.slice('--namespace='.length);
    else if (/^(?:-[olL]|--(?:output|selector|context|kubeconfig|sort-by))$/.test(word)) index += 1;
    else if (!word.startsWith('-')) [kind, name] = kind === undefined ? [word, name] : [kind, name ?? word];
  }
  const [resource = '', slashed] = (kind ?? '').split('/');
  return { kind: kindsByWord[resource.toLowerCase()], name: slashed ?? name, namespace, path };
}

function pathOf(command: string): readonly (string | number)[] | undefined {
  const text = /(?:-o|--output)[ =]?\s*["']?jsonpath=["']?\{?((?:\.\w+|\[\d+\])+)\}?["']?\s*$/.exec(command)?.[1];
  return text?.match(/\w+/g)?.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

const kindsByWord: Readonly<Record<string, ShownKind>> = {
  service: 'Service',
  services: 'Service',
  svc: 'Service',
  endpoints: 'Endpoints',
  ep: 'Endpoints',
  pod: 'Pod',
  pods: 'Pod',
  po: 'Pod',
  node: 'Node',
  nodes: 'Node',
  no: 'Node',
};
