import { paymentsEntities, paymentsMigrations } from '@holdfast/payments';
import type { DataSourceOptions } from 'typeorm';

import { shopMigrations } from '../../migrations/index.js';
import { ShopOrderEffect } from '../orders/shop-order-effect.entity.js';
import { ShopOrder } from '../orders/shop-order.entity.js';

/** The shop's database: the library's tables beside the shop's own. */
export function dataSourceOptions(url: string) {
  return {
    type: 'postgres',
    url,
    entities: [...paymentsEntities, ShopOrder, ShopOrderEffect],
    migrations: [...paymentsMigrations, ...shopMigrations],
  } satisfies DataSourceOptions;
}
