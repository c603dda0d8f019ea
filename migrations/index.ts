import { ShopOrders1760100000000 } from './1760100000000-shop-orders.js';

/** The shop's own migrations, oldest first. */
export const shopMigrations = [ShopOrders1760100000000];
