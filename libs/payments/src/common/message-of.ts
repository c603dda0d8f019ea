/** The message of something that was thrown: anything can be. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
