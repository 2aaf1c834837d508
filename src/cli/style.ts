import { Chalk, type ChalkInstance } from 'chalk';

/** `--color`: `auto` asks the stream, NO_COLOR and FORCE_COLOR. */
export type ColorChoice = 'auto' | 'always' | 'never';

/** The one place that knows colours. */
export function chalkFor(choice: ColorChoice, isTerminal: boolean, environment: NodeJS.ProcessEnv): ChalkInstance {
  return new Chalk({ level: usesColor(choice, isTerminal, environment) ? 1 : 0 });
}

/** The option wins, then NO_COLOR, then FORCE_COLOR (`0` and `false` switch it off), then whether a person looks. */
export function usesColor(choice: ColorChoice, isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (environment['NO_COLOR']) return false;
  const force = environment['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && environment['TERM'] !== 'dumb';
}
