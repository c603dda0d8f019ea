import type { Recovery } from '@holdfast/payments';

import { roubles } from '../../examples/shared/pages/format.js';
import { newReference } from '../../examples/shared/web/reference.js';
import { findProduct } from '../../src/catalog/products.js';
import { minor } from './books.js';
import { ProgramPurchase } from './program-purchase.js';
import { until } from './until.js';

/** A purchase of which the database forgets a part. */
export class ForgottenPurchase extends ProgramPurchase {
  /** An order that is not paid when it is placed, as by telephone. */
  async orderByPhone(productSlug: string): Promise<void> {
    const { shopUrl, orders } = this.everything;
    const product = findProduct(productSlug);
    if (product === null) throw new Error(`There is no product ${productSlug}`);
    const reference = newReference();
    await orders.place(reference, product, {
      productSlug,
      quantity: 1,
      name: 'Anna Orlova',
      email: 'anna@example.com',
      wayToPay: '',
    });
    this.orderUrl = `${shopUrl}/orders/${reference}`;
    const what = `${product.name} × 1 for ${roubles(product.priceMinor)}`;
    this.say('shop', `places order ${reference}, taken by telephone: ${what}`);
  }

  /** Presses “Pay” on the order's page, and gets to the payment page. */
  async goToPay(): Promise<void> {
    this.paymentPageUrl = (await this.pressPay()) ?? '';
    this.say('buyer', 'presses “Pay” on the order page');
    const { payments } = await this.look();
    this.serviceId = payments[0]?.serviceId ?? '';
  }

  /** Presses it again on the page that is still open: nothing is to be paid. */
  async clicksAgain(): Promise<void> {
    const next = await this.pressPay();
    if (next === null || !next.startsWith(this.orderUrl)) throw new Error(`“Pay” led to ${next} again`);
    this.say('buyer', 'presses “Pay” again on the page that is still open, and is led back to the order');
    await this.look();
  }

  async databaseIsCopied(): Promise<void> {
    await this.everything.database.keepCopy();
    this.say('database', 'is copied as for a backup, and ends its connections for that');
  }

  /** The copy takes the database's place, once a process of the shop has seen it in a state after that. */
  async databaseForgets(): Promise<void> {
    const { database } = this.everything;
    const seen = await database.commitsSeen();
    await until(
      'the shop to see the database once more',
      () => database.commitsSeen(),
      (count) => count > seen,
      this.signal,
    );
    const { payments, refunds, events, effects } = await database.restoreCopy();
    this.forgetPrinted();
    this.say(
      'database',
      `is replaced by that copy, and has forgotten all since then: payments ${payments}, refunds ${refunds}, ` +
        `events ${events}, effects of handlers ${effects}`,
    );
  }

  /** A restored backup may be a copy beside the original: until a person says that it is none, no money moves. */
  async databaseGoesOn(): Promise<void> {
    const period = await this.everything.operator.continueDatabase();
    if (period === null) throw new Error('Nothing says that the database is another one');
    this.say('staff', 'says that this database goes on, as by npx @holdfast/payments continue');
  }

  /** Waits until what the service made in that time has been read. */
  async isFoundAgain(): Promise<void> {
    const read = async (): Promise<Recovery | undefined> =>
      (await this.everything.operator.recoveries()).find(({ reason }) => reason === 'commits_lost');
    const isRead = async (): Promise<number> => (await read())?.doneAt?.getTime() ?? 0;
    await until('what was forgotten to be found', isRead, (doneAt) => doneAt > 0, this.signal);
    const { paymentsAdopted = 0, paymentsWithRefunds = 0 } = (await read()) ?? {};
    this.say(
      'payments',
      `has read the service’s lists of that time: payments found again ${paymentsAdopted}, ` +
        `with refunds ${paymentsWithRefunds}`,
    );
    await this.look();
  }

  /** What was on its way to the service as the database forgot it is looked for five minutes later. */
  async lostTimeIsOver(): Promise<void> {
    await this.wait(6 * 60_000, '6 min');
    const open = async (): Promise<number> =>
      (await this.everything.operator.recoveries()).filter(({ doneAt }) => doneAt === null).length;
    await until('all that was forgotten to be looked for', open, (windows) => windows === 0, this.signal);
    this.say('payments', 'has read what was on its way then, too');
  }

  /** By the service's ledger, whatever the shop knows of it. */
  movedMoneyOnce(): void {
    const { charges, charged, refunds, refunded } = this.everything.sandbox.ledger.totals(this.serviceId);
    if (charges !== 1 || refunds !== 1)
      throw new Error(`The ledger has ${charges} charges and ${refunds} refunds, expected one of each`);
    const [paid, back] = [roubles(minor(charged)), roubles(minor(refunded))];
    this.say('service', `has one charge in its ledger, ${paid}, and one refund, ${back}`);
  }
}
