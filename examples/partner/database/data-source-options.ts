import { paymentsEntities, paymentsMigrations } from '@holdfast/payments';
import type { DataSourceOptions } from 'typeorm';

import { Session } from '../owners/session.entity.js';
import { Sale } from '../sales/sale.entity.js';
import { LogEntry } from '../stores/log-entry.entity.js';
import { MarketRow1760200000000 } from './1760200000000-market-row.js';

/** The platform's database: the library's tables beside the platform's own. */
export function dataSourceOptions(url: string) {
  return {
    type: 'postgres',
    url,
    entities: [...paymentsEntities, Sale, LogEntry, Session],
    migrations: [...paymentsMigrations, MarketRow1760200000000],
  } satisfies DataSourceOptions;
}
