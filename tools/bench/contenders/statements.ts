/** Tables for the solution written by hand, and for the effects of handlers. */
export const CREATE_BARE_PAYMENTS = `CREATE TABLE bare_payments (
  id uuid PRIMARY KEY,
  reference text NOT NULL,
  service_id text UNIQUE,
  status text NOT NULL,
  amount_minor bigint NOT NULL,
  idempotence_key uuid NOT NULL UNIQUE,
  body text NOT NULL,
  object jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
)`;

export const CREATE_BARE_NOTIFICATIONS = `CREATE TABLE bare_notifications (
  id uuid PRIMARY KEY,
  event text NOT NULL,
  object_id text NOT NULL,
  body jsonb NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now()
)`;

export const INSERT_BARE_NOTIFICATION =
  'INSERT INTO bare_notifications (id, event, object_id, body) VALUES ($1, $2, $3, $4)';

export const CREATE_EFFECTS = `CREATE TABLE bench_effects (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  handler text NOT NULL,
  payment_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
)`;

/** What every handler and every job does. */
export const INSERT_EFFECT = 'INSERT INTO bench_effects (handler, payment_id) VALUES ($1, $2)';
