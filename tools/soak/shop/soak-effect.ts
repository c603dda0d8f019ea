import type { EntityManager } from 'typeorm';

/** What one run of a handler did, in its own transaction. */
interface SoakEffect {
  readonly eventId: string;
  readonly event: string;
  readonly handlerId: string;
  /** Null: it is about a store or the database. */
  readonly paymentId: string | null;
  /** The amount captured or refunded by it; 0 for every other event. */
  readonly amountMinor: number;
}

/** Append-only and without a unique key on purpose: an effect that took place twice is two rows. */
export const CREATE_EFFECTS = `CREATE TABLE soak_effects (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id bigint NOT NULL,
  event text NOT NULL,
  handler_id text NOT NULL,
  payment_id uuid,
  amount_minor bigint NOT NULL
)`;

export async function writeEffect(manager: EntityManager, effect: SoakEffect): Promise<void> {
  await manager.query(
    'INSERT INTO soak_effects (event_id, event, handler_id, payment_id, amount_minor) VALUES ($1, $2, $3, $4, $5)',
    [effect.eventId, effect.event, effect.handlerId, effect.paymentId, effect.amountMinor],
  );
}
