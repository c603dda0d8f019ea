/**
 * A shop in a process of its own, in the folder of the version that it runs: its test calls the module over the channel and lets
 * handlers fail or hang. Plain JavaScript, since nothing compiles there.
 */
import 'reflect-metadata';
import {
  OnPaymentEffect,
  OnPaymentEvent,
  PaymentsModule,
  PaymentsOperator,
  PaymentsService,
  protectWebhook,
  yookassaProfile,
} from '@holdfast/payments';
import { NestFactory } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';

const { VERSION, DATABASE_URL, PAYMENTS } = process.env;

/** What the test has ordered. */
const orders = { fails: false, hangs: false, offsetMs: 0 };
const waiting = new Set();

/** One row for each run that is committed, with the version that ran it. */
const leaveRow = (handler, { id }, { manager }) =>
  manager.query('INSERT INTO effects (handler_id, event_id, version) VALUES ($1, $2, $3)', [
    handler,
    id,
    VERSION,
  ]);

class Orders {
  async paid(event, context) {
    await leaveRow('orders.paid', event, context);
    await context.effects.record('orders.thank-you', { to: event.orderReference });
  }

  canceled(event, context) {
    return leaveRow('orders.canceled', event, context);
  }

  async refunded(event, context) {
    if (orders.hangs) await new Promise((resolve) => waiting.add(resolve));
    await leaveRow('orders.refunded', event, context);
  }

  async stubborn(event, context) {
    await leaveRow('orders.stubborn', event, context);
    if (orders.fails) throw new Error('The stubborn handler was told to fail.');
  }

  thank({ to }, { effectKey }) {
    process.send({ effect: { to, effectKey, version: VERSION } });
  }
}

const marks = {
  paid: OnPaymentEvent('order.paid', { id: 'orders.paid' }),
  canceled: OnPaymentEvent('payment.canceled', { id: 'orders.canceled' }),
  refunded: OnPaymentEvent('refund.succeeded', { id: 'orders.refunded' }),
  stubborn: OnPaymentEvent('payment.succeeded', { id: 'orders.stubborn' }),
  thank: OnPaymentEffect('orders.thank-you'),
};
for (const [name, mark] of Object.entries(marks))
  mark(Orders.prototype, name, Object.getOwnPropertyDescriptor(Orders.prototype, name));

const module = PaymentsModule.forRoot({
  ...JSON.parse(PAYMENTS),
  profile: yookassaProfile,
  clock: { offsetMs: () => orders.offsetMs, elapsedMs: () => performance.now() + orders.offsetMs },
});
const database = TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, autoLoadEntities: true });
const app = await NestFactory.create(
  {
    ...module,
    imports: [ScheduleModule.forRoot(), database, ...(module.imports ?? [])],
    providers: [...(module.providers ?? []), Orders],
  },
  { forceCloseConnections: true },
);
protectWebhook(app);
await app.listen(0, '127.0.0.1');

const payments = app.get(PaymentsService);
const operator = app.get(PaymentsOperator);
const targets = {
  payments,
  receipts: payments.receipts,
  operator,
  host: {
    order(changes) {
      Object.assign(orders, changes);
      if (!orders.hangs) for (const goOn of waiting) goOn();
    },
    close: () => app.close(),
  },
};

/** What a call returns; of one that returns slices, all of them. */
async function answerTo({ target, method, args }) {
  const returned = targets[target][method](...args);
  if (returned?.[Symbol.asyncIterator] === undefined) return returned;
  const slices = [];
  for await (const slice of returned) slices.push(slice);
  return slices;
}

process.on('message', ({ id, ...call }) => {
  answerTo(call).then(
    (value) => process.send({ id, value }),
    (error) => process.send({ id, error: { code: error.code ?? null, message: error.message } }),
  );
});
process.send({ url: await app.getUrl() });
