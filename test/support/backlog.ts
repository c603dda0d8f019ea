import type { Backlog, Waiting } from '@holdfast/payments';

/** A backlog of which every figure is this, but for some. */
export const backlogOf = (each: Waiting, but: Partial<Backlog> = {}): Backlog => ({
  operations: each,
  payments: each,
  notifications: each,
  deliveries: each,
  failingDeliveries: each,
  parkedDeliveries: each,
  flaggedHolds: each,
  openIncidents: each,
  receiptProblems: each,
  waitingForOwners: each,
  forgottenStores: each,
  openRecoveries: each,
  unreadRecoveries: each,
  unannouncedChanges: each,
  unconfirmedDatabase: each,
  ...but,
});

export const nothingWaits: Waiting = { count: 0, more: false, oldestMs: null };
