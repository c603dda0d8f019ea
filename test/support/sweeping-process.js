/** A process that re-reads on a message one payment and makes one delivery; its test kills it on the way. */
import { Deliverer } from '../../dist/libs/payments/src/handlers/deliverer.js';
import { OnPaymentEvent } from '../../dist/libs/payments/src/index.js';
import { HandOver } from '../../dist/libs/payments/src/notifications/hand-over.js';
import { Claims } from '../../dist/libs/payments/src/reconcile/claims.js';
import { Reconciler } from '../../dist/libs/payments/src/reconcile/reconciler.js';
import { StoreTurns } from '../../dist/libs/payments/src/stores/store-turns.js';
import { mark, openProcess, untilTold } from './open-process.js';

class Effects {
  async succeeded({ name, payment }, { manager }) {
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [name, payment.id]);
  }
}
mark(OnPaymentEvent('payment.succeeded', { id: 'test.succeeded' }), Effects, 'succeeded');

const app = await openProcess(Effects);
await untilTold();
while (await app.get(HandOver).runNext());
const claims = app.get(Claims);
const [id] = await app.get(StoreTurns).waiting((storeId) => claims.waits(storeId), [], 1);
const [claim] = await claims.take({ stores: [{ id, most: 1 }], most: 1, failing: 1 });
await app.get(Reconciler).run(claim, 'sweep');
const { work } = app.get(Deliverer);
for (const delivery of await work.take(1)) await work.run(delivery);
await app.close();
process.disconnect();
