/** A process that makes, on a message, the deliveries that are due; the effect that its handler records is a request to its test, which kills it on the way. */
import { Deliverer } from '../../dist/libs/payments/src/handlers/deliverer.js';
import { OnPaymentEffect, OnPaymentEvent } from '../../dist/libs/payments/src/index.js';
import { mark, openProcess, untilTold } from './open-process.js';

class Orders {
  async succeeded({ name, payment }, { manager, effects }) {
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [name, payment.id]);
    await effects.record('test.outside', { paymentId: payment.id });
  }

  async outside({ paymentId }, { effectKey }) {
    const headers = { 'Idempotence-Key': effectKey };
    await fetch(process.env.OUTSIDE, { method: 'POST', headers, body: paymentId });
  }
}
mark(OnPaymentEvent('payment.succeeded', { id: 'test.orders' }), Orders, 'succeeded');
mark(OnPaymentEffect('test.outside'), Orders, 'outside');

const app = await openProcess(Orders);
await untilTold();
const { work } = app.get(Deliverer);
for (let claims = await work.take(1); claims.length > 0; claims = await work.take(1))
  for (const claim of claims) await work.run(claim);
await app.close();
process.disconnect();
