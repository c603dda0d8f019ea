import type { Condition } from '@holdfast/payments';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What every part of a page may need to know. */
export interface PageContext {
  /** How many steps below the board's own address the page is: links are relative, whatever stands in front of the application. */
  readonly depth: number;
  /** The page renews itself while it is open. */
  readonly isLive: boolean;
  /** The place in the navigation. */
  readonly section: string;
  readonly actor: string;
  readonly mayAct: boolean;
  /** When the page was made, in business time. */
  readonly now: Date;
  readonly timeZone: string;
  /** What is wrong, the most urgent first; null: the database did not tell. */
  readonly conditions: readonly Condition[] | null;
  readonly orderUrl: (reference: string) => string | null;
}

const Context = createContext<PageContext | null>(null);

export const PageContextProvider = Context.Provider;

export function usePage(): PageContext {
  const context = useContext(Context);
  if (context === null) throw new Error('This part stands outside of a page.');
  return context;
}

/** The address of another page of the board, as a link on this one. */
export function useLink(): (path: string) => string {
  const { depth } = usePage();
  return (path) => '../'.repeat(depth) + path;
}
