import type { MigrationInterface } from 'typeorm';
import { Payments1760000000000 } from './1760000000000-payments.js';

/**
 * The module's migrations, oldest first. Add them to the data source's `migrations` before the host's own:
 * `migrations: [...paymentsMigrations, ...own]`.
 */
export const paymentsMigrations: (new () => MigrationInterface)[] = [Payments1760000000000];
