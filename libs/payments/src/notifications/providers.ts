import type { Provider } from '@nestjs/common';
import { RouteCheck } from './door/route-check.js';
import { RefusedSenders, SenderGuard } from './door/sender.guard.js';
import { ForeignNotifications } from './foreign-notifications.js';
import { HandOver } from './hand-over.js';
import { Intake } from './intake.js';
import { NotificationLeases } from './notification-leases.js';
import { ObjectNotifications } from './object-notifications.js';
import { RefundNotices } from './refund-notices.js';
import { Limiters } from './route/limiters.js';
import { Throttlers } from './route/throttlers.js';

export const notificationsProviders: readonly Provider[] = [
  ForeignNotifications,
  HandOver,
  Intake,
  Limiters,
  NotificationLeases,
  ObjectNotifications,
  RefundNotices,
  RefusedSenders,
  RouteCheck,
  SenderGuard,
  Throttlers,
];
