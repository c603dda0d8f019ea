import type { JSX } from 'preact';
import { usePage } from './page-context.js';
import { Status } from './shape.js';

/** Where the script of a page says that it could not be renewed; without script, the way to do so by hand. */
export function Renewal(): JSX.Element | null {
  const { isLive } = usePage();
  if (!isLive) return null;
  return (
    <>
      <span id="renewal" role="status" />
      <noscript>
        <a href="">Renew</a>
      </noscript>
    </>
  );
}

/** What the script may say there; it puts the time into the `b`. */
export function RenewalWords(): JSX.Element | null {
  const { isLive } = usePage();
  if (!isLive) return null;
  return (
    <>
      <template id="not-renewed">
        <Status shape="warn" tone="warn">
          <span>
            not renewed since <b />
          </span>
        </Status>{' '}
        <a href="">Renew</a>
      </template>
      <template id="waits">
        <Status shape="open" tone="calm">
          <span>
            not renewed since <b />: it is in use
          </span>
        </Status>
      </template>
    </>
  );
}
