import type { Sandbox } from '@holdfast/sandbox';

/** Ends the refunds that have been pending at a bank for this long; every third is refused. */
export function finishRefunds({ refunds, clock }: Sandbox, afterMs: number): void {
  for (const { id, status, created_at: createdAt, amount } of refunds.list()) {
    const ageMs = clock.now().getTime() - Date.parse(createdAt);
    if (status !== 'pending' || ageMs < afterMs) continue;
    refunds.finish(id, Number(amount.value.at(-1)) % 3 === 0 ? 'canceled' : 'succeeded');
  }
}
