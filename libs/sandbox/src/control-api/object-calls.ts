import { knownFields } from '../common/input.js';
import type { Sandbox } from '../control/running-sandbox.js';
import { idOf, type ControlCall } from './control-call.js';

/** Control calls for refunds, invoices, receipts, payouts, deals and payment methods. */
export function objectCalls({
  refunds,
  invoices,
  receipts,
  payouts,
  deals,
  paymentMethods,
}: Sandbox): readonly ControlCall[] {
  return [
    { method: 'get', path: '/refunds', work: () => ({ items: refunds.list() }) },
    {
      method: 'post',
      path: '/refunds',
      work: ({ body }) => {
        knownFields(body, ['payment_id', 'amount']);
        return refunds.make(body.payment_id, body.amount);
      },
    },
    { method: 'post', path: '/refunds/next', work: ({ body }) => refunds.next(body) },
    { method: 'get', path: '/refunds/:id', work: (request) => refunds.get(idOf(request)) },
    { method: 'post', path: '/refunds/:id/finish', work: finishing((...end) => refunds.finish(...end)) },
    { method: 'get', path: '/invoices', work: () => ({ items: invoices.list() }) },
    { method: 'get', path: '/invoices/:id', work: (request) => invoices.get(idOf(request)) },
    {
      method: 'post',
      path: '/invoices/:id/pay',
      work: (request) => invoices.pay(idOf(request), request.body),
    },
    { method: 'post', path: '/invoices/:id/cancel', work: (request) => invoices.cancel(idOf(request)) },
    { method: 'get', path: '/receipts', work: () => ({ items: receipts.list() }) },
    { method: 'post', path: '/receipts/next', work: ({ body }) => receipts.next(body) },
    { method: 'get', path: '/receipts/:id', work: (request) => receipts.get(idOf(request)) },
    {
      method: 'post',
      path: '/receipts/:id/finish',
      work: (request) => {
        const { body } = request;
        knownFields(body, ['outcome']);
        return receipts.finish(idOf(request), body.outcome);
      },
    },
    { method: 'get', path: '/payouts', work: () => ({ items: payouts.list() }) },
    { method: 'post', path: '/payouts', work: ({ body }) => payouts.create(body) },
    { method: 'post', path: '/payouts/:id/finish', work: finishing((...end) => payouts.finish(...end)) },
    { method: 'get', path: '/deals', work: () => ({ items: deals.list() }) },
    { method: 'post', path: '/deals', work: () => deals.create() },
    { method: 'post', path: '/deals/:id/close', work: (request) => deals.close(idOf(request)) },
    { method: 'get', path: '/payment_methods', work: () => ({ items: paymentMethods.list() }) },
    { method: 'post', path: '/payment_methods', work: ({ body }) => paymentMethods.bind(body) },
    {
      method: 'post',
      path: '/payment_methods/:id/confirm',
      work: (request) => paymentMethods.confirm(idOf(request), request.body),
    },
    {
      method: 'post',
      path: '/payment_methods/:id/revoke',
      work: (request) => paymentMethods.revoke(idOf(request)),
    },
  ];
}

type Finish = (id: string, outcome: 'succeeded' | 'canceled', reason?: string) => unknown;

/** Ends something that is pending, as `{outcome, reason?}` says. */
function finishing(finish: Finish): ControlCall['work'] {
  return (request) => {
    const { body } = request;
    knownFields(body, ['outcome', 'reason']);
    return finish(idOf(request), body.outcome, body.reason);
  };
}
