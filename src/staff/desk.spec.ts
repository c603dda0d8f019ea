import type { Backlog } from '@holdfast/payments';

import { troubles } from './desk.js';
import type { StaffNote } from './staff-note.entity.js';

const nothing = { count: 0, more: false, oldestMs: null };
const backlog: Backlog = {
  operations: nothing,
  payments: nothing,
  notifications: nothing,
  deliveries: nothing,
  failingDeliveries: nothing,
  parkedDeliveries: nothing,
  receiptProblems: nothing,
  flaggedHolds: nothing,
  waitingForOwners: nothing,
  openIncidents: nothing,
  openRecoveries: nothing,
  unreadRecoveries: nothing,
  unannouncedChanges: nothing,
};
const note: StaffNote = {
  id: '1',
  orderReference: 'A-1',
  event: 'hold.expiring',
  text: 'The hold ends soon.',
  effectKey: 'shop.note-hold-expiring/1',
  occurredAt: new Date('2030-01-01T00:00:00Z'),
  doneAt: null,
};

describe('the payments desk', () => {
  it('reports that all is well if neither the shop nor the payments module has anything to say', () => {
    expect(troubles({ notes: [], prepayments: [], backlog })).toEqual([]);
  });

  it('names its own notes, and then whatever the module says is wrong', () => {
    const unannouncedChanges = { count: 4, more: false, oldestMs: 0 };
    expect(
      troubles({ notes: [note], prepayments: [], backlog: { ...backlog, unannouncedChanges } }),
    ).toMatchObject([
      { text: '1 note', remedy: null },
      {
        text: 'notifications do not arrive: polls found the last 4 changes',
        remedy: expect.stringMatching(/trustedProxies/),
      },
    ]);
  });
});
