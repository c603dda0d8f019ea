/** What our statements rely on, as far as is known: the host, the role, the database or a pooler may differ. */
export interface ConnectionTraits {
  /** A single statement runs under the isolation level that our locks are made for. */
  readonly isReadCommitted: boolean;
  /** A connection still knows a named statement the next time. */
  readonly keepsNames: boolean;
  /** It writes times as the driver reads them; null: not asked yet. */
  readonly areTimesIso: boolean | null;
}

export const EXPECTED_TRAITS: ConnectionTraits = {
  isReadCommitted: true,
  keepsNames: true,
  areTimesIso: null,
};

/** invalid_parameter_value: {@link TERMS} refuse any other level. */
const ANOTHER_LEVEL = '22023';
/**
 * invalid_sql_statement_name and duplicate_prepared_statement: a pooler hands one server's connection to several of its clients.
 * feature_not_supported: a migration has changed what a named statement returns.
 */
const NAMES_NOT_KEPT = new Set(['26000', '42P05', '0A000']);

/** What a refused statement, which did nothing, reveals about the connection; null: nothing new. */
export function traitsRefused(
  state: string | null,
  { isReadCommitted, keepsNames }: ConnectionTraits,
): Partial<ConnectionTraits> | null {
  if (isReadCommitted && state === ANOTHER_LEVEL) return { isReadCommitted: false };
  if (keepsNames && state !== null && NAMES_NOT_KEPT.has(state)) return { keepsNames: false };
  return null;
}
