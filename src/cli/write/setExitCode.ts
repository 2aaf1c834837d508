/** Takes a command's exit code. */
export type SetExitCode = (code: number) => void;
