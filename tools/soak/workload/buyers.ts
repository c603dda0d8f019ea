import type { Stage } from '../stage/stage.js';
import type { Tally } from '../tally.js';
import type { PurchasePlan } from './purchase-plan.js';
import { Purchase } from './purchase.js';
import type { Returning } from './returning.js';
import type { ShopClient } from './shop-client.js';
import type { Wishes } from './wishes.js';

/** Lets this many buyers purchase one thing after another, until stopped. Resolves to what was wanted of each order. */
export async function letBuyersBuy(
  buyers: number,
  plan: (number: number) => PurchasePlan,
  shop: ShopClient,
  { sandbox, stores }: Pick<Stage, 'sandbox' | 'stores'>,
  tally: Tally,
  returning: Returning,
  enough: () => boolean,
): Promise<readonly Wishes[]> {
  const wanted: Wishes[] = [];
  const buy = async (): Promise<void> => {
    while (!enough()) {
      const purchase = new Purchase(plan(wanted.length + 1), shop, sandbox, stores, tally);
      wanted.push(purchase.wishes);
      const again = await purchase.run();
      if (again !== null) returning.add(again);
    }
  };
  await Promise.all(Array.from({ length: buyers }, buy));
  await returning.ended();
  return wanted;
}
