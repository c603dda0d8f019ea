import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';

/** Whether somebody may act, or look only. */
export type BoardAccess = 'all' | 'read';

/** How the board is mounted, and what it asks its host. */
export interface BoardOptions {
  /** Where the board is, below the global prefix of the host if there is one: `admin/payments`. */
  readonly path: string;
  /**
   * Who may see the board: a guard of the host's own, asked for every request. The board shows money and names of buyers, so it does
   * not start without one.
   */
  readonly guard: Type<CanActivate>;
  /** Modules that have what the guard needs. Default: none beyond those that are global. */
  readonly imports?: ModuleMetadata['imports'];
  /** Who is looking: the name that stands beside everything they do, 1 to 128 characters. `request` has passed the guard. */
  actor(request: object): string;
  /** What they may do. Asked for every request, so that a right that was taken away is gone at once. */
  actions(request: object): BoardAccess;
  /** Addresses in the host's own pages. Default: none. */
  readonly links?: {
    /** Of an order; null: it has no page. */
    readonly order?: (reference: string) => string | null;
  };
  /** A name of the IANA database, such as `Europe/Moscow`: where times are told and days begin. Default: `UTC`. */
  readonly timeZone?: string;
}
