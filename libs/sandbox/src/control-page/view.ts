import type { Sandbox } from '../control/running-sandbox.js';
import type { Stores } from '../stores/stores.js';

/** What a page of the control page is drawn from. */
export interface View {
  readonly sandbox: Sandbox;
  readonly stores: Stores;
  /** By the sandbox's clock. */
  readonly now: Date;
}
