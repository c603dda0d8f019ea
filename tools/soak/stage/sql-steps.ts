import type { DatabaseStep, StepReader } from './steps.js';

/** The statement that identifies a transaction, or is one by itself; with several, the first of this list counts. */
const landmarks: readonly (readonly [DatabaseStep, string])[] = [
  ['handler', 'INSERT INTO soak_effects'],
  ['notification', 'INSERT INTO "payments_notifications"'],
  ['intent', 'INSERT INTO "payments_operations"'],
  ['attempt', 'UPDATE "payments_operations" SET "attempts"'],
  ['change', 'INSERT INTO "payments_events"'],
  ['claim', 'PARTITION BY turn.store_id'],
  ['delivery claim', 'UPDATE "payments_deliveries" delivery'],
];

const START = simpleQuery('START TRANSACTION');
const COMMIT = simpleQuery('COMMIT');
const ROLLBACK = simpleQuery('ROLLBACK');

/** Reads one connection to PostgreSQL. A landmark cut in two by the network is missed; the next one will do. */
export class SqlSteps implements StepReader {
  #inTransaction = false;
  #seen = new Set<DatabaseStep>();
  #committing: DatabaseStep | null = null;

  sent(chunk: Buffer): DatabaseStep | null {
    if (chunk.includes(START)) this.#inTransaction = true;
    for (const [step, landmark] of landmarks) if (chunk.includes(landmark)) this.#seen.add(step);
    const undone = chunk.includes(ROLLBACK);
    if (this.#inTransaction && !undone && !chunk.includes(COMMIT)) return null;
    // The end of a transaction, or a statement that commits by itself.
    this.#committing = undone ? null : this.#mostImportant();
    this.#inTransaction = false;
    this.#seen = new Set();
    return this.#committing;
  }

  #mostImportant(): DatabaseStep | null {
    return landmarks.find(([step]) => this.#seen.has(step))?.[0] ?? null;
  }

  answered(): DatabaseStep | null {
    const step = this.#committing;
    this.#committing = null;
    return step;
  }
}

/** The wire protocol's Query message: its letter, its length without the letter, the text and a NUL. */
function simpleQuery(text: string): Buffer {
  const message = Buffer.from(`Q0000${text}\0`);
  message.writeUInt32BE(message.length - 1, 1);
  return message;
}
