import type { Stage } from '../stage/stage.js';
import type { Tally } from '../tally.js';
import type { PurchasePlan } from './purchase-plan.js';
import { Purchase } from './purchase.js';
import type { Returning } from './returning.js';
import type { ShopClient } from './shop-client.js';

/** Lets this many buyers purchase one thing after another, until stopped. */
export async function letBuyersBuy(
  buyers: number,
  plan: (number: number) => PurchasePlan,
  shop: ShopClient,
  { sandbox, stores }: Pick<Stage, 'sandbox' | 'stores'>,
  tally: Tally,
  returning: Returning,
  enough: () => boolean,
): Promise<void> {
  let purchases = 0;
  const buy = async (): Promise<void> => {
    while (!enough()) {
      purchases += 1;
      const again = await new Purchase(plan(purchases), shop, sandbox, stores, tally).run();
      if (again !== null) returning.add(again);
    }
  };
  await Promise.all(Array.from({ length: buyers }, buy));
  await returning.ended();
}
