import { exitCodes } from '../write/exitCodes.ts';

/** The exit code of several runs: the most urgent one. */
export function worstCode(codes: readonly number[]): number {
  return codes.reduce((worst, code) => (severity.indexOf(code) > severity.indexOf(worst) ? code : worst), exitCodes.ok);
}

const severity: readonly number[] = [
  exitCodes.ok,
  exitCodes.undecided,
  exitCodes.differs,
  exitCodes.unread,
  exitCodes.badInput,
];
