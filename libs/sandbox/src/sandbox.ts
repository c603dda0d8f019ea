import express from 'express';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { apiRouter } from './api/api.router.js';
import { authenticator } from './api/credentials.js';
import { IdempotenceKeys } from './api/idempotence.js';
import { bindingRouter } from './binding/binding.router.js';
import { openBooks, viewsOf } from './books/books.js';
import { checkoutRouter } from './checkout/checkout.router.js';
import { SandboxClock } from './clock/clock.js';
import { controlRouter } from './control-api/control.router.js';
import { controlPageRouter } from './control-page/control-page.router.js';
import { invoiceControl } from './control/invoice-control.js';
import { ledgerControl } from './control/ledger-control.js';
import { objectControl } from './control/object-control.js';
import { partnershipControl } from './control/partnership-control.js';
import { paymentControl } from './control/payment-control.js';
import { receiptControl } from './control/receipt-control.js';
import { refundControl } from './control/refund-control.js';
import type { Sandbox } from './control/running-sandbox.js';
import { allEndpoints } from './endpoints/endpoints.js';
import { FaultOrders } from './faults/fault-orders.js';
import { invoicePageRouter } from './invoice-page/invoice-page.router.js';
import { Changes } from './journal/changes.js';
import { Journal } from './journal/journal.js';
import { Ledger } from './ledger/ledger.js';
import { MerchantProfiles } from './notifications/merchant-profiles.js';
import { elsewhereFault } from './notifications/notification-address.js';
import { Notifier } from './notifications/notifier.js';
import { Subscribers } from './notifications/subscribers.js';
import { Webhooks } from './notifications/webhooks.js';
import { authorizeRouter } from './oauth/authorize.router.js';
import { tokenRouter } from './oauth/token.router.js';
import { beginPartnership } from './partnership/partnership.js';
import type { SandboxOptions } from './sandbox.options.js';
import { loadState } from './state/state-file.js';
import { StateKeeper } from './state/state-keeper.js';
import { widgetRouter } from './widget/widget.router.js';

/** One of the documented notification senders. */
const SENDER_ADDRESS = '185.71.76.1';

/** Starts a sandbox with the ledger of `stateFile`, or an empty one. Resolves when it listens; rejects if the port is in use. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', shopId, secretKey, notify, startAt, stateFile } = options;
  const { accessToken = null, profile = 'documented', apps = [] } = options;
  const {
    cardApp = true,
    receipts,
    recurring = true,
    storeName,
    movesToo,
    watch = () => undefined,
  } = options;
  const saved = stateFile === undefined ? null : loadState(stateFile, { accountId: shopId, profile });
  const clock = new SandboxClock(startAt ?? (saved ? new Date(Date.now() + saved.offsetMs) : undefined));
  const ledger = new Ledger();
  const faults = new FaultOrders();
  const changes = new Changes();
  const journal = new Journal({ clock, changes, watch });
  const partnership = beginPartnership(clock, { shopId, secretKey, accessToken, profile, storeName });
  const { stores, tokens } = partnership;
  const store = stores.own;
  if (!cardApp) stores.change(shopId, { cardApp });
  stores.change(shopId, { recurring, ...(receipts && { receipts }) });
  const webhooks = new Webhooks(tokens);
  const unreachable = notify?.elsewhere ? () => null : elsewhereFault;
  const profiles = new MerchantProfiles(unreachable);
  profiles.setUrl(store, notify?.url ?? null);
  if (notify?.events) profiles.setEvents(store, notify.events);
  const partners = partnershipControl(partnership, { webhooks, profiles });
  for (const app of apps) partners.apps.register(app);
  const senderAddress = notify?.senderAddress ?? SENDER_ADDRESS;
  const subscribers = new Subscribers(webhooks, profiles);
  const notifier = new Notifier({ clock, faults, journal, subscribers, senderAddress, unreachable });

  const server = createServer();
  const url = await listen(server, port, host);
  const views = viewsOf(url);
  const changed = () => {
    keeper?.changed();
    changes.announce();
  };
  const books = openBooks({ clock, ledger, notifier, store, url, changed }, views);
  const answers = new IdempotenceKeys(clock);
  const keeper =
    stateFile === undefined
      ? null
      : new StateKeeper(stateFile, { clock, ledger, books, answers, store, profile });
  if (saved) keeper?.restore(saved);
  let closing: Promise<void> | undefined;
  const shutDown = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    notifier.close();
    // Before stalled requests continue, so that they can put nothing on the agenda any more.
    const quiet = clock.close();
    faults.clear();
    await Promise.all([quiet, closed]);
    keeper?.save();
  };

  const payments = paymentControl(books.payments, views.payment, clock);
  const sandbox: Sandbox = {
    url,
    stateFile: stateFile ?? null,
    clock: announcingClock(clock, changes),
    movesToo: movesToo ?? null,
    ledger: ledgerControl(ledger, books),
    payments,
    invoices: invoiceControl(books, views.invoice, payments),
    refunds: refundControl(books),
    receipts: receiptControl(books.receipts),
    ...objectControl(books, views.savedMethod),
    ...partners,
    notifications: {
      list: () => notifier.list(),
      get: (id) => notifier.get(id),
      redeliver: (id) => notifier.redeliver(id),
    },
    requests: { list: () => journal.requests() },
    faults: {
      order: (order) => {
        faults.order(order);
        changes.announce();
      },
      list: () => faults.list(),
      clear: () => {
        faults.clear();
        notifier.releaseHeldBack();
        changes.announce();
      },
    },
    setSecretKeys: (keys) => stores.setSecretKeys(store, keys),
    notifyUrl: () => profiles.of(store).url,
    setNotifyUrl: (target) => profiles.setUrl(store, target),
    notifyEvents: () => profiles.of(store).events,
    setNotifyEvents: (events) => profiles.setEvents(store, events),
    close: () => (closing ??= shutDown()),
  };

  const app = express().disable('x-powered-by').disable('etag');
  // For people: the service itself has nothing at this path.
  app.get('/', (_request, response) => response.redirect('/sandbox/'));
  app.get('/favicon.ico', (_request, response) => void response.status(404).end());
  app.use('/sandbox', controlRouter(sandbox, controlPageRouter({ sandbox, stores, changes })));
  if (store.names.isPublic) {
    app.use('/checkout-widget', widgetRouter());
    app.use('/invoice', invoicePageRouter(books.invoices));
    app.use('/binding', bindingRouter({ savedMethods: books.savedMethods, clock, url }));
  }
  app.use('/checkout', checkoutRouter({ book: books.payments, clock, url }));
  const endpoints = allEndpoints({ books, views, webhooks, clock, isPublic: store.names.isPublic });
  const authenticate = authenticator(stores, tokens);
  app.use(
    '/oauth/v2',
    tokenRouter(partnership, { clock, ledger, faults, journal }),
    authorizeRouter(partnership),
  );
  app.use(apiRouter(endpoints, { authenticate, clock, ledger, faults, keys: answers, journal }));
  server.on('request', app);
  return sandbox;
}

/** The same clock; whoever looks hears when it is moved. */
function announcingClock(clock: SandboxClock, changes: Changes): Sandbox['clock'] {
  return {
    now: () => clock.now(),
    offsetMs: () => clock.offsetMs(),
    elapsedMs: () => clock.elapsedMs(),
    advance: async (ms) => {
      await clock.advance(ms);
      changes.announce();
    },
    skewMs: () => clock.skewMs(),
    skew: (ms) => {
      clock.skew(ms);
      changes.announce();
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The sandbox needs a TCP port');
  // The address that stands for every address of this machine is none that a browser can open, nor one that the control API
  // answers on.
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host;
  return `http://${reachable}:${address.port}`;
}
