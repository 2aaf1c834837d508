import type { NftSet } from '../netfilter/nft/ast.ts';
import type { NftCommand } from '../netfilter/nft/command.ts';
import { writeCommand } from '../netfilter/nft/write/writeCommand.ts';
import { heredoc } from './heredoc.ts';
import { renewTables } from './iptables/renewTables.ts';
import { noUndo, shellPrelude } from './shellPrelude.ts';

export interface ScriptInput {
  /** The transaction of each family. */
  readonly transactions: readonly Iterable<NftCommand>[];
  /** `net.netfilter.nf_conntrack_max` and its value, in order. */
  readonly sysctls: readonly (readonly [string, string])[];
}

/**
 * A POSIX shell script that puts the rules in place, in pieces. All families go through one `nft -f`: either everything
 * changes or nothing, and the script can be run again and again. Existing tables, hooks and maps stay, and rules and
 * elements are replaced: if a table were deleted and created again, packets would pass between the old one and the new.
 */
export function* nftablesScript({ transactions, sysctls }: ScriptInput): Generator<string> {
  yield shellPrelude("Brings this node's nftables to the rules that kube-proxy would write.");
  yield `${checks}${renewTables}`;
  yield `cat >"$work/rules" `;
  const families = new Set<string>();
  yield* heredoc(transactionLines(transactions, families));
  yield `renew_tables kube-proxy ${[...families].join(' ')} || fail 'nft refused the rules; what was loaded before is still there'\n`;
  // After the rules: loading them is what loads conntrack, which these belong to.
  for (const [name, value] of sysctls) yield `setting ${name} ${value}\n`;
  yield `\ndone=yes\necho 'k8snet: the rules are loaded' >&2\n`;
}

/** Notes the families. */
function* transactionLines(transactions: ScriptInput['transactions'], families: Set<string>): Generator<string> {
  for (const commands of transactions) {
    for (const command of keepingHooks(commands)) {
      const table = `${command.family} ${command.table}`;
      const isFirst = !families.has(command.family);
      families.add(command.family);
      if (isFirst && command.object !== 'table') yield `add table ${table}\n`;
      yield oneLine(writeCommand(command));
      if (isFirst) yield `flush table ${table}\n`;
      if (command.object === 'set' && 'set' in command && !isFilledByRules(command.set)) {
        yield oneLine(`flush ${command.set.kind} ${table} ${command.set.name}\n`);
      }
    }
  }
}

/** Without the deletion of hooks by which some versions of kube-proxy start; they are added again behind it. */
function* keepingHooks(commands: Iterable<NftCommand>): Generator<NftCommand> {
  let held: NftCommand | undefined;
  for (const command of commands) {
    const isChain = command.object === 'chain';
    const isRemade = isChain && command.verb === 'delete' && held?.object === 'chain' && held.name === command.name;
    if (held !== undefined && !isRemade) yield held;
    held = undefined;
    if (isRemade) continue;
    if (isChain && command.verb === 'add' && command.base === undefined) held = command;
    else yield command;
  }
  if (held !== undefined) yield held;
}

/** Clients and the endpoints that they stay with. */
function isFilledByRules({ flags }: NftSet): boolean {
  return flags.includes('dynamic') || flags.includes('timeout');
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
