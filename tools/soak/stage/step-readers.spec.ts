import { HttpSteps } from './http-steps.js';
import { SqlSteps } from './sql-steps.js';

/** As pg sends a text without parameters, and one with parameters. */
const query = (text: string): Buffer => {
  const message = Buffer.from(`Q0000${text}\0`);
  message.writeUInt32BE(message.length - 1, 1);
  return message;
};
const parse = (text: string): Buffer => Buffer.from(`P0000\0${text}\0\0\0`);

describe('a connection to the database', () => {
  const transaction = (...statements: string[]) => {
    const steps = new SqlSteps();
    steps.sent(query('START TRANSACTION'));
    for (const statement of statements) expect(steps.sent(parse(statement))).toBeNull();
    return steps;
  };

  it('shows the step that a COMMIT ends, and the answer to it', () => {
    const steps = transaction('INSERT INTO "payments_notifications" AS known VALUES ($1)');
    expect(steps.sent(query('COMMIT'))).toBe('notification');
    expect(steps.answered()).toBe('notification');
    expect(steps.answered()).toBeNull();
  });

  it('names a transaction by its most important statement', () => {
    const handler = transaction(
      'UPDATE "payments_deliveries" delivery SET attempts = 1',
      'INSERT INTO soak_effects VALUES ($1)',
    );
    expect(handler.sent(query('COMMIT'))).toBe('handler');
  });

  it('shows a statement that commits by itself', () => {
    const steps = new SqlSteps();
    expect(steps.sent(parse('WITH terms AS () UPDATE "payments_deliveries" delivery SET attempts = 1'))).toBe(
      'delivery claim',
    );
    expect(steps.answered()).toBe('delivery claim');
    expect(steps.sent(parse('SELECT 1'))).toBeNull();
    expect(steps.answered()).toBeNull();
  });

  it('shows nothing of transactions that are none of these, also after one that was', () => {
    const steps = transaction('INSERT INTO "payments_operations" VALUES ($1)');
    steps.sent(query('ROLLBACK'));
    steps.sent(query('START TRANSACTION'));
    steps.sent(parse('SELECT 1'));
    expect(steps.sent(query('COMMIT'))).toBeNull();
    expect(steps.answered()).toBeNull();
  });
});

describe('a connection to the service', () => {
  it.each([
    ['POST /v3/payments HTTP/1.1', 'create'],
    ['POST /v3/payments/2d-8/capture HTTP/1.1', 'capture'],
    ['POST /v3/2d-8/capture HTTP/1.1', 'capture'],
    ['POST /v3/payments/2d-8/cancel HTTP/1.1', 'cancel'],
    ['POST /v3/refunds HTTP/1.1', 'refund'],
    ['POST /v3/receipts HTTP/1.1', 'receipt'],
    ['GET /v3/payments/2d-8 HTTP/1.1', 'read'],
    ['GET /v3/payments?limit=100 HTTP/1.1', 'list'],
    ['GET /v3/refunds?payment_id=2d-8 HTTP/1.1', 'list'],
    ['GET /v3/receipts/rt-8 HTTP/1.1', 'read'],
    ['GET /v3/receipts?payment_id=2d-8 HTTP/1.1', 'list'],
  ])('shows %s as %s, until it is answered', (head, step) => {
    const steps = new HttpSteps();
    expect(steps.sent(Buffer.from(`${head}\r\nHost: localhost\r\n\r\n`))).toBe(step);
    expect(steps.sent(Buffer.from('{"the rest": "of a body"}'))).toBeNull();
    expect(steps.answered()).toBe(step);
    expect(steps.answered()).toBeNull();
  });
});
