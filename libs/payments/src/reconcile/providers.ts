import type { Provider } from '@nestjs/common';
import { Claims } from './claims.js';
import { CreateSearch } from './create-search.js';
import { ForgottenCreates } from './forgotten-creates.js';
import { FullReader } from './full-reader.js';
import { LostCreate } from './lost-create.js';
import { OperationResolver } from './operation-resolver.js';
import { QueueCheck } from './queue-check.js';
import { ReadingWriter } from './reading-writer.js';
import { UnsettledWatch } from './receipts/unsettled-watch.js';
import { Reconciler } from './reconciler.js';
import { RefundNews } from './refunds/refund-news.js';
import { RefundWatch } from './refunds/refund-watch.js';
import { Reread } from './reread.js';
import { Rereads } from './rereads.js';
import { SilenceAlarm } from './silence-alarm.js';
import { UnreachableHolds } from './unreachable-holds.js';

export const reconcileProviders: readonly Provider[] = [
  Claims,
  CreateSearch,
  ForgottenCreates,
  FullReader,
  LostCreate,
  OperationResolver,
  QueueCheck,
  ReadingWriter,
  Reconciler,
  RefundNews,
  RefundWatch,
  Reread,
  Rereads,
  SilenceAlarm,
  UnreachableHolds,
  UnsettledWatch,
];
