import { Injectable } from '@nestjs/common';
import type { PaymentStatus } from '../../common/payment-status.js';
import type { StoreScope } from '../../common/store.scope.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import { DailyMoney } from '../days/daily-money.js';
import type { DayOfMoney } from '../days/day-tally.js';
import type { DaysShape } from '../days/days.input.js';
import { HeldPayments } from './held-payments.js';
import { PaymentSearch, type Counted, type PaymentPage } from './payment-search.js';
import type { PaymentSearchShape } from './search.input.js';

/** Payments of the store that is asked for. */
@Injectable()
export class FoundPayments {
  constructor(
    private readonly stores: StoreRegistry,
    private readonly payments: PaymentSearch,
    private readonly held: HeldPayments,
    private readonly money: DailyMoney,
  ) {}

  /** @throws StoreNotFoundError */
  async search(scope: StoreScope, search: PaymentSearchShape): Promise<PaymentPage> {
    return this.payments.page(await this.#idOf(scope), search);
  }

  /** @throws StoreNotFoundError */
  async counts(scope: StoreScope): Promise<Record<PaymentStatus, Counted>> {
    return this.payments.counts(await this.#idOf(scope));
  }

  /** @throws StoreNotFoundError */
  async holds(scope: StoreScope, cursor?: string): Promise<PaymentPage> {
    return this.held.page(await this.#idOf(scope), cursor);
  }

  /** @throws StoreNotFoundError */
  async days(scope: StoreScope, period: DaysShape): Promise<DayOfMoney[]> {
    return this.money.days(await this.#idOf(scope), period);
  }

  async #idOf(scope: StoreScope): Promise<string> {
    const { id } = await this.stores.find(scope);
    return id;
  }
}
