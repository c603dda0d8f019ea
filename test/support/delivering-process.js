/** A process that makes deliveries until none is due, and dies of those whose payment's id it is given. */
import { Deliverer } from '../../dist/libs/payments/src/handlers/deliverer.js';
import { OnPaymentEvent } from '../../dist/libs/payments/src/index.js';
import { mark, openProcess } from './open-process.js';

class Effects {
  async succeeded({ name, payment }, { manager }) {
    if (payment.id === process.env.DEADLY) process.kill(process.pid, 'SIGKILL');
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [name, payment.id]);
  }
}
mark(OnPaymentEvent('payment.succeeded', { id: 'test.effects' }), Effects, 'succeeded');

const app = await openProcess(Effects);
const { take, run, slots } = app.get(Deliverer).work;
for (let claims = await take(1); claims.length > 0; claims = await take(1)) {
  const left = [...claims];
  const work = async () => {
    for (let claim = left.shift(); claim; claim = left.shift()) await run(claim);
  };
  await Promise.all(Array.from({ length: slots }, work));
}
await app.close();
