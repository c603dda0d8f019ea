import type { Html } from '../../shared/pages/html.js';
import type { Owner } from './owners.js';

/** How owners prove who they are. */
export interface OwnerSignIn {
  /** What the start page shows to whoever is not signed in: one or more forms that POST to `/sign-in`. */
  readonly form: Html;
  /**
   * Whose form it is; null: nobody's. Its fields are plain text, and how often it is asked is limited, per address and
   * overall; a limit per owner is for the check itself.
   */
  check(form: unknown): Promise<Owner | null>;
}

/**
 * What a service of your own needs: put your sign-in here, with passwords or by your identity provider. Without one the
 * platform starts with its sandbox alone.
 */
export const ownSignIn: OwnerSignIn | null = null;
