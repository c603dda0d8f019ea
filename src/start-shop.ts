import { startApplication, type RunningApplication } from '../examples/shared/start-application.js';
import { AppModule } from './app.module.js';
import { ShopAddress } from './config/shop-address.js';
import type { ShopOptions } from './config/shop-options.js';

/** One process of the shop. */
export function startShop(options: ShopOptions): Promise<RunningApplication> {
  return startApplication(
    AppModule.register(options),
    options,
    (app) => app.get(ShopAddress, { strict: false }).url,
  );
}
