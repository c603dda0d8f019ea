/** An e-wallet the buyer can sign in to, with its result. */
interface TestWallet {
  readonly number: string;
  readonly says: string;
  /** null: the payment succeeds; otherwise the reason it fails with. */
  readonly failure: string | null;
}

export const testWallets: readonly [TestWallet, ...TestWallet[]] = [
  { number: '4100 1000 0000 0001', says: 'enough money', failure: null },
  { number: '4100 1000 0000 0002', says: 'not enough money', failure: 'insufficient_funds' },
  { number: '4100 1000 0000 0003', says: 'monthly limit used up', failure: 'payment_method_limit_exceeded' },
  { number: '4100 1000 0000 0004', says: 'owner not identified', failure: 'identification_required' },
];
