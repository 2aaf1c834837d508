import type { Command } from 'commander';
import { version } from '../version.ts';
import { item, type ListedCommand, manualPage, section } from './manualPage.ts';
import { roff } from './roff.ts';

/** Every manual page by its name, `k8snet`, `k8snet-compile`, `k8snet-policy-test`; `date` is YYYY-MM-DD. */
export function manualPages(program: Command, date: string): ReadonlyMap<string, string> {
  const pages = new Map<string, string>();
  const write = (command: Command, words: readonly string[], above: readonly string[]) => {
    const name = words.join('-');
    const below = command.commands.map((one) => [...words, one.name()]);
    const commands = command.commands.map((one): ListedCommand => {
      return { name: `${[...words, one.name()].join('-')}(1)`, summary: one.summary() || one.description() };
    });
    const isProgram = words.length === 1;
    pages.set(
      name,
      manualPage(command, {
        name,
        typed: words.join(' '),
        version,
        date,
        commands,
        seeAlso: [...above, ...below.map((one) => one.join('-'))],
        more: isProgram ? aboutProgram : [],
      }),
    );
    for (const one of command.commands) write(one, [...words, one.name()], isProgram ? [name] : [...above, name]);
  };
  write(program, ['k8snet'], []);
  return pages;
}

/** What applies to every command. */
const aboutProgram: readonly string[] = [
  ...section('EXIT STATUS', [
    'Each command says what its own numbers mean. For all of them:',
    ...item(roff.bold('0'), 'all is well, or what was asked for is done'),
    ...item(roff.bold('1'), 'something was found: a difference, a problem, a packet that does not arrive'),
    ...item(roff.bold('2'), 'bad usage, or input that cannot be read'),
    ...item(roff.bold('3'), 'not decided: the input lacks what decides'),
    ...item(roff.bold('5'), 'a cluster or a node could not be read'),
    ...item(roff.bold('70'), 'a bug of k8snet'),
    ...item(roff.bold('74'), 'the output cannot be written'),
  ]),
  ...section('ENVIRONMENT', [
    ...item(roff.bold('KUBECONFIG'), 'the kubeconfig that --live reads, as for kubectl'),
    ...item(roff.bold('NO_COLOR'), 'no colors, unless --color asks for them'),
    ...item(roff.bold('FORCE_COLOR'), 'colors even without a terminal'),
    ...item(roff.bold('COLUMNS'), 'width of help pages, instead of that of the terminal'),
  ]),
];
