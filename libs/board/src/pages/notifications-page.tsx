import type { ForeignNotification, RefusedSender, StoredNotification } from '@holdfast/payments';
import type { JSX } from 'preact';
import { Document } from '../view/document.js';
import { Empty, Table, Tabs, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import type { Told } from '../view/words.js';

/** Which notifications the page lists. */
export type NotificationTab = 'waiting' | 'over' | 'foreign' | 'refused';

/** What the page lists: of a tab, its items. */
export type NotificationList =
  | { readonly tab: 'waiting' | 'over'; readonly items: readonly StoredNotification[] }
  | { readonly tab: 'foreign'; readonly items: readonly ForeignNotification[] }
  | { readonly tab: 'refused'; readonly items: readonly RefusedSender[] };

const tabs: readonly { readonly tab: NotificationTab; readonly name: string; readonly none: string }[] = [
  { tab: 'waiting', name: 'Waiting', none: 'No notification waits' },
  { tab: 'over', name: 'Handled', none: 'No notification has come yet' },
  { tab: 'foreign', name: 'Set aside', none: 'No notification is set aside' },
  { tab: 'refused', name: 'Refused senders', none: 'This process has refused no sender' },
];

export function NotificationsPage({ list }: { readonly list: NotificationList }): JSX.Element {
  const { none } = tabs.find(({ tab }) => tab === list.tab) ?? { none: '' };
  return (
    <Document title="Notifications">
      <h1>Notifications</h1>
      <Tabs
        label="Notifications"
        tabs={tabs.map(({ tab, name }) => ({
          path: tab === 'waiting' ? 'notifications' : `notifications?tab=${tab}`,
          name,
          isCurrent: tab === list.tab,
        }))}
      />
      {list.items.length === 0 ? (
        <Empty title={none}>A payment that was not notified is found by polling, only later.</Empty>
      ) : (
        <section class="panel" aria-label="Notifications">
          <List list={list} />
        </section>
      )}
    </Document>
  );
}

function List({ list }: { readonly list: NotificationList }): JSX.Element {
  if (list.tab === 'refused') return <Refused senders={list.items} />;
  if (list.tab === 'foreign') return <Foreign notifications={list.items} />;
  return <Stored notifications={list.items} />;
}

const stateWords = {
  waiting: { word: 'waiting', shape: 'open', tone: 'wait' },
  handled: { word: 'handled', shape: 'tick', tone: 'good' },
  foreign: { word: 'set aside', shape: 'slash', tone: 'calm' },
} as const satisfies Readonly<Record<string, Told>>;

function stateOf({ waitingSince, foreignAt }: StoredNotification): Told {
  if (waitingSince !== null) return stateWords.waiting;
  return foreignAt === null ? stateWords.handled : stateWords.foreign;
}

function Stored({ notifications }: { readonly notifications: readonly StoredNotification[] }): JSX.Element {
  return (
    <Table
      caption={<span class="mute">At most 100</span>}
      columns={['Last', 'State', 'Event', 'Object', 'Sender', 'Came']}
    >
      {notifications.map((notification) => (
        <tr>
          <td class="when">
            <When at={notification.lastAt} />
          </td>
          <td class="state">
            <Words told={stateOf(notification)} />
            {notification.attempts > 0 && <small>{notification.attempts} re-reads have failed</small>}
          </td>
          <th scope="row">{notification.event}</th>
          <td data-label="Object:">
            <span class="id">{notification.objectId}</span>
          </td>
          <td data-label="Sender:">{notification.senderAddress}</td>
          <td class="num" data-label="Came:">
            {notification.count}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Foreign({ notifications }: { readonly notifications: readonly ForeignNotification[] }): JSX.Element {
  return (
    <Table
      caption={
        <span class="mute">
          Of payments that were not made here, and of objects that the service did not show; at most 100
        </span>
      }
      columns={['Set aside', 'Event', 'Object', 'Sender', 'Came']}
    >
      {notifications.map(({ foreignAt, event, objectId, isKnown, senderAddress, count }) => (
        <tr>
          <td class="when">
            <When at={foreignAt} />
          </td>
          <th scope="row">{event}</th>
          <td data-label="Object:">
            <span class="id">{objectId}</span>{' '}
            <small>{isKnown ? 'the service knows it' : 'anyone may have made it up'}</small>
          </td>
          <td data-label="Sender:">{senderAddress}</td>
          <td class="num" data-label="Came:">
            {count}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const adviceWords: Readonly<Record<RefusedSender['advice'], string>> = {
  trustedProxies: 'trustedProxies, if it is a proxy of your own',
  notificationSenders: 'notificationSenders, if the service has published it',
  'X-Forwarded-For': 'have your proxy name its client in X-Forwarded-For',
  webhookSecret: 'the webhookSecret at the end of the path, if it is the service',
};

function Refused({ senders }: { readonly senders: readonly RefusedSender[] }): JSX.Element {
  return (
    <Table
      caption={
        <span class="mute">
          Since this process started, the last one first. Anyone may send, so there may always be some.
        </span>
      }
      columns={['Last', 'Sender', 'What would accept it', 'Came']}
    >
      {senders.map(({ lastAt, address, advice, count }) => (
        <tr>
          <td class="when">
            <When at={lastAt} />
          </td>
          <th scope="row">{address}</th>
          <td>{adviceWords[advice]}</td>
          <td class="num" data-label="Came:">
            {count}
          </td>
        </tr>
      ))}
    </Table>
  );
}
