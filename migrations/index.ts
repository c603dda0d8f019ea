import { ShopOrders1760100000000 } from './1760100000000-shop-orders.js';
import { ShopOrdersThatWait1764100000000 } from './1764100000000-shop-orders-that-wait.js';

/** The shop's own migrations, oldest first. */
export const shopMigrations = [ShopOrders1760100000000, ShopOrdersThatWait1764100000000];
