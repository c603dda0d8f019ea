import type { OpenedApp } from '../host/opened-app.js';

/** What a check has found. */
export interface Finding {
  /** `none`: there is nothing to check here, or not yet. */
  readonly state: 'well' | 'broken' | 'none';
  readonly found: string;
  /** With `broken`: what repairs it, one or more. */
  readonly fixes: readonly string[];
}

/** One question about the set-up. It changes nothing, here or at the service. */
export interface Check {
  readonly name: string;
  /** Checks without whose `well` this one could only repeat their fault. */
  readonly needs: readonly string[];
  readonly look: (app: OpenedApp) => Promise<Finding>;
}

export const well = (found: string): Finding => ({ state: 'well', found, fixes: [] });
export const none = (found: string): Finding => ({ state: 'none', found, fixes: [] });
export const broken = (found: string, ...fixes: readonly string[]): Finding => ({
  state: 'broken',
  found,
  fixes,
});

/** Of the module's own faults, each of which says what to do. */
export const unless = (faults: readonly string[], wrong: string, right: string): Finding =>
  faults.length > 0 ? broken(wrong, ...faults) : well(right);
