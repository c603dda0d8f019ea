import type { INestApplicationContext } from '@nestjs/common';
import { HandOver } from '../../libs/payments/src/notifications/hand-over.js';
import { Claims } from '../../libs/payments/src/reconcile/claims.js';
import { Reconciler } from '../../libs/payments/src/reconcile/reconciler.js';
import { StoreTurns } from '../../libs/payments/src/stores/store-turns.js';
import { Shutdown } from '../../libs/payments/src/work/shutdown.js';

/** A sweep of one payment: hands notifications over and re-reads one payment that is due; false if none is. */
export async function rereadNext(app: INestApplicationContext): Promise<boolean> {
  while (await app.get(HandOver).runNext());
  if (app.get(Shutdown).hasBegun) return false;
  const claims = app.get(Claims);
  const [id] = await app.get(StoreTurns).waiting((storeId) => claims.waits(storeId), [], 1);
  if (id === undefined) return false;
  const [claim] = await claims.take({ stores: [{ id, most: 1 }], most: 1, failing: 1 });
  if (!claim) return false;
  // A payment whose re-read fails is returned, and stays due.
  await app
    .get(Reconciler)
    .run(claim, 'sweep')
    .catch(() => null);
  return true;
}
