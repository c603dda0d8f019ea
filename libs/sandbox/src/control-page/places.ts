/** The pages of the control page, in the order in which people go through them; each has its own address. */
export const tabs = {
  payments: { title: 'Payments', group: 'Happens' },
  notifications: { title: 'Notifications', group: 'Happens' },
  requests: { title: 'Requests', group: 'Happens' },
  faults: { title: 'Faults', group: 'Make it happen' },
  clock: { title: 'Clock', group: 'Make it happen' },
  ledger: { title: 'Ledger', group: 'Money' },
  refunds: { title: 'Refunds', group: 'Money' },
  receipts: { title: 'Receipts', group: 'Money' },
  invoices: { title: 'Invoices', group: 'Money' },
  objects: { title: 'Payouts, deals, methods', group: 'Money' },
  stores: { title: 'Stores and apps', group: 'Set-up' },
  cards: { title: 'Test cards', group: 'Set-up' },
} as const;

export type Tab = keyof typeof tabs;

/** What only the public service has. */
const publicOnly: readonly Tab[] = ['receipts', 'invoices'];

export function isTab(name: unknown): name is Tab {
  return typeof name === 'string' && Object.hasOwn(tabs, name);
}

/** Those of a sandbox in this profile. */
export function tabsOf({ isPublic }: { readonly isPublic: boolean }): readonly Tab[] {
  return Object.keys(tabs)
    .filter(isTab)
    .filter((tab) => isPublic || !publicOnly.includes(tab));
}

/** A page of the control page. */
export interface Place {
  readonly tab: Tab;
  /** The page of one payment or notification; without it, the page that lists them. */
  readonly id?: string;
}

/** The payments' is the control page's own address; the others are beside the control API, whose paths have the same names. */
export function pathOf({ tab, id }: Place): string {
  if (id !== undefined) return `/sandbox/pages/${tab}/${id}`;
  return tab === 'payments' ? '/sandbox/' : `/sandbox/pages/${tab}`;
}

/** The page of this path; null if there is none. */
export function placeAt(path: string): Place | null {
  const match = /^\/sandbox\/(?:pages\/([a-z]+)(?:\/([\w-]+))?)?$/.exec(path);
  if (!match) return null;
  const [, tab = 'payments', id] = match;
  if (!isTab(tab)) return null;
  return id === undefined ? { tab } : { tab, id };
}
