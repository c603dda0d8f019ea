import type { StoreInFull } from '@holdfast/payments';
import type { JSX } from 'preact';
import { countText } from '../view/amount-text.js';
import { Document } from '../view/document.js';
import { useLink, usePage } from '../view/page-context.js';
import { Act, Panel, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import type { Told } from '../view/words.js';
import { Fact } from './payment-facts.js';
import { RecoveryTable } from './recoveries-page.js';
import { storeWords } from './stores-page.js';

/** With so many changes that nobody announced, notifications do not arrive. */
const SILENT = 3;

const arrive: Told = { word: 'they arrive', shape: 'tick', tone: 'good' };
const silent: Told = { word: 'they do not arrive', shape: 'stop', tone: 'bad' };
const missed: Told = { word: 'the last was not announced', shape: 'warn', tone: 'warn' };

/** All of one store. */
export function StorePage({ store }: { readonly store: StoreInFull }): JSX.Element {
  const link = useLink();
  const { mayAct } = usePage();
  const { id, kind, accountId, name, status, test, recoveries } = store;
  const query = kind === 'own' ? '' : `?${new URLSearchParams({ store: id }).toString()}`;
  return (
    <Document title={`Store ${accountId}`}>
      <p class="crumb">
        <a href={link('stores')}>← Stores</a>
      </p>
      <div class="hero">
        <div>
          <h1>
            Store <b>{name ?? accountId}</b>
          </h1>
          <p class="row">
            <Words told={storeWords[status]} pill />
            {test && <span class="test">test money</span>}
          </p>
        </div>
        <div class="bottom">
          {mayAct && kind === 'connected' && status === 'connected' && (
            <Act path="stores/check" fields={{ store: id }}>
              Check it now
            </Act>
          )}
          <a class="btn" href={link(`payments${query}`)}>
            Payments
          </a>
          <a class="btn" href={link(`holds${query}`)}>
            Holds
          </a>
          <a class="btn" href={link(`books${query}`)}>
            Books
          </a>
        </div>
      </div>
      <Settings store={store} />
      <Health store={store} />
      {recoveries.length > 0 && <RecoveryTable recoveries={recoveries} />}
    </Document>
  );
}

function Settings({ store }: { readonly store: StoreInFull }): JSX.Element {
  const { id, kind, accountId, ownerRef, enabled, paymentMethods, fiscalizationProvider } = store;
  const { connectedAt, tokenExpiresAt, maintenanceAt } = store;
  return (
    <Panel
      title="Account"
      aside={
        ownerRef !== null
          ? `of ${ownerRef}`
          : kind === 'own'
            ? 'the shop itself'
            : 'the database has forgotten whose it is'
      }
    >
      <div class="body">
        <dl class="facts">
          <Fact name="Account">
            <span class="id">{accountId}</span>
          </Fact>
          <Fact name="Our id">
            <span class="id">{id}</span>
          </Fact>
          <Fact name="May take payments">
            {enabled === null
              ? 'the service did not say'
              : enabled
                ? 'yes'
                : 'no: its owner has to ask the service'}
          </Fact>
          <Fact name="Ways to pay">{paymentMethods?.join(', ') ?? 'the service did not say'}</Fact>
          <Fact name="Receipts are registered by">
            {fiscalizationProvider ?? 'nobody, or the service did not say'}
          </Fact>
          {connectedAt !== null && (
            <Fact name="Connected">
              <When at={connectedAt} />
            </Fact>
          )}
          <Fact name="Its token ends">
            {tokenExpiresAt === null ? 'it has none' : <When at={tokenExpiresAt} />}
          </Fact>
          {maintenanceAt !== null && (
            <Fact name="Checked next">
              <When at={maintenanceAt} />
            </Fact>
          )}
        </dl>
      </div>
    </Panel>
  );
}

function Health({ store }: { readonly store: StoreInFull }): JSX.Element {
  const { unannouncedChanges, unannouncedSince, refundsSeenTo, requestsLeft } = store;
  const told = unannouncedChanges >= SILENT ? silent : unannouncedChanges > 0 ? missed : arrive;
  return (
    <Panel title="Notifications and requests">
      <div class="body">
        <dl class="facts">
          <Fact name="Notifications">
            <Words told={told} />
          </Fact>
          <Fact name="Changes found by polling alone">
            {countText(unannouncedChanges)}{' '}
            {unannouncedSince !== null && (
              <>
                since <When at={unannouncedSince} />
              </>
            )}
          </Fact>
          <Fact name="Refunds listed up to">
            {refundsSeenTo === null ? 'not yet' : <When at={refundsSeenTo} />}
          </Fact>
          <Fact name="Requests left for what was notified">{countText(requestsLeft.notified)}</Fact>
          <Fact name="Requests left for polls">{countText(requestsLeft.polls)}</Fact>
        </dl>
      </div>
    </Panel>
  );
}
