import type { FaultOrder, ReceiptControl } from '@holdfast/sandbox';

import { roubles } from '../../examples/shared/pages/format.js';
import { minor } from './books.js';
import { intentFacts, ledgerFacts, orderFacts, receiptFacts, settlesPrepayment, type Fact } from './facts.js';
import type { OrderAnswer } from './order-answer.js';
import { printStep, type Actor } from './print-step.js';
import type { Everything } from './start-everything.js';
import { until } from './until.js';
import { formAddress, formValue, hiddenFields, linkAddress, linkTo, Web } from './web.js';

/** Of business time: the module asks for a receipt within a few of these. */
const POLL_MS = 60_000;

/** The answer to what the staff are asked once more before money moves. */
const sure = { sure: 'yes' };

/** Cards of the demo store. */
export const goodCard = '5555555555554444';
export const emptyCard = '5555555555554600';

/**
 * One order, from the product's page to its end: people's actions go over HTTP as their browsers would send them, and the results
 * are printed as they are seen.
 */
export class Purchase {
  readonly #web: Web;
  readonly #staff: Web;
  readonly #printed = new Map<string, Actor>();
  /** Of the order's page, and of the staff's: forms that a browser may send again, whatever became of them. */
  #payForm: string | null = null;
  #refundForm: { readonly action: string; readonly fields: Record<string, string> } | null = null;
  protected readonly everything: Everything;
  protected readonly signal: AbortSignal;
  protected orderUrl = '';
  protected paymentPageUrl = '';
  protected serviceId = '';

  constructor(everything: Everything, signal: AbortSignal) {
    this.everything = everything;
    this.signal = signal;
    this.#web = new Web(signal);
    this.#staff = new Web(signal, `Olga:${everything.staffPassword}`);
  }

  get reference(): string {
    return this.orderUrl.slice(this.orderUrl.lastIndexOf('/') + 1);
  }

  get #staffOrderUrl(): string {
    return `${this.everything.shopUrl}/staff/orders/${this.reference}`;
  }

  /** Fills in the checkout form, and gets to the page where the order is paid. */
  async order(productSlug: string, { quantity: pieces = 1, wayToPay = '' } = {}): Promise<void> {
    const { shopUrl, sandbox } = this.everything;
    const checkoutUrl = `${shopUrl}/products/${productSlug}/checkout`;
    await this.#web.page(`${shopUrl}/products/${productSlug}`);
    this.orderUrl = formAddress(await this.#web.page(checkoutUrl), checkoutUrl, /^\/orders\/\w+$/);
    const next = await this.#web.send(this.orderUrl, {
      productSlug,
      name: 'Anna Orlova',
      email: 'anna@example.com',
      quantity: String(pieces),
      wayToPay,
    });
    if (next === null || (next !== this.orderUrl && !next.startsWith(sandbox.url)))
      throw new Error(`The checkout led to ${next}, where nothing can be paid`);
    this.paymentPageUrl = next;

    const { productName, quantity, totalMinor, payments } = await this.#read();
    this.serviceId = payments[0]?.serviceId ?? '';
    const what = `${productName} × ${quantity} for ${roubles(totalMinor)}`;
    this.say('buyer', `orders ${what}, order ${this.reference}`);
    await this.look();
  }

  /** Presses the button of the order's page; again, on the page as it was first shown. Returns where that leads. */
  protected async pressPay(): Promise<string | null> {
    this.#payForm ??= formAddress(await this.#web.page(this.orderUrl), this.orderUrl, /\/pay$/);
    return this.#web.send(this.#payForm);
  }

  /** Sends the card form of the payment page; the browser is not back in the shop yet. */
  async payBy(cardNumber: string): Promise<void> {
    const page = await this.#web.page(this.paymentPageUrl);
    const card = { method: 'bank_card', number: cardNumber, expiry: '12/39', csc: '123' };
    const next = await this.#web.send(formAddress(page, this.paymentPageUrl, /\/pay$/), card);
    const last4 = cardNumber.slice(-4);
    if (next === null) this.say('buyer', `tries card ··${last4}, and the payment page refuses it`);
    else this.say('buyer', `pays by card ··${last4} on the payment page`);
    this.printMoney();
  }

  /** Chooses the e-wallet on the payment page, and confirms on the wallet's own page. */
  async payByWallet(): Promise<void> {
    const page = await this.#web.page(this.paymentPageUrl);
    const pay = formAddress(page, this.paymentPageUrl, /\/pay$/);
    const walletUrl = (await this.#web.send(pay, { method: 'wallet' })) ?? this.paymentPageUrl;
    const walletPage = await this.#web.page(walletUrl);
    const wallet = formValue(walletPage, walletUrl, 'wallet');
    await this.#web.send(formAddress(walletPage, walletUrl, /\/wallet$/), { wallet });
    this.say('buyer', `pays by e-wallet ${wallet}`);
    const method = this.everything.sandbox.payments.get(this.serviceId).payment_method?.type;
    this.say('service', `calls the method “${method}”`);
    this.printMoney();
  }

  /** Takes the bank's link on the page with the QR code, and confirms in the bank. */
  async payBySbp(): Promise<void> {
    const page = await this.#web.page(this.paymentPageUrl);
    const pay = formAddress(page, this.paymentPageUrl, /\/pay$/);
    const codeUrl = (await this.#web.send(pay, { method: 'sbp' })) ?? this.paymentPageUrl;
    const bankUrl = linkAddress(await this.#web.page(codeUrl), codeUrl, 'open-app');
    const bank = formAddress(await this.#web.page(bankUrl), bankUrl, /\/sbp-bank$/);
    await this.#web.send(bank, { answer: 'confirm' });
    this.say('buyer', 'scans the code and confirms in the bank’s application');
    this.printMoney();
  }

  /** Scans the code on the order's own page, and confirms in the bank; the shop's page is left open. */
  async payByCode(): Promise<void> {
    const bankUrl = linkAddress(await this.#web.page(this.orderUrl), this.orderUrl, 'open-app');
    const bank = formAddress(await this.#web.page(bankUrl), bankUrl, /\/bank-app$/);
    await this.#web.send(bank, { answer: 'confirm' });
    this.say('buyer', 'scans the code on the order page and confirms in the bank’s application');
    this.printMoney();
  }

  async refuseToPay(): Promise<void> {
    const page = await this.#web.page(this.paymentPageUrl);
    await this.#web.send(formAddress(page, this.paymentPageUrl, /\/cancel$/));
    this.say('buyer', 'refuses to pay on the payment page');
    this.printMoney();
  }

  closeTab(): void {
    this.say('buyer', 'closes the tab and never comes back');
  }

  /** The payment page sends the browser back to the shop. */
  async goBack(): Promise<void> {
    await this.#web.follow(`${this.orderUrl}/return`);
    this.say('buyer', 'is back in the shop');
  }

  /** Presses the staff's button on their page of the order. */
  async ship(): Promise<void> {
    const page = await this.#staff.page(this.#staffOrderUrl);
    await this.#staff.send(formAddress(page, this.#staffOrderUrl, /\/ship$/), sure);
    this.say('staff', 'presses “Ship it”, and “Yes”');
  }

  /** Sends the refund form of that page, more than once at the same time for an impatient person. */
  async refund(amount: string, { clicks = 1 } = {}): Promise<void> {
    const page = await this.#staff.page(this.#staffOrderUrl);
    const action = formAddress(page, this.#staffOrderUrl, /\/refund$/);
    const fields = { refundKey: formValue(page, this.#staffOrderUrl, 'refundKey'), amount, ...sure };
    this.#refundForm = { action, fields };
    await Promise.all(Array.from({ length: clicks }, () => this.#staff.send(action, fields)));
    this.say('staff', `types ${amount} and presses “Refund”${clicks > 1 ? ` ${clicks} times` : ''}`);
  }

  /** Sends that form once more, from the page that is still open. */
  async refundAgain(): Promise<void> {
    if (this.#refundForm === null) throw new Error('No refund form was sent yet');
    const { action, fields } = this.#refundForm;
    await this.#staff.send(action, fields);
    this.say('staff', `presses “Refund” for ${fields['amount']} again, on the page that is still open`);
  }

  /** Sends the form for pieces, and answers with the sum in the question: what is left of their price. */
  async refundPieces(pieces: number): Promise<void> {
    const page = await this.#staff.page(this.#staffOrderUrl);
    const action = formAddress(page, this.#staffOrderUrl, /\/refund$/);
    const refundKey = formValue(page, this.#staffOrderUrl, 'refundKey');
    const fields = { refundKey, pieces: String(pieces) };
    const question = await this.#staff.answer(action, fields);
    await this.#staff.send(action, { ...fields, sum: formValue(question, action, 'sum'), ...sure });
    this.say('staff', `presses “Refund pieces” for ${pieces}, and “Yes”`);
  }

  /** Presses the button of that page, more than once at the same time for an impatient person. */
  async handOver({ clicks = 1 } = {}): Promise<void> {
    const page = await this.#staff.page(this.#staffOrderUrl);
    const action = formAddress(page, this.#staffOrderUrl, /\/hand-over$/);
    await Promise.all(Array.from({ length: clicks }, () => this.#staff.send(action)));
    this.say('staff', `press “Handed over”${clicks > 1 ? ` ${clicks} times` : ''}`);
    const { handedOverAt } = await this.look();
    if (handedOverAt === null) throw new Error(`Order ${this.reference} does not count as handed over`);
  }

  /** Waits until the module knows that the receipt of the hand-over is registered, or those of all parcels. */
  async prepaymentIsSettled(parcels = 1): Promise<void> {
    const registered = async (): Promise<number> => {
      const { payments, receipts } = await this.look();
      const settling = new Set(receipts.filter(settlesPrepayment).map(({ id }) => id));
      const events = payments.flatMap(({ timeline }) => timeline);
      return events.filter(
        ({ name, evidence }) => name === 'receipt.succeeded' && settling.has(evidence.receiptId ?? ''),
      ).length;
    };
    await this.#comes('the prepayment to be settled', registered, (count) => count === parcels);
  }

  /** Waits until every receipt of the order is registered, refused or not owed any more; of an order without any not at all. */
  async receiptsAreSettled(): Promise<void> {
    const open = async (): Promise<number> => {
      const { payments, receipts } = await this.look();
      const withMoney = payments.flatMap((payment) => [payment, ...payment.refunds]);
      return (
        withMoney.filter(({ receiptStatus }) => receiptStatus === 'pending').length +
        receipts.filter(({ status }) => ['owed', 'submitting', 'pending'].includes(status)).length
      );
    };
    await this.#comes('the receipts to be registered', open, (count) => count === 0);
  }

  /** Waits until the service has the receipt, with whatever course was ordered for it; time stands still. */
  async receiptIsSent(): Promise<void> {
    const sent = async (): Promise<number> => {
      await this.look();
      return this.everything.sandbox.receipts.list().filter(({ payment_id: id }) => id === this.serviceId)
        .length;
    };
    await until('the receipt to be sent', sent, (count) => count > 0, this.signal);
  }

  /** What the register does with the next receipt. */
  orderReceipt(course: Parameters<ReceiptControl['next']>[0], words: string): void {
    this.everything.sandbox.receipts.next(course);
    this.say('sandbox', `is ordered to ${words}`);
  }

  /** The register has answered after all. */
  registerReceipt(): void {
    const { receipts } = this.everything.sandbox;
    for (const { id, status, payment_id: paymentId } of receipts.list())
      if (paymentId === this.serviceId && status === 'pending') receipts.finish(id, 'succeeded');
    this.say('sandbox', 'is ordered to let the register answer at last');
  }

  /** Waits until the payments board asks for somebody to see to the order's receipt. */
  async receiptIsListed(): Promise<void> {
    await this.#boardLists(true);
    this.say('staff', 'find the receipt on the payments board');
  }

  async receiptIsRegistered(): Promise<void> {
    await this.#boardLists(false);
    this.say('staff', 'see that the receipt is off the payments board');
  }

  /** Answers the board's question, once the receipt is made in the register itself. */
  async resolveReceipt(why: string): Promise<void> {
    await this.#answerBoard(/\/close-receipt\?/, why);
    this.say('staff', 'press “Taken care of…”, say how, and confirm');
    await this.#boardLists(false);
  }

  /** Answers the board's other question, and waits until the service has the next attempt. */
  async sendReceiptAgain(why: string): Promise<void> {
    await this.#answerBoard(/\/send-receipt\?/, why);
    this.say('staff', 'press “Send again…”, say why, and confirm');
    await this.#boardLists(false);
    const sent = async (): Promise<number> => {
      await this.look();
      return this.everything.sandbox.receipts
        .list()
        .filter(({ payment_id: id, status }) => id === this.serviceId && status === 'pending').length;
    };
    await until('the receipt to be sent again', sent, (count) => count > 0, this.signal);
  }

  get #boardUrl(): string {
    return `${this.everything.shopUrl}/staff/payments/receipts`;
  }

  /** The board asks once more, on a page of its own. */
  async #answerBoard(question: RegExp, why: string): Promise<void> {
    const url = linkTo(await this.#staff.page(this.#boardUrl), this.#boardUrl, question);
    await this.#staff.send(url, { ...hiddenFields(await this.#staff.page(url)), why });
  }

  async #boardLists(listed: boolean): Promise<void> {
    const count = async (): Promise<number> => {
      await this.look();
      return (await this.#staff.page(this.#boardUrl)).split('/close-receipt?').length - 1;
    };
    const awaited = `the board to list ${listed ? 'the' : 'no'} receipt`;
    await this.#comes(awaited, count, (shown) => shown > 0 === listed);
  }

  /** Time goes on between the looks: the module asks what became of a receipt at its own pace. */
  async #comes(
    awaited: string,
    look: () => Promise<number>,
    isThere: (seen: number) => boolean,
  ): Promise<void> {
    const ask = async (): Promise<number> => {
      const seen = await look();
      if (!isThere(seen)) await this.everything.sandbox.clock.advance(POLL_MS);
      return seen;
    };
    await until(awaited, ask, isThere, this.signal);
  }

  /** A refund that the shop does not know yet. */
  refundInMerchantProfile(amount: string): void {
    this.everything.sandbox.refunds.make(this.serviceId, amount);
    this.say('staff', `refunds ${roubles(minor(amount))} in the Merchant Profile`);
    this.printMoney();
  }

  /** Moves time forward for the service and the shop alike. */
  async wait(ms: number, words: string): Promise<void> {
    await this.everything.sandbox.clock.advance(ms);
    this.say('clock', `moves on by ${words} for the service and the shop`);
  }

  orderFault(order: FaultOrder, words: string): void {
    this.everything.sandbox.faults.order(order);
    this.say('sandbox', `is ordered to ${words}`);
  }

  /** Waits until the shop's handler has set the order to this state, and looks at its page. */
  async becomes(state: string): Promise<void> {
    // Notifications on their way have arrived by then, including copies.
    await this.everything.sandbox.clock.advance(0);
    const look = async (): Promise<string> => (await this.look()).state;
    await until(`order ${this.reference} to be ${state}`, look, (seen) => seen === state, this.signal);
    const page = await this.#web.page(this.orderUrl);
    const title = /<h1 id="order-state"[^>]*>([^<]*)/.exec(page)?.[1]?.trim();
    this.say('shop', `shows “${title}” on the order page`);
  }

  /** Reads the order, and prints what happened since the last look. */
  protected async look(): Promise<OrderAnswer> {
    const order = await this.#read();
    this.#print(intentFacts(order));
    // After the order, so that the causes of whatever it shows are known.
    this.printMoney();
    const refunds = order.payments.flatMap((payment) => payment.refunds.map(({ serviceId }) => serviceId));
    const objects = new Set([this.serviceId, ...refunds]);
    const sent = this.everything.sandbox.notifications.list();
    this.#print(
      orderFacts(
        order,
        sent.filter(({ objectId }) => objects.has(objectId)),
      ),
    );
    return order;
  }

  protected printMoney(): void {
    const { ledger } = this.everything.sandbox;
    const requests = ledger.report().requests.filter(({ paymentId }) => paymentId === this.serviceId);
    this.#print(ledgerFacts(ledger.entries(this.serviceId), requests));
    const receipts = this.everything.sandbox.receipts.list().toReversed();
    this.#print(receiptFacts(receipts.filter(({ payment_id: id }) => id === this.serviceId)));
  }

  #print(facts: readonly Fact[]): void {
    for (const { key, actor, text } of facts) {
      if (!this.#printed.has(key)) this.say(actor, text);
      this.#printed.set(key, actor);
    }
  }

  /** What the shop has forgotten is news when it is there again; the service forgets nothing. */
  protected forgetPrinted(): void {
    for (const [key, actor] of this.#printed) if (actor !== 'service') this.#printed.delete(key);
  }

  async #read(): Promise<OrderAnswer> {
    const order: OrderAnswer = JSON.parse(await this.#staff.page(`${this.#staffOrderUrl}.json`));
    return order;
  }

  protected say(actor: Actor, text: string): void {
    printStep(this.everything.sandbox.clock.now(), actor, text);
  }
}
