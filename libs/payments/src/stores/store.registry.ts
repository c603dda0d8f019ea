import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { StoreEntity } from './store.entity.js';

/** The stores this process works for: today the shop's own. */
@Injectable()
export class StoreRegistry {
  #shop: StoreEntity | null = null;

  constructor(
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Finds or makes the shop's row; called once, when the module starts. */
  async open(): Promise<void> {
    const { manager } = this.database.dataSource;
    const accountId = this.options.shopId;
    await manager
      .createQueryBuilder()
      .insert()
      .into(StoreEntity)
      .values({ id: randomUUID(), accountId })
      .orIgnore()
      .execute();
    this.#shop = await manager.findOneByOrFail(StoreEntity, { accountId });
  }

  /** Whether the module has started. */
  get isOpen(): boolean {
    return this.#shop !== null;
  }

  /** The shop's own store. */
  get shop(): StoreEntity {
    if (!this.#shop) throw new Error('The payments module is not started yet: use it after onModuleInit.');
    return this.#shop;
  }

  /** Whether the store moves test money only (section 1, rule 5). */
  isTest(store: StoreEntity): boolean {
    return store.accountId.startsWith(this.options.profile.demoStorePrefix);
  }
}
