/** The exit code of the process. */
export const exitCodes = {
  /** Done; nothing differs. */
  ok: 0,
  /** Differences, findings, a failed check. */
  differs: 1,
  /** Bad usage or bad input; nothing was written. */
  badInput: 2,
  /** Not decided: a fact is missing, and named. */
  undecided: 3,
  /** A cluster or a node could not be read. */
  unread: 5,
  /** A bug of ours. */
  bug: 70,
  /** Standard output or a folder could not be written. */
  cannotWrite: 74,
} as const;
