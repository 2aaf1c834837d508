import type { CollectCommand } from '../../script/collect/collectCommands.ts';

/**
 * A POSIX shell script that runs commands one after another and marks where the answer of each begins and ends, on
 * standard output and on standard error: one connection brings all of them, and an answer without its end was cut. It
 * only runs these commands, which only read.
 */
export function nodeScript(commands: readonly CollectCommand[], mark: string): string {
  return `${prelude(mark)}${commands.map(take).join('')}`;
}

function prelude(mark: string): string {
  return `LC_ALL=C PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export LC_ALL PATH
say() {
  echo "${mark} $*"
  echo "${mark} $*" >&2
}
take() {
  number=$1
  shift
  command -v "$1" >/dev/null 2>&1 || return 0
  say begin "$number"
  "$@" </dev/null
  code=$?
  echo
  say end "$number" "$code"
}
`;
}

function take({ words, needs, unless }: CollectCommand, number: number): string {
  const line = `take ${number} ${words.join(' ')}\n`;
  if (needs !== undefined) return `[ ! -e ${needs} ] || ${line}`;
  return unless === undefined ? line : `command -v ${unless} >/dev/null 2>&1 || ${line}`;
}

/** What a command printed; without a status its end is missing. */
export interface NodeAnswer {
  readonly text: string;
  readonly status?: number;
}

/** The answers by the number of their command; answers of missing programs are absent. */
export function nodeAnswers(text: string, mark: string): ReadonlyMap<number, NodeAnswer> {
  const answers = new Map<number, NodeAnswer>();
  const begin = `${mark} begin `;
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, at + 1)) {
    const start = text.indexOf('\n', at);
    if (start === -1) break;
    const number = Number(text.slice(at + begin.length, start));
    const end = text.indexOf(`\n${mark} end ${number} `, start);
    const status = end === -1 ? undefined : /^\d+(?=\n)/.exec(text.slice(end).split(' ', 4)[3] ?? '')?.[0];
    const body = text.slice(start + 1, end === -1 ? undefined : Math.max(start + 1, end));
    answers.set(number, { text: body, ...(status !== undefined && { status: Number(status) }) });
  }
  return answers;
}
