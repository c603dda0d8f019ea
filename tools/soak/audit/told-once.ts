import { doubled, lost, wrong, type Finding } from './finding.js';
import type { ServiceReceipt } from './records.js';

/** What became of a receipt was told once, and that it is late no more often than there are receipts of it. */
export function toldOnce(
  {
    name,
    status,
    isNeeded = true,
  }: {
    readonly name: string;
    readonly status: string | null;
    /** false: if it failed, nobody has to be told. */
    readonly isNeeded?: boolean;
  },
  own: readonly ServiceReceipt[],
  told: readonly { readonly name: string }[],
): Finding[] {
  const count = (event: string): number => told.filter((one) => one.name === `receipt.${event}`).length;
  const ends = [
    ['succeeded', 'succeeded', 1],
    ['failed', 'canceled', isNeeded ? 1 : 0],
  ] as const;
  return [
    ...ends.flatMap(([event, end, least]) => {
      const most = own.filter((receipt) => receipt.status === end).length;
      const what = `${name} has ${count(event)} events receipt.${event}`;
      if (count(event) < (status === end ? least : 0)) return [lost(what)];
      if (count(event) <= most) return [];
      return [most === 0 ? wrong(what) : doubled(what)];
    }),
    ...(count('late') > own.length ? [doubled(`${name} was reported late more often than it can be`)] : []),
  ];
}
