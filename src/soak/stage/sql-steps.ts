import type { DatabaseStep, StepReader } from './steps.js';

/** The statement by which a transaction is known; where it has several, the first of this list counts. */
const landmarks: readonly (readonly [DatabaseStep, string])[] = [
  ['handler', 'INSERT INTO soak_effects'],
  ['notification', 'INSERT INTO "payments_notifications"'],
  ['intent', 'INSERT INTO "payments_operations"'],
  ['attempt', 'UPDATE "payments_operations" operation'],
  ['change', 'INSERT INTO "payments_events"'],
  ['claim', 'UPDATE "payments_payments" payment'],
  ['delivery claim', 'UPDATE "payments_deliveries" delivery'],
];

const START = simpleQuery('START TRANSACTION');
const COMMIT = simpleQuery('COMMIT');

/** Reads one connection to PostgreSQL. A landmark cut in two by the network is missed; the next one serves as well. */
export class SqlSteps implements StepReader {
  #seen = new Set<DatabaseStep>();
  #committing: DatabaseStep | null = null;

  sent(chunk: Buffer): DatabaseStep | null {
    if (chunk.includes(START)) this.#seen = new Set();
    for (const [step, landmark] of landmarks) if (chunk.includes(landmark)) this.#seen.add(step);
    if (!chunk.includes(COMMIT)) return null;
    this.#committing = landmarks.find(([step]) => this.#seen.has(step))?.[0] ?? null;
    return this.#committing;
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
