import type { Html } from '../../shared/pages/html.js';
import type { Owner } from './owners.js';

/** How owners prove who they are. */
export interface OwnerSignIn {
  /** What the start page shows to visitors who are not signed in: one or more forms that POST to `/sign-in`. */
  readonly form: Html;
  /**
   * The owner who submitted the form; null: none. Its fields are plain text. Calls are limited per address and overall; a limit
   * per owner is up to the check itself.
   */
  check(form: unknown): Promise<Owner | null>;
}

/**
 * A real service needs this: put your sign-in here, with passwords or by your identity provider. Without one the platform starts
 * only with its sandbox.
 */
export const ownSignIn: OwnerSignIn | null = null;
