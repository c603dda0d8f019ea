import {
  PaymentInputError,
  PaymentsError,
  PaymentsOperator,
  problemOf,
  type BuyerDetail,
} from '@holdfast/payments';
import { HttpException, Injectable, Logger } from '@nestjs/common';
import type { JSX } from 'preact';
import type { BoardAnswer } from './board-answer.js';
import { paymentQueryOf, scopeOf, searchOf, textOf, timelineKindOf, type Fields } from './board-query.js';
import { BoardRenderer, type PagePlace, type Present } from './board-renderer.js';
import { hasAlready, tagOf } from './live/page-tag.js';
import { DeliveriesPage } from './pages/deliveries-page.js';
import { HandlersPage } from './pages/handlers-page.js';
import { HoldsPage } from './pages/holds-page.js';
import { IncidentsPage } from './pages/incidents-page.js';
import { MessagePage } from './pages/message-page.js';
import { NotificationsPage, type NotificationList } from './pages/notifications-page.js';
import { OverviewPage, type Overview } from './pages/overview-page.js';
import { PaymentPage as PaymentPageView } from './pages/payment-page.js';
import { PaymentsPage } from './pages/payments-page.js';
import { PrepaymentsPage } from './pages/prepayments-page.js';
import { ReceiptsPage } from './pages/receipts-page.js';
import { RecoveriesPage } from './pages/recoveries-page.js';
import { RequestsPage } from './pages/requests-page.js';
import { StorePage } from './pages/store-page.js';
import { StoresPage } from './pages/stores-page.js';
import { clockText } from './view/time-text.js';

/** A page that renews itself. */
const live = (section: PagePlace['section']): PagePlace => ({ section, depth: 0, isLive: true });

/** Fourteen days of the calendar, today the last. */
const FORTNIGHT_MS = 13 * 86_400_000;

/** What each page shows, read from the database alone. */
@Injectable()
export class BoardPages {
  readonly #logger = new Logger('PaymentsBoard');

  constructor(
    private readonly operator: PaymentsOperator,
    private readonly renderer: BoardRenderer,
  ) {}

  overview(request: object): Promise<BoardAnswer> {
    return this.page(request, live('overview'), async (present) => {
      const { backlog, now } = await present;
      return <OverviewPage overview={{ backlog, ...(await this.#ofShop(now)) }} />;
    });
  }

  payments(request: object, fields: Fields): Promise<BoardAnswer> {
    return this.ofStore(request, live('payments'), textOf(fields, 'store'), async () => {
      const query = paymentQueryOf(fields);
      const cursor = textOf(fields, 'cursor');
      const scope = query.store === '' ? {} : { store: query.store };
      const [page, counts] = await Promise.all([
        this.operator.search(searchOf(query, cursor, this.renderer.timeZone)),
        this.operator.counts(scope),
      ]);
      return <PaymentsPage query={query} page={page} counts={counts} isFirst={cursor === ''} />;
    });
  }

  /** `show`: reads the buyer's details in full. Default: they are masked. */
  payment(
    request: object,
    place: PagePlace,
    id: string,
    fields: Fields,
    show?: () => Promise<readonly BuyerDetail[]>,
  ): Promise<BoardAnswer> {
    return this.page(request, place, async () => {
      const scope = scopeOf(fields);
      const details = await (show === undefined ? this.operator.buyer(id, scope) : show());
      const record = await this.operator.inspect(id, scope);
      const buyer = { details, isMasked: show === undefined };
      return <PaymentPageView record={record} buyer={buyer} shown={timelineKindOf(fields)} />;
    });
  }

  holds(request: object, fields: Fields): Promise<BoardAnswer> {
    const [cursor, store] = [textOf(fields, 'cursor'), textOf(fields, 'store')];
    return this.ofStore(request, live('holds'), store, async () => {
      const page = await this.operator.holds({
        ...(cursor !== '' && { cursor }),
        ...(store !== '' && { store }),
      });
      return <HoldsPage page={page} store={store} isFirst={cursor === ''} />;
    });
  }

  deliveries(request: object, fields: Fields): Promise<BoardAnswer> {
    return this.page(request, live('deliveries'), async () => {
      if (textOf(fields, 'tab') === 'failing')
        return <DeliveriesPage tab="failing" deliveries={await this.operator.failingDeliveries()} />;
      const parked = await this.operator.parkedDeliveries();
      const deliveries = parked.map((delivery) => ({ ...delivery, nextAttemptAt: null }));
      return <DeliveriesPage tab="parked" deliveries={deliveries} />;
    });
  }

  incidents(request: object): Promise<BoardAnswer> {
    return this.page(request, live('incidents'), async () => (
      <IncidentsPage incidents={await this.operator.incidents()} />
    ));
  }

  receipts(request: object, fields: Fields): Promise<BoardAnswer> {
    const place = live('receipts');
    if (textOf(fields, 'tab') !== 'prepaid')
      return this.page(request, place, async () => (
        <ReceiptsPage problems={await this.operator.receiptProblems()} />
      ));
    const [cursor, store] = [textOf(fields, 'cursor'), textOf(fields, 'store')];
    return this.ofStore(request, place, store, async () => {
      const page = await this.operator.unsettledPrepayments({
        ...(cursor !== '' && { cursor }),
        ...(store !== '' && { store }),
      });
      return <PrepaymentsPage page={page} store={store} isFirst={cursor === ''} />;
    });
  }

  notifications(request: object, fields: Fields): Promise<BoardAnswer> {
    return this.page(request, live('notifications'), async () => (
      <NotificationsPage list={await this.#notifications(textOf(fields, 'tab'))} />
    ));
  }

  requests(request: object): Promise<BoardAnswer> {
    return this.page(request, live('requests'), async () => (
      <RequestsPage operations={await this.operator.operations()} />
    ));
  }

  recoveries(request: object): Promise<BoardAnswer> {
    return this.page(request, live('recoveries'), async () => (
      <RecoveriesPage recoveries={await this.operator.recoveries()} />
    ));
  }

  stores(request: object, fields: Fields): Promise<BoardAnswer> {
    return this.page(request, live('stores'), async () => {
      const cursor = textOf(fields, 'cursor');
      return <StoresPage page={await this.operator.stores(cursor === '' ? {} : { cursor })} />;
    });
  }

  store(request: object, fields: Fields): Promise<BoardAnswer> {
    const place = live('stores');
    return this.ofStore(request, place, textOf(fields, 'store'), async () => (
      <StorePage store={await this.operator.store(scopeOf(fields))} />
    ));
  }

  handlers(request: object): Promise<BoardAnswer> {
    return this.page(request, live('handlers'), async () => (
      <HandlersPage handlers={await this.operator.handlers()} />
    ));
  }

  /** A page, or what kept it from being made. What the host's own guards and pipes throw stays theirs. */
  async page(
    request: object,
    place: PagePlace,
    make: (present: Promise<Present>) => Promise<JSX.Element>,
    status = 200,
  ): Promise<BoardAnswer> {
    const present = this.renderer.present();
    try {
      const page = await make(present);
      const html = this.renderer.html(request, place, await present, page);
      if (place.isLive !== true) return { status, html };
      const tag = tagOf(html);
      if (!hasAlready(request, tag)) return { status, html, tag };
      const { now } = await present;
      return { tag, asOf: `${now.toISOString()} ${clockText(now, this.renderer.timeZone)}` };
    } catch (error) {
      if (error instanceof HttpException) throw error;
      return this.#failed(request, place, await present, error);
    }
  }

  #failed(request: object, place: PagePlace, present: Present, error: unknown): BoardAnswer {
    const problem = error instanceof PaymentsError ? problemOf(error) : null;
    if (problem === null)
      this.#logger.error(
        'A page of the board could not be made.',
        error instanceof Error ? error.stack : undefined,
      );
    const lasting = { ...place, isLive: false };
    const title = problem?.title ?? 'This cannot be shown now';
    const text =
      error instanceof PaymentsError
        ? error.message
        : 'The database did not answer, or this is a defect. The log has the reason.';
    return {
      status: problem?.status ?? 503,
      html: this.renderer.html(request, lasting, present, <MessagePage title={title} text={text} />),
    };
  }

  /** A platform without a shop of its own has none; and what fails or is late leaves the verdict on its page. */
  async #ofShop(now: Date): Promise<Omit<Overview, 'backlog'>> {
    const from = new Date(now.getTime() - FORTNIGHT_MS);
    const { timeZone } = this.renderer;
    const [days, holds, newest, books] = await Promise.all([
      this.#orNothing(this.operator.days({ from, to: now, timeZone })),
      this.#orNothing(this.operator.holds()),
      this.#orNothing(this.operator.search()),
      this.#orNothing(this.operator.keptAudits()),
    ]);
    return { days, holds, newest, books };
  }

  async #orNothing<T>(asked: Promise<T>): Promise<T | null> {
    try {
      return await asked;
    } catch (error) {
      if (!lacksStore(error, ''))
        this.#logger.warn(
          `A part of the overview could not be read: ${error instanceof Error ? error.message : ''}`,
        );
      return null;
    }
  }

  /** A page about one store. Where none is named and the shop has none of its own, it leads to the stores. */
  async ofStore(
    request: object,
    place: PagePlace,
    store: string,
    make: () => Promise<JSX.Element>,
    status = 200,
  ): Promise<BoardAnswer> {
    let isUnnamed = false;
    const answer = await this.page(
      request,
      place,
      async () => {
        try {
          return await make();
        } catch (error) {
          isUnnamed = lacksStore(error, store);
          throw error;
        }
      },
      status,
    );
    return isUnnamed ? { location: 'stores' } : answer;
  }

  async #notifications(tab: string): Promise<NotificationList> {
    switch (tab) {
      case 'over':
        return { tab, items: await this.operator.notifications('over') };
      case 'foreign':
        return { tab, items: await this.operator.foreignNotifications() };
      case 'refused':
        return { tab, items: this.operator.refusedSenders() };
      default:
        return { tab: 'waiting', items: await this.operator.notifications('waiting') };
    }
  }
}

/** There is no shop of its own, so a store has to be named. */
function lacksStore(error: unknown, store: string): boolean {
  return store === '' && error instanceof PaymentInputError && error.field === 'store';
}
