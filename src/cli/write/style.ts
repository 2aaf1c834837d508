import { Chalk, type ChalkInstance } from 'chalk';
import type { DiagnosticStyle } from '../../diagnostics/style.ts';
import { plainReportStyle, type ReportStyle } from '../../report/reportStyle.ts';

/** `--color`: `auto` asks the stream, NO_COLOR and FORCE_COLOR. */
export type ColorChoice = 'auto' | 'always' | 'never';

/** Only this file knows colors. */
export function chalkFor(choice: ColorChoice, isTerminal: boolean, environment: NodeJS.ProcessEnv): ChalkInstance {
  return new Chalk({ level: usesColor(choice, isTerminal, environment) ? 1 : 0 });
}

/** The option wins, then NO_COLOR, then FORCE_COLOR (`0` and `false` switch it off), then whether a person looks. */
function usesColor(choice: ColorChoice, isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (environment.NO_COLOR) return false;
  const force = environment.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && environment.TERM !== 'dumb';
}

/** How diagnostics look in color. */
export function diagnosticStyle(chalk: ChalkInstance): DiagnosticStyle {
  const bySeverity = { error: chalk.red, warning: chalk.yellow, note: chalk.cyan } as const;
  return {
    place: chalk.bold,
    severity: (text, severity) => bySeverity[severity].bold(text),
    code: (text) => text,
    margin: chalk.dim,
    caret: (text, severity) => bySeverity[severity](text),
    path: chalk.dim,
    hint: chalk.green,
  };
}

/** How reports look: changed words are marked only if there is no color to show them. */
export function reportStyle(chalk: ChalkInstance): ReportStyle {
  if (chalk.level === 0) return plainReportStyle;
  const bySeverity = { error: chalk.red, warning: chalk.yellow, info: chalk.cyan } as const;
  return {
    summary: (text, isSame) => (isSame ? chalk.green : chalk.bold)(text),
    subject: chalk.bold,
    severity: (text, severity) => bySeverity[severity].bold(text),
    id: chalk.bold,
    place: chalk.underline,
    label: chalk.green,
    removed: chalk.red,
    added: chalk.green,
    removedWords: chalk.red.strikethrough,
    addedWords: chalk.green.bold,
    dim: chalk.dim,
  };
}
