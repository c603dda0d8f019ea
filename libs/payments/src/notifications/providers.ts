import type { Provider } from '@nestjs/common';
import { RouteCheck } from './door/route-check.js';
import { RefusedSenders, SenderGuard } from './door/sender.guard.js';
import { ForeignNotifications } from './foreign-notifications.js';
import { HandOver } from './hand-over.js';
import { Intake } from './intake.js';
import { NotificationLeases } from './notification-leases.js';
import { ObjectNotifications } from './object-notifications.js';

export const notificationsProviders: readonly Provider[] = [
  ForeignNotifications,
  HandOver,
  Intake,
  NotificationLeases,
  ObjectNotifications,
  RefusedSenders,
  RouteCheck,
  SenderGuard,
];
