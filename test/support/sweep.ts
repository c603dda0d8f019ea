import type { INestApplicationContext } from '@nestjs/common';
import { HandOver } from '../../libs/payments/src/notifications/hand-over.js';
import { Rereads } from '../../libs/payments/src/reconcile/rereads.js';

/** What a sweep does with one payment: hands notifications over and re-reads one that is due; false where none is. */
export async function rereadNext(app: INestApplicationContext): Promise<boolean> {
  while (await app.get(HandOver).runNext());
  return app.get(Rereads).runNext();
}
