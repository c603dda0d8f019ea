import type { StorePage, StoreState } from '@holdfast/payments';
import type { JSX } from 'preact';
import { Document } from '../view/document.js';
import { useLink } from '../view/page-context.js';
import { Empty, Table, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import type { Told } from '../view/words.js';

export const storeWords: Readonly<Record<StoreState['status'], Told>> = {
  connected: { word: 'connected', shape: 'tick', tone: 'good' },
  needs_reconnect: { word: 'needs a reconnection', shape: 'stop', tone: 'bad' },
  disconnected: { word: 'disconnected', shape: 'slash', tone: 'calm' },
};

export function StoresPage({ page }: { readonly page: StorePage }): JSX.Element {
  const link = useLink();
  const { items, nextCursor } = page;
  return (
    <Document title="Stores">
      <h1>Stores</h1>
      {items.length === 0 ? (
        <Empty title="No store yet">A store appears here once its owner has connected it.</Empty>
      ) : (
        <section class="panel" aria-label="Stores">
          <Table
            caption={<span class="mute">At most 100 a page</span>}
            columns={['Status', 'Account', 'Name', 'Owner', 'Its token ends', 'Found by polling']}
          >
            {items.map((store) => (
              <Row store={store} />
            ))}
          </Table>
          {nextCursor !== null && (
            <nav class="pager" aria-label="Pages">
              <span />
              <a
                class="btn"
                rel="next"
                href={link(`stores?${new URLSearchParams({ cursor: nextCursor }).toString()}`)}
              >
                More
              </a>
            </nav>
          )}
        </section>
      )}
    </Document>
  );
}

function Row({ store }: { readonly store: StoreState }): JSX.Element {
  const link = useLink();
  const { id, kind, accountId, name, ownerRef, status, test, tokenExpiresAt, unannouncedChanges } = store;
  const address = `store?${new URLSearchParams({ store: id }).toString()}`;
  return (
    <tr id={`store-${id}`}>
      <td class="state">
        <Words told={storeWords[status]} /> {test && <span class="test">test money</span>}
      </td>
      <th scope="row">
        <a class="id" href={link(address)}>
          {accountId}
        </a>
      </th>
      <td data-label="Name:">{name ?? ''}</td>
      <td data-label="Owner:">{ownerRef ?? (kind === 'own' ? 'the shop itself' : 'forgotten')}</td>
      <td data-label="Its token ends:">{tokenExpiresAt !== null && <When at={tokenExpiresAt} />}</td>
      <td class={unannouncedChanges === 0 ? 'num mute' : 'num'} data-label="Found by polling:">
        {unannouncedChanges}
      </td>
    </tr>
  );
}
