import {
  cancellationText,
  type BuyerDetail,
  type BuyerDetailName,
  type PaymentRecord,
} from '@holdfast/payments';
import type { ComponentChildren, JSX } from 'preact';
import { amountText } from '../view/amount-text.js';
import { usePage } from '../view/page-context.js';
import { paidOfDue } from '../view/paid-of-due.js';
import { Act, Panel, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import { methodText, receiptWords } from '../view/words.js';

/** What is kept about the buyer. */
export interface Buyer {
  readonly details: readonly BuyerDetail[];
  readonly isMasked: boolean;
}

export function Facts({
  record: { payment, order, unsettled },
}: {
  readonly record: PaymentRecord;
}): JSX.Element {
  const { authorization, cancellation, holdExpiresAt, receiptStatus } = payment;
  const method = methodText(payment);
  const authorized = authorization === null ? '' : authorizationText(authorization);
  return (
    <dl class="facts rule">
      <Fact name="Order">{`${order.state.replaceAll('_', ' ')}: ${paidOfDue(order)}`}</Fact>
      <Fact name="Method">{method === '' ? 'not chosen yet' : method}</Fact>
      <Fact name="Created">
        <When at={payment.createdAt} />
      </Fact>
      {holdExpiresAt !== null && (
        <Fact name="The hold ends">
          <When at={holdExpiresAt} />
        </Fact>
      )}
      {payment.status === 'waiting_for_capture' && <Fact name="Before it ends">{holdText(payment)}</Fact>}
      {unsettled !== null && (
        <Fact name="Paid in advance">{`${amountText(unsettled.left)} to be handed over`}</Fact>
      )}
      {cancellation !== null && (
        <Fact name="Canceled by">
          {cancellation.party}: {cancellation.reason} <small>{cancellationText(cancellation.reason)}</small>
        </Fact>
      )}
      {authorized !== '' && <Fact name="Authorization">{authorized}</Fact>}
      {receiptStatus !== null && (
        <Fact name="Receipt">
          <Words told={receiptWords[receiptStatus]} />
        </Fact>
      )}
      <Fact name="Our id">
        <span class="id">{payment.id}</span>
      </Fact>
      <Fact name="The service's id">
        <span class="id">{payment.serviceId ?? 'none yet'}</span>
      </Fact>
      <Fact name="Store">
        <span class="id">{payment.store}</span>
      </Fact>
      {payment.description !== null && <Fact name="Description">{payment.description}</Fact>}
    </dl>
  );
}

export function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What the bank goes by, should the buyer ask there. */
function authorizationText({
  rrn,
  authCode,
  threeDSecureApplied,
}: NonNullable<PaymentRecord['payment']['authorization']>): string {
  const applied = threeDSecureApplied === true ? 'with 3-D Secure' : 'without 3-D Secure';
  return [
    ...(threeDSecureApplied === null ? [] : [applied]),
    ...(rrn === null ? [] : [`RRN ${rrn}`]),
    ...(authCode === null ? [] : [`code ${authCode}`]),
  ].join(', ');
}

/** What the module does before a hold ends. */
function holdText({ holdDueAt, holdPolicy, superseded }: PaymentRecord['payment']): string {
  if (superseded) return 'it is let go: another payment has taken its place';
  if (holdDueAt === null) return 'nothing: it is left to a person';
  const policies = {
    capture: 'it is captured',
    cancel: 'it is let go',
    flag: 'it is left to a person',
  } as const;
  return holdPolicy === null ? 'what the holds option of the module says' : policies[holdPolicy];
}

const detailNames: Readonly<Record<BuyerDetailName, string>> = {
  full_name: 'Name',
  short_name: 'Name in short',
  email: 'Email',
  phone: 'Phone',
  inn: 'INN',
  address: 'Address',
  client_ip: 'IP address',
  account_number: 'Wallet or account',
};

/** Masked until somebody asks, which is written down. */
export function BuyerPanel({
  record: { payment },
  buyer: { details, isMasked },
}: {
  readonly record: PaymentRecord;
  readonly buyer: Buyer;
}): JSX.Element | null {
  const { mayAct } = usePage();
  if (details.length === 0 && !(mayAct && isMasked)) return null;
  const store = `?${new URLSearchParams({ store: payment.store }).toString()}`;
  return (
    <Panel title="Buyer" aside={isMasked ? 'masked' : 'your look is kept in the timeline'}>
      <div class="body">
        {details.length === 0 ? (
          <p class="hint">The shop has said nothing of the buyer.</p>
        ) : (
          <dl class="facts">
            {details.map(({ name, value }) => (
              <Fact name={detailNames[name]}>{value}</Fact>
            ))}
          </dl>
        )}
        {mayAct && isMasked && (
          <>
            <p class="hint">Shown with all that was sent and received, which may name the buyer.</p>
            <Act path={`payments/${payment.id}/show${store}`}>
              Show
              <span class="vh">
                {' '}
                the buyer’s details and what was sent and received, which the timeline keeps
              </span>
            </Act>
          </>
        )}
      </div>
    </Panel>
  );
}
