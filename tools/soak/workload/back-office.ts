import type { Stage } from '../stage/stage.js';

const TIMEOUT_MS = 30_000;

/** As far as any shop is there: the next round does the rest. */
export async function takeCareOfReceipts({ open }: Stage, signal: AbortSignal): Promise<void> {
  const [replica] = open;
  if (!replica) return;
  await fetch(`http://127.0.0.1:${replica.port}/receipt-problems`, {
    method: 'POST',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch(() => undefined);
}
