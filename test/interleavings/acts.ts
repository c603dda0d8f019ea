import type { CreatePaymentInput, Payment } from '@holdfast/payments';
import { Deliverer } from '../../libs/payments/src/handlers/deliverer.js';
import { doAll } from '../support/one-by-one.js';
import { reread, orderInput } from '../support/payments-host.js';
import type { Actor, Played, Stage } from './stage.js';
import type { End } from './stepper.js';

/** A payment whose poll is due, so that a worker may claim it before anything happens to it. */
export async function duePayment(stage: Stage, input: Partial<CreatePaymentInput> = {}): Promise<Payment> {
  const payment = await stage.sweeper.payments.create({ ...orderInput(), ...input });
  await makeDue(stage, payment);
  return payment;
}

/** A hold that handlers were told of, and whose poll is due. */
export async function heldPayment(stage: Stage): Promise<Payment> {
  const payment = await stage.sweeper.payments.create({ ...orderInput(), capture: false });
  pay(stage, payment);
  await reread(stage.sweeper, payment.id);
  await stage.sweepAll();
  await makeDue(stage, payment);
  return payment;
}

export async function makeDue({ bench, observer }: Stage, { id }: Payment): Promise<void> {
  await observer.query('UPDATE payments_due SET ready_at = $2 WHERE payment_id = $1', [
    id,
    new Date(bench.sandbox.clock.now().getTime() - 60_000),
  ]);
}

export function pay({ bench }: Stage, { serviceId }: Payment): void {
  bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
}

/** Makes all that is due. */
export async function deliver({ host: { app } }: Pick<Actor, 'host'>): Promise<void> {
  await doAll(app.get(Deliverer).work);
}

/** None of them may fail. */
export function failures(ends: Played['ends']): string[] {
  return Object.entries(ends).flatMap(([letter, end]) =>
    end && 'error' in end ? [`${letter} failed: ${String(end.error)}`] : [],
  );
}

export function answerOf(end: End | null | undefined): Partial<Payment> {
  return end && 'value' in end && typeof end.value === 'object' && end.value !== null ? end.value : {};
}

/** By the actor's own connection: who waits for the lock of a claim that is being committed delays nobody else. */
export async function endLeases({ host: { dataSource } }: Pick<Actor, 'host'>): Promise<void> {
  await dataSource.query(
    `UPDATE payments_due SET lease_until = lease_until - interval '1 day', ready_at = ready_at - interval '1 day'
     WHERE lease_until IS NOT NULL`,
  );
}
