import type { Recovery } from '@holdfast/payments';
import type { JSX } from 'preact';
import { Document } from '../view/document.js';
import { useLink, usePage } from '../view/page-context.js';
import { Act, Empty, Panel, Table, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import type { Told } from '../view/words.js';

const read: Told = { word: 'read', shape: 'tick', tone: 'good' };
const open: Told = { word: 'to be read', shape: 'open', tone: 'wait' };
const unread: Told = { word: 'could not be read', shape: 'stop', tone: 'bad' };

export function RecoveriesPage({ recoveries }: { readonly recoveries: readonly Recovery[] }): JSX.Element {
  return (
    <Document title="Lost commits">
      <h1>Times of lost commits</h1>
      <Copied />
      {recoveries.length === 0 ? (
        <Empty title="The database has forgotten nothing">
          After a failover or a restored backup, the times that are looked at again stand here.
        </Empty>
      ) : (
        <RecoveryTable recoveries={recoveries} />
      )}
    </Document>
  );
}

/** A database that may be a copy: whoever says what it is types the answer. */
function Copied(): JSX.Element | null {
  const { conditions, mayAct } = usePage();
  const link = useLink();
  const found = conditions?.find(({ name }) => name === 'database_unconfirmed');
  if (found === undefined) return null;
  return (
    <Panel title="This database may be a copy">
      <form class="body" method="post" action={link('recoveries/database')} aria-label="Say what it is">
        <p>
          It is on another server than it was, or is another database, or another installation’s. Until a
          person has said which, no payments are taken or moved, and no handler runs.
        </p>
        <p>
          “continue”: it was restored or moved, and goes on. What the service made since it was written is
          looked for. “detach”: it is a copy beside the original. It gives up all stores that it has, with
          their payments, for good.
        </p>
        {mayAct && (
          <>
            <div class="field">
              <label for="answer">continue or detach</label>
              <input id="answer" name="answer" required autocomplete="off" spellcheck={false} />
            </div>
            <button class="btn" type="submit">
              Say so
            </button>
          </>
        )}
      </form>
    </Panel>
  );
}

export function RecoveryTable({ recoveries }: { readonly recoveries: readonly Recovery[] }): JSX.Element {
  return (
    <section class="panel" aria-label="Times of lost commits">
      <Table
        caption={<span class="mute">The newest first, at most 100</span>}
        columns={['Begun', 'State', 'From', 'To', 'Recorded again']}
      >
        {recoveries.map((recovery) => (
          <Row recovery={recovery} />
        ))}
      </Table>
    </section>
  );
}

function Row({ recovery }: { readonly recovery: Recovery }): JSX.Element {
  const { mayAct } = usePage();
  const { id, startedAt, from, to, doneAt, error, paymentsAdopted } = recovery;
  return (
    <tr id={`recovery-${id}`}>
      <td class="when">
        <When at={startedAt} />
      </td>
      <td class="state">
        <Words told={doneAt === null ? open : error === null ? read : unread} />
        {error !== null && <small class="err">{error}</small>}
        {mayAct && error !== null && doneAt !== null && (
          <Act path="recoveries/read-again" fields={{ id }}>
            Read again
          </Act>
        )}
      </td>
      <td data-label="From:">
        <When at={from} />
      </td>
      <td data-label="To:">
        <When at={to} />
      </td>
      <td class="num" data-label="Recorded again:">
        {paymentsAdopted}
      </td>
    </tr>
  );
}
