/** How a command ends, for scripts and monitors. docs/command-line.md has the table. */
export const exitCodes = {
  /** Done, and nothing is wrong. */
  well: 0,
  /** Something is wrong or needs a person, or what was asked for is not there. */
  wrong: 1,
  /** The command was called wrongly; nothing was done. */
  usage: 2,
  /** It could not be done or not finished: the application cannot be made, the database or the service gives no answer. */
  failed: 3,
  /** What could be compared agrees; receipts could not be compared. */
  partly: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
