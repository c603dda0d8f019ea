import type { Lane } from '../schema/due.entity.js';
import { LaneTurns } from './lane-turns.js';

const claimsOf = (lane: Lane, count: number, { storeId = 'one', isSpent = true } = {}) =>
  Array.from({ length: count }, () => ({ payment: { storeId }, due: { lane }, isSpent }));
const partly = { isFull: false };

describe('the turn of polls', () => {
  it('comes after eight requests for what was notified, and again after eight more', () => {
    const turns = new LaneTurns();
    turns.took(claimsOf('notified', 7), partly);
    expect(turns.next()).toBeNull();
    turns.took(claimsOf('notified', 1), partly);
    expect(turns.next()).toEqual({ storeId: 'one', lane: 'polls' });
    turns.took([...claimsOf('polls', 1), ...claimsOf('notified', 3)], partly);
    expect(turns.next()).toBeNull();
    turns.took(claimsOf('notified', 8), partly);
    expect(turns.next()).toEqual({ storeId: 'one', lane: 'polls' });
  });

  it('waits until it is used', () => {
    const turns = new LaneTurns();
    turns.took(claimsOf('notified', 8), partly);
    expect(turns.next()).not.toBeNull();
    turns.took(claimsOf('notified', 1), partly);
    expect(turns.next()).toEqual({ storeId: 'one', lane: 'polls' });
  });

  it('does not come where none wait', () => {
    const turns = new LaneTurns();
    turns.took(claimsOf('notified', 7), partly);
    turns.took(claimsOf('notified', 20, { isSpent: false }), partly);
    expect(turns.next()).toBeNull();
    turns.took(claimsOf('notified', 32, { isSpent: false }), { isFull: true });
    expect(turns.next()).toEqual({ storeId: 'one', lane: 'polls' });
  });

  it('is counted for each store, and a store that cannot use it keeps no other from it', () => {
    const turns = new LaneTurns();
    turns.took([...claimsOf('notified', 8), ...claimsOf('notified', 8, { storeId: 'two' })], partly);
    const stores = [turns.next(), turns.next(), turns.next()].map((turn) => turn?.storeId);
    expect(stores).toEqual(['one', 'two', 'one']);
  });
});

describe('the turn of what failed', () => {
  it('comes after 32 polls', () => {
    const turns = new LaneTurns();
    turns.took(claimsOf('polls', 31), partly);
    expect(turns.next()).toBeNull();
    turns.took(claimsOf('polls', 1), partly);
    expect(turns.next()).toEqual({ storeId: 'one', lane: 'failing' });
  });
});
