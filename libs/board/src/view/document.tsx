import type { Condition, ConditionName } from '@holdfast/payments';
import type { ComponentChildren, JSX } from 'preact';
import { useLink, usePage } from './page-context.js';
import { Renewal, RenewalWords } from './renewal.js';
import { Shape, Sprite, Status } from './shape.js';
import { When } from './when.js';

/** The places of the board, by their paths. */
const places = {
  overview: 'Overview',
  payments: 'Payments',
  holds: 'Holds',
  incidents: 'Incidents',
  deliveries: 'Deliveries',
  receipts: 'Receipts',
  notifications: 'Notifications',
  requests: 'Requests',
  books: 'Books',
  recoveries: 'Lost commits',
  stores: 'Stores',
  handlers: 'Handlers',
} as const;
type Path = keyof typeof places;

const groups: readonly { readonly group: string | null; readonly paths: readonly Path[] }[] = [
  { group: null, paths: ['overview', 'payments', 'holds'] },
  { group: 'Work', paths: ['incidents', 'deliveries', 'receipts', 'notifications', 'requests'] },
  { group: 'Set-up and accounts', paths: ['books', 'recoveries', 'stores', 'handlers'] },
];

type SubjectOf<Name> = Name extends `${infer First}_${string}` ? First : never;

/** Where a condition is seen to, by what it is about: its name begins with that. */
const seenTo: Readonly<Record<SubjectOf<ConditionName>, Path>> = {
  database: 'recoveries',
  notifications: 'notifications',
  recoveries: 'recoveries',
  holds: 'holds',
  incidents: 'incidents',
  receipts: 'receipts',
  deliveries: 'deliveries',
  stores: 'stores',
  owners: 'stores',
  operations: 'requests',
  payments: 'payments',
};
const pathsBySubject = new Map<string, Path>(Object.entries(seenTo));

/** Where a condition is seen to. */
export function placeOf(condition: ConditionName): { readonly path: Path; readonly name: string } {
  const [subject = ''] = condition.split('_', 1);
  const path = pathsBySubject.get(subject) ?? 'overview';
  return { path, name: places[path] };
}

interface DocumentProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A whole page: navigation, search, and what is its own. */
export function Document({ title, children }: DocumentProps): JSX.Element {
  const link = useLink();
  const { conditions, isLive } = usePage();
  const wrong = conditions === null || conditions.length === 0 ? '' : `(${conditions.length}) `;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${wrong}${title} – Payments board`}</title>
        <link rel="stylesheet" href={link('board.css')} />
        {isLive && <script type="module" src={link('board.js')} />}
      </head>
      <body>
        <Sprite />
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <div class="frame">
          <Navigation />
          <div>
            <TopLine />
            <main id="main" tabIndex={-1} {...(isLive && { 'data-live': '' })}>
              {children}
            </main>
          </div>
        </div>
        <RenewalWords />
      </body>
    </html>
  );
}

function Navigation(): JSX.Element {
  const link = useLink();
  return (
    <nav class="side" id="nav" aria-label="Board" popover="auto">
      <a class="brand" href={link('overview')}>
        Payments
      </a>
      {groups.map(({ group, paths }, index) => (
        <div>
          {group !== null && (
            <p class="group" id={`nav-${index}`}>
              {group}
            </p>
          )}
          <ul {...(group !== null && { 'aria-labelledby': `nav-${index}` })}>
            {paths.map((path) => (
              <NavigationItem path={path} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function NavigationItem({ path }: { readonly path: Path }): JSX.Element {
  const link = useLink();
  const { section, conditions } = usePage();
  const found = (conditions ?? []).filter(({ name }) => placeOf(name).path === path);
  return (
    <li>
      <a href={link(path)} {...(section === path && { 'aria-current': 'page' as const })}>
        {places[path]} {found.length > 0 && <Wrong conditions={found} />}
      </a>
    </li>
  );
}

/** The number of what is wrong, by the most urgent of its conditions. */
function Wrong({ conditions }: { readonly conditions: readonly Condition[] }): JSX.Element {
  const needsPerson = conditions.some((condition) => condition.needsPerson);
  const { count, more } = conditions.find((condition) => condition.needsPerson) ??
    conditions[0] ?? { count: 0, more: false };
  return (
    <span class={`count is-${needsPerson ? 'bad' : 'warn'}`}>
      <Shape name={needsPerson ? 'stop' : 'warn'} />
      {`${count}${more ? '+' : ''}`}
      <span class="vh">{needsPerson ? ' need a person' : ' to look at'}</span>
    </span>
  );
}

function TopLine(): JSX.Element {
  const link = useLink();
  const { now, timeZone, actor, mayAct, conditions } = usePage();
  const wrong = conditions?.length ?? 0;
  return (
    <header class="top">
      <a class="brand" href={link('overview')}>
        Payments
      </a>
      <button class="btn open" id="menu" type="button" popovertarget="nav">
        Menu{' '}
        {wrong > 0 && (
          <span class="count is-bad">
            <Shape name="stop" />
            {wrong}
            <span class="vh"> things are wrong</span>
          </span>
        )}
      </button>
      <form class="find" role="search" action={link('payments')}>
        <label class="vh" for="q">
          Find a payment by order, id, amount or a card&apos;s last four digits
        </label>
        <input
          id="q"
          name="q"
          type="search"
          placeholder="order, id, *4444, amount"
          autocomplete="off"
          spellcheck={false}
          maxLength={256}
        />
      </form>
      <p class="asof" id="asof">
        as of <When at={now} only="clock" /> {timeZone}
        {conditions === null && (
          <Status shape="unknown" tone="bad">
            what waits is not known
          </Status>
        )}
        <Renewal />
      </p>
      <details class="menu">
        <summary>{actor}</summary>
        <div>
          <p>
            {actor}
            <br />
            <span class="mute">{mayAct ? 'may look and act' : 'may look'}</span>
          </p>
          <p class="mute">Times in {timeZone}</p>
        </div>
      </details>
    </header>
  );
}
