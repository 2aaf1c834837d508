/** Sets the exit code of the command. */
export type SetExitCode = (code: number) => void;
