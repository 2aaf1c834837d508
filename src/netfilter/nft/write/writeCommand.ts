import type { BaseChain, NftSet } from '../ast.ts';
import type { NftCommand } from '../command.ts';
import { writeElement } from '../element.ts';
import { formatSeconds } from '../values/duration.ts';
import { quoted } from './quoted.ts';
import { writeDevices } from './writeDevices.ts';
import { writeRule } from './writeRule.ts';
import { writeTable } from './writeTable.ts';

/** One command of a transaction, spelt as kube-proxy 1.30 spells it, with its line end. */
export function writeCommand(command: NftCommand): string {
  const { verb, family, table } = command;
  switch (command.object) {
    case 'table':
      return `${verb} table ${family} ${table}${body([commentPart(command.comment)])}\n`;
    case 'chain':
      return `${verb} chain ${family} ${table} ${command.name}${chainBody(command.base, command.comment)}\n`;
    case 'set':
      return 'set' in command
        ? `${verb} ${command.set.kind} ${family} ${table} ${command.set.name}${body(setParts(command.set))}\n`
        : `${verb} ${command.setKind} ${family} ${table} ${command.name}\n`;
    case 'element': {
      const elements = command.elements.map((element) => writeElement(element, 'transaction'));
      return `${verb} element ${family} ${table} ${command.set} { ${elements.join(' , ')} }\n`;
    }
    case 'rule':
      return `${verb} rule ${family} ${table} ${command.chain} ${writeRule(command.rule, 'transaction')}\n`;
    case 'counter':
      return `${verb} counter ${family} ${table} ${command.name}\n`;
    case 'block':
      return `${[...writeTable(command.content)].join('')}`;
  }
}

/** Nearly all chains of a large cluster have nothing. */
function chainBody(base: BaseChain | undefined, comment: string | undefined): string {
  return base === undefined && comment === undefined ? '' : body([basePart(base), commentPart(comment)]);
}

/** ` { a ; b ; }`, or nothing. */
function body(parts: readonly (string | undefined)[]): string {
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? '' : ` { ${given.join(' ; ')} ; }`;
}

function commentPart(comment: string | undefined): string | undefined {
  return comment === undefined ? undefined : `comment ${quoted(comment)}`;
}

function basePart(base: BaseChain | undefined): string | undefined {
  if (base === undefined) {
    return undefined;
  }
  const device = writeDevices(base);
  const policy = base.policy === undefined ? '' : ` ; policy ${base.policy}`;
  return `type ${base.type} hook ${base.hook}${device} priority ${base.priority}${policy}`;
}

function setParts(set: NftSet): readonly (string | undefined)[] {
  const value = set.valueType === undefined ? '' : ` : ${set.valueType.join(' . ')}`;
  return [
    set.typeOf === undefined ? `type ${set.type.join(' . ')}${value}` : `typeof ${set.typeOf}`,
    set.flags.length === 0 ? undefined : `flags ${set.flags.join(',')}`,
    set.timeout === undefined ? undefined : `timeout ${formatSeconds(set.timeout)}`,
    set.gcInterval === undefined ? undefined : `gc-interval ${formatSeconds(set.gcInterval)}`,
    set.size === undefined ? undefined : `size ${set.size}`,
    set.policy === undefined ? undefined : `policy ${set.policy}`,
    set.hasAutoMerge === undefined ? undefined : 'auto-merge',
    commentPart(set.comment),
  ];
}
