import { Inject, Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import type { CallOptions } from '../api/payments-api.options.js';
import { mustBeOptions } from '../common/arguments.js';
import {
  PaymentInputError,
  PaymentsConfigurationError,
  StoreNotFoundError,
} from '../common/payments.errors.js';
import { storeRule, type StoreScope } from '../common/store.scope.js';
import { newId, isUuid } from '../common/uuid.js';
import { lookedUpKey } from '../common/webhook-key.js';
import { Database, type Reader } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';

/** The stores this module works for: the shop's own, and those that their owners have connected. */
@Injectable()
export class StoreRegistry {
  #shop: PaymentsStoreEntity | null = null;
  #isOpen = false;

  constructor(
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Finds or makes the shop's row; called once, when the module starts.
   * @throws PaymentsConfigurationError if the tables are another application's, or another owner's store is connected under the
   * shop's identifier
   */
  async open(): Promise<void> {
    this.#shop = await this.#findShop(true);
    this.#isOpen = true;
  }

  /**
   * As {@link open}, for a command, which makes no row: a wrong setting would make the tables another shop's.
   * @returns whether the row is there
   * @throws PaymentsConfigurationError likewise
   */
  async openAsFound(): Promise<boolean> {
    const shop = await this.#findShop(false);
    if (shop === null && this.options.shopId !== null) return false;
    this.#shop = shop;
    this.#isOpen = true;
    return true;
  }

  async #findShop(isMade: boolean): Promise<PaymentsStoreEntity | null> {
    const accountId = this.options.shopId;
    const rows = await this.database.transaction(async (manager) => {
      if (accountId !== null && isMade)
        // A key keeps a second shop out, also one that starts at the same moment.
        await manager
          .createQueryBuilder()
          .insert()
          .into(PaymentsStoreEntity)
          .values({ id: newId(), accountId, kind: 'own' })
          .orIgnore()
          .execute();
      return manager.findBy(PaymentsStoreEntity, [
        { kind: 'own' },
        ...(accountId === null ? [] : [{ accountId }]),
      ]);
    });
    const named = rows.find((store) => store.accountId === accountId) ?? null;
    if (named !== null && named.kind !== 'own')
      throw new PaymentsConfigurationError([
        `shopId ${accountId} is a store that was connected by token: leave shopId and secretKey out, or use another database`,
      ]);
    const other = rows.find((store) => store !== named);
    if (other)
      throw new PaymentsConfigurationError([
        `the tables belong to the shop ${other.accountId}, and two applications on the same tables would run each other's handlers: ` +
          "give this one another database, or another schema (the data source's option)",
      ]);
    return named;
  }

  /** Whether the module has started. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The shop's own store; null: there is none, every call names a connected one. */
  get shop(): PaymentsStoreEntity | null {
    if (!this.#isOpen) throw new Error('The payments module is not started yet: use it after onModuleInit.');
    return this.#shop;
  }

  /**
   * The store of a call; read in the transaction of `within`, if one is open.
   * @throws PaymentInputError
   * @throws StoreNotFoundError
   */
  async find(scope: StoreScope, within?: Reader): Promise<PaymentsStoreEntity> {
    mustBeOptions(scope);
    const { store } = scope;
    const { shop } = this;
    const isShop = shop !== null && (store === undefined || store === shop.id);
    // Its flag was kept by whichever process had the service's first answer.
    if (isShop && this.isTest(shop) === null)
      return (this.#shop = (await this.#row(shop.id, within)) ?? shop);
    if (isShop) return shop;
    if (!isUuid(store)) throw new PaymentInputError('store', storeRule(shop !== null));
    const found = await this.#row(store, within);
    // The shop of another application on the same database is not ours.
    if (!found || found.kind !== 'connected') throw new StoreNotFoundError(store);
    return found;
  }

  #row(id: string, within?: Reader): Promise<PaymentsStoreEntity | null> {
    const look = (from: Reader) => from.findOneBy(PaymentsStoreEntity, { id });
    return within ? look(within) : this.database.read(look);
  }

  /** The store of a webhook address, by the opaque key in it. */
  async findByWebhookKey(given: string, within?: Reader): Promise<PaymentsStoreEntity | null> {
    if (!this.mayHaveConnected) return null;
    const webhookKey = lookedUpKey(given);
    const look = (from: Reader) => from.findOneBy(PaymentsStoreEntity, { webhookKey });
    return within ? look(within) : this.database.read(look);
  }

  /** How a call of PaymentsApi names a store; the shop's own is not named. */
  call(storeId: string): { store?: string } {
    return storeId === this.shop?.id ? {} : { store: storeId };
  }

  /** Of work that comes back by itself: one attempt, until `signal`. */
  callOnce(storeId: string, signal: AbortSignal): Pick<CallOptions, 'store' | 'signal' | 'once'> {
    return { ...this.call(storeId), signal, once: true };
  }

  /** Whether there may be stores beside the shop's own. */
  get mayHaveConnected(): boolean {
    return this.options.partner !== null;
  }

  /** SQL condition on a row of stores: this process has credentials for it. */
  isUsable(alias: string): string {
    return this.#oneOf(alias, `(${alias}.kind = 'connected' AND ${alias}.status = 'connected')`);
  }

  /** SQL condition on a row of stores: it is this module's, whether it is connected now or not. */
  isManaged(alias: string): string {
    return this.#oneOf(alias, `${alias}.kind = 'connected'`);
  }

  #oneOf(alias: string, connected: string): string {
    const either = [
      ...(this.shop === null ? [] : [`${alias}.id = '${this.shop.id}'`]),
      ...(this.mayHaveConnected ? [connected] : []),
    ];
    // What a copy has given up is the original's.
    return `(${alias}.detached_at IS NULL AND (${either.join(' OR ')}))`;
  }

  /** SQL condition on a row that belongs to a store: the store is this module's. */
  hasManagedStore(alias: string): string {
    return `EXISTS (SELECT 1 FROM ${this.database.table(PaymentsStoreEntity)} store WHERE store.id = ${alias}.store_id AND ${this.isManaged('store')})`;
  }

  /** Whether the store moves test money only, as its id or the service says; null: not known before the service's first answer. */
  isTest(store: Pick<PaymentsStoreEntity, 'test' | 'accountId'>): boolean | null {
    return store.test ?? (store.accountId.startsWith(this.options.profile.demoStorePrefix) || null);
  }

  /**
   * Likewise, once the service has `answered`. The first answer is kept: whoever has another one at that moment waits for the row's
   * lock, and goes by what is kept.
   */
  async isTestAsAnswered(
    manager: EntityManager,
    store: Pick<PaymentsStoreEntity, 'id' | 'test' | 'accountId'>,
    answered: boolean | null,
  ): Promise<boolean | null> {
    const known = this.isTest(store);
    if (known !== null || answered === null) return known;
    await manager.update(PaymentsStoreEntity, { id: store.id, test: IsNull() }, { test: answered });
    const { test } = await manager.findOneByOrFail(PaymentsStoreEntity, { id: store.id });
    return test;
  }
}
