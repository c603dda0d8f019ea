const DECLINE = /^decline:([a-z0-9_]+)$/;

/** The sandbox's own: what makes a payment by a cryptogram or token fail, `decline:insufficient_funds`. null: it succeeds. */
export function declineIn(secret: string): string | null {
  return DECLINE.exec(secret)?.[1] ?? null;
}
