import type { NftCommand } from '../netfilter/nft/command.ts';
import { writeCommand } from '../netfilter/nft/writeCommand.ts';
import { heredoc } from './heredoc.ts';
import { noUndo, shellPrelude } from './shellPrelude.ts';

export interface ScriptInput {
  /** The transaction of each family. */
  readonly transactions: readonly Iterable<NftCommand>[];
  /** `net.netfilter.nf_conntrack_max` and its value, in order. */
  readonly sysctls: readonly (readonly [string, string])[];
}

/**
 * A POSIX shell script that puts the rules in place, in pieces. All families go through one `nft -f`, so that either
 * everything changes or nothing; each table is made anew in it, so the script can be run again and again and leaves
 * nothing of an older state.
 */
export function* nftablesScript({ transactions, sysctls }: ScriptInput): Generator<string> {
  yield shellPrelude("Brings this node's nftables to the rules that kube-proxy would write.");
  yield checks;
  yield '# The tables are made anew in the same transaction that fills them: there is no moment without rules.\n';
  yield `cat >"$work/rules" `;
  yield* heredoc(transactionLines(transactions));
  yield `nft -f "$work/rules" || fail 'nft refused the rules; what was loaded before is still there'\n`;
  // After the rules: loading them is what loads conntrack, which these belong to.
  for (const [name, value] of sysctls) yield `setting ${name} ${value}\n`;
  yield `\ndone=yes\necho 'k8snet: the rules are loaded' >&2\n`;
}

function* transactionLines(transactions: ScriptInput['transactions']): Generator<string> {
  for (const commands of transactions) {
    const tables = new Set<string>();
    for (const command of commands) {
      const table = `${command.family} ${command.table}`;
      if (!tables.has(table)) {
        tables.add(table);
        yield* freshTable(table);
      }
      yield oneLine(writeCommand(command));
    }
  }
}

/** A script that removes kube-proxy's tables, whether they are there or not, and nothing else. */
export function nftablesCleanupScript(): string {
  const lines = [...freshTable('ip kube-proxy'), ...freshTable('ip6 kube-proxy')];
  return [
    shellPrelude("Removes kube-proxy's tables of nftables mode from this node, and nothing else."),
    checks,
    '# A table that is not there cannot be deleted, so it is added first.\n',
    `cat >"$work/rules" `,
    ...heredoc(lines),
    `nft -f "$work/rules" || fail 'nft could not delete the tables'\n`,
    `\ndone=yes\necho 'k8snet: the tables of kube-proxy are gone' >&2\n`,
  ].join('');
}

function* freshTable(table: string): Generator<string> {
  yield `add table ${table}\n`;
  yield `delete table ${table}\n`;
}

/** A command is one line whatever is in it: nothing of an input can end the text and begin a shell command. */
function oneLine(line: string): string {
  const body = line.slice(0, -1);
  return breaks.test(body) ? `${body.replace(allBreaks, '?')}\n` : line;
}

const breaks = /[\u0000-\u001f\u007f]/;
const allBreaks = /[\u0000-\u001f\u007f]/g;

/** 5.13 and 1.0.1: what kube-proxy's nftables mode asks for (KEP-3866). */
const checks = `${noUndo}# comparable VERSION: up to three numbers as one.
comparable() {
  echo "$1" | awk -F'[^0-9]+' '{ print $1 * 1000000 + $2 * 1000 + $3 }'
}

need nft awk uname
kernel=$(uname -r)
[ "$(comparable "$kernel")" -ge 5013000 ] || fail "Linux 5.13 or newer is needed, this is $kernel"
version=$(nft --version | awk '{ sub(/^v/, "", $2); print $2 }')
[ "$(comparable "$version")" -ge 1000001 ] || fail "nft 1.0.1 or newer is needed, this is $version"

`;
