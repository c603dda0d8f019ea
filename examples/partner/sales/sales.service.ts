import {
  formatAmount,
  PaymentOutcomeUnknownError,
  PaymentsService,
  ServiceError,
  StoreNotConnectedError,
  type Amount,
  type Payment,
} from '@holdfast/payments';
import { PartnerService, type Store } from '@holdfast/payments/partner';
import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { PaymentRecord } from '../../shared/pages/payment-panel.js';
import { isReference } from '../../shared/web/reference.js';
import { PlatformAddress } from '../config/platform-options.js';
import { findItem, findOwner } from '../owners/owners.js';
import type { SaleView } from './sale-view.js';
import { Sale } from './sale.entity.js';

/** How many of a store's sales its owner sees. */
const SHOWN = 20;

@Injectable()
export class SalesService {
  constructor(
    @InjectRepository(Sale) private readonly sales: Repository<Sale>,
    private readonly partner: PartnerService,
    private readonly payments: PaymentsService,
    private readonly address: PlatformAddress,
  ) {}

  /** Stores the sale once: the same reference sent again, by a second click, changes nothing. */
  async place(reference: string, store: Store, slug: string): Promise<void> {
    const item = findItem(findOwner(store.ownerRef), slug);
    if (item === null || !isReference(reference)) throw new NotFoundException();
    await this.sales
      .createQueryBuilder()
      .insert()
      .values({ reference, storeId: store.id, item: item.name, priceMinor: item.priceMinor })
      .orIgnore()
      .execute();
  }

  /** Starts the sale's payment, or resumes the open one. Returns the page where the buyer pays. */
  async pay(reference: string): Promise<string> {
    const { storeId, item, priceMinor, state } = await this.#get(reference);
    // The payments module would let a fully refunded sale be paid again; here that is a new one.
    if (state === 'paid') return `/sales/${reference}`;
    const payment = await this.payments.create({
      store: storeId,
      order: { reference },
      amount: formatAmount(priceMinor),
      returnUrl: `${this.address.url}/sales/${reference}/return`,
      description: item,
    });
    return payment.confirmationUrl ?? `/sales/${reference}`;
  }

  /**
   * The buyer is back, often before any notification: re-read the open payments from the service. If it does not answer, the page
   * shows what is known, and the sweep finds out the rest.
   */
  async refresh(reference: string): Promise<void> {
    const { storeId: store } = await this.#get(reference);
    const open = (await this.payments.findByOrder(reference, { store })).filter(isOpen);
    await Promise.all(
      open.map(({ id }) =>
        this.payments.refresh(id, { store }).catch((error: unknown) => {
          if (!isNoAnswer(error)) throw error;
        }),
      ),
    );
  }

  /** A payment of the store, with its sale and its refunds. */
  async ofPayment(store: Store, paymentId: string): Promise<{ sale: Sale; record: PaymentRecord }> {
    const payment = await this.payments.get(paymentId, { store: store.id });
    return {
      sale: await this.#get(payment.orderReference),
      record: await this.#withHistory(payment, store.id),
    };
  }

  /** Refunds this sum, once for each key. */
  async refund(store: Store, paymentId: string, refundKey: string, amount: Amount): Promise<void> {
    await this.payments.refund(paymentId, { store: store.id, refundKey, amount });
  }

  async view(reference: string): Promise<{ view: SaleView; store: Store }> {
    const sale = await this.#get(reference);
    const [view, store] = await Promise.all([this.#withPayments(sale), this.partner.getStore(sale.storeId)]);
    return { view, store };
  }

  /** Of one store, newest first. */
  async ofStore({ id: storeId }: Store): Promise<SaleView[]> {
    const sales = await this.sales.find({ where: { storeId }, order: { createdAt: 'DESC' }, take: SHOWN });
    return Promise.all(sales.map((sale) => this.#withPayments(sale)));
  }

  async #withPayments(sale: Sale): Promise<SaleView> {
    const payments = await this.payments.findByOrder(sale.reference, { store: sale.storeId });
    const records = payments.map((payment) => this.#withHistory(payment, sale.storeId));
    return { sale, payments: await Promise.all(records) };
  }

  async #withHistory(payment: Payment, store: string): Promise<PaymentRecord> {
    const [timeline, refunds] = await Promise.all([
      this.payments.timeline(payment.id, { store }),
      this.payments.refunds(payment.id, { store }),
    ]);
    return { payment, timeline, refunds };
  }

  async #get(reference: string): Promise<Sale> {
    const sale = await this.sales.findOneBy({ reference });
    if (sale === null) throw new NotFoundException();
    return sale;
  }
}

/** Nor is a store shown whose token has ended: its payments wait until it is connected again. */
function isNoAnswer(error: unknown): boolean {
  return (
    error instanceof ServiceError ||
    error instanceof PaymentOutcomeUnknownError ||
    error instanceof StoreNotConnectedError
  );
}

function isOpen({ status }: Payment): boolean {
  return status === 'submitting' || status === 'pending';
}
