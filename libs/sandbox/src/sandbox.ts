import { createServer, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { once } from 'node:events';
import express from 'express';
import { apiRouter } from './api/api.router.js';
import { basicAuth } from './api/basic-auth.js';
import { checkoutRouter } from './checkout/checkout.router.js';
import { SandboxClock } from './clock/clock.js';
import { ControlError } from './control/control-error.js';
import { controlRouter } from './control/control.router.js';
import { FaultOrders } from './faults/fault-orders.js';
import { Ledger } from './ledger/ledger.js';
import { Notifier } from './notifications/notifier.js';
import { act } from './payments/buyer.js';
import { PaymentBook } from './payments/payment-book.js';
import { paymentEndpoints } from './payments/payments.endpoints.js';
import type { Payment } from './payments/payment.js';
import { paymentView } from './payments/payment-view.js';
import type { Sandbox } from './running-sandbox.js';
import type { SandboxOptions } from './sandbox.options.js';

/** One of the documented notification senders (section 6 of the service interface). */
const SENDER_ADDRESS = '185.71.76.1';

/** Starts a sandbox with an empty ledger and resolves once it listens; rejects where the port is taken. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', shopId, secretKey, notify, startAt } = options;
  const clock = new SandboxClock(startAt);
  const ledger = new Ledger();
  const faults = new FaultOrders();
  const notifier = new Notifier({ clock, faults, senderAddress: notify?.senderAddress ?? SENDER_ADDRESS });
  notifier.setUrl(notify?.url ?? null);

  const server = createServer();
  const url = await listen(server, port, host);
  const view = (payment: Payment) => paymentView(payment, { url, shopId });
  const book = new PaymentBook({
    clock,
    ledger,
    announce: (payment, at) => notifier.announce(`payment.${payment.status}`, payment.id, view(payment), at),
  });

  let closing: Promise<void> | undefined;
  const shutDown = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    notifier.close();
    // Before the stalled requests are let go, so that they can put nothing on the agenda any more.
    const quiet = clock.close();
    faults.clear();
    await Promise.all([quiet, closed]);
  };

  const sandbox: Sandbox = {
    url,
    clock,
    ledger,
    payments: {
      pay: (id, action) => view(act(book, id, action)),
      get: (id) => view(existing(book, id)),
      list: () => book.newestFirst().map(view),
    },
    notifications: {
      list: () => notifier.list(),
      redeliver: (id) => notifier.redeliver(id),
    },
    faults: {
      order: (order) => faults.order(order),
      clear: () => {
        faults.clear();
        notifier.releaseHeldBack();
      },
    },
    setNotifyUrl: (target) => notifier.setUrl(target),
    close: () => (closing ??= shutDown()),
  };

  const app = express().disable('x-powered-by').disable('etag');
  app.use('/sandbox', controlRouter(sandbox));
  app.use('/checkout', checkoutRouter(book, clock));
  app.use(
    apiRouter(paymentEndpoints(book, view), {
      authenticate: basicAuth(shopId, secretKey),
      clock,
      ledger,
      faults,
    }),
  );
  server.on('request', app);
  return sandbox;
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The sandbox needs a TCP port');
  return `http://${isIPv6(host) ? `[${host}]` : host}:${address.port}`;
}

function existing(book: PaymentBook, id: string): Payment {
  const payment = book.find(id);
  if (!payment) throw new ControlError(404, `No payment ${id}`);
  return payment;
}
