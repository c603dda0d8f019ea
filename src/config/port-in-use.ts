/** The same error, unless it says that the port is taken: then one that names the setting to change. */
export function explainPort(error: unknown, port: number, setting: string): unknown {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (!taken) return error;
  return new Error(`Port ${port} is in use. Stop the program that has it, or set another ${setting}.`);
}
