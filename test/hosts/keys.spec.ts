import { randomUUID } from 'node:crypto';
import { DatabaseError } from 'pg';

import { openDatabase, type OpenDatabase } from './open-database.js';

type Row = Record<string, unknown>;

describe('the database itself refuses', () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.close());
  afterEach(() => database.sql.query('ROLLBACK'));

  const now = new Date();
  const store = { id: randomUUID(), account_id: 'test_shop', kind: 'own' };
  const order = {
    id: randomUUID(),
    store_id: store.id,
    reference: 'order-1',
    currency: 'RUB',
    total_due_minor: 100,
    created_at: now,
    updated_at: now,
  };
  const payment = (fields: Row = {}): Row => ({
    id: randomUUID(),
    store_id: store.id,
    order_id: order.id,
    status: 'pending',
    currency: 'RUB',
    amount_minor: 100,
    capture: false,
    intent_key: randomUUID(),
    created_at: now,
    updated_at: now,
    ...fields,
  });
  const first = payment({ service_id: 'at-the-service' });
  const operation = (fields: Row = {}): Row => ({
    id: randomUUID(),
    store_id: store.id,
    payment_id: first['id'],
    kind: 'capture',
    idempotence_key: randomUUID(),
    body: '{}',
    fingerprint: '',
    recorded_at: now,
    ...fields,
  });
  const create = operation({ kind: 'create', outcome: 'confirmed' });
  const refund = (fields: Row = {}): Row => ({
    id: randomUUID(),
    store_id: store.id,
    payment_id: first['id'],
    refund_key: randomUUID(),
    status: 'submitting',
    amount_minor: 10,
    currency: 'RUB',
    created_at: now,
    updated_at: now,
    ...fields,
  });
  const returned = refund({ refund_key: 'return-1', service_id: 'refund-at-the-service' });
  const refunding = operation({ kind: 'refund', refund_id: returned['id'] });
  const receipt = (fields: Row = {}): Row => ({
    id: randomUUID(),
    store_id: store.id,
    payment_id: first['id'],
    receipt_key: randomUUID(),
    type: 'payment',
    status: 'submitting',
    amount_minor: 10,
    currency: 'RUB',
    created_at: now,
    updated_at: now,
    ...fields,
  });
  const handedOver = receipt({ receipt_key: 'handed over', service_id: 'receipt-at-the-service' });
  const sending = operation({ kind: 'receipt', receipt_id: handedOver['id'] });
  const problem = (fields: Row = {}): Row => ({
    id: randomUUID(),
    store_id: store.id,
    payment_id: first['id'],
    status: 'canceled',
    is_open: true,
    since: now,
    ...fields,
  });
  const incident: Row = {
    event_id: 1,
    store_id: store.id,
    payment_id: first['id'],
    name: 'payment.anomaly',
    is_open: true,
    since: now,
  };
  const recovery = (fields: Row): Row => ({
    id: randomUUID(),
    store_id: store.id,
    from_at: now,
    to_at: now,
    reason: 'requested',
    started_at: now,
    ...fields,
  });
  const audit = (fields: Row = {}): Row => ({
    id: randomUUID(),
    store_id: store.id,
    from_at: new Date(now.getTime() - 1),
    to_at: now,
    asked_by: 'anna',
    started_at: now,
    ...fields,
  });
  const event = (fields: Row = {}): Row => ({
    store_id: store.id,
    subject_type: 'payment',
    subject_id: first['id'],
    payment_id: first['id'],
    name: 'payment.pending',
    to_status: 'pending',
    cause: 'request',
    evidence: {},
    created_at: now,
    ...fields,
  });
  const notification = {
    store_id: store.id,
    event: 'payment.succeeded',
    object_type: 'payment',
    object_id: 'at-the-service',
    body: '{}',
    sender_address: '185.71.76.1',
    step: 'hand_over',
    first_at: now,
    last_at: now,
  };

  beforeEach(async () => {
    await database.sql.query('BEGIN');
    await insert('stores', store);
    await insert('orders', order);
    await insert('payments', first);
    await insert('operations', create);
    await insert('refunds', returned);
    await insert('operations', refunding);
    await insert('receipts', handedOver);
    await insert('operations', sending);
    await insert('receipt_problems', problem());
    await insert('receipt_problems', problem({ refund_id: returned['id'] }));
    await insert('receipt_problems', problem({ receipt_id: handedOver['id'] }));
    await insert('events', event());
    await insert('incidents', incident);
    await insert('notifications', { id: randomUUID(), ...notification });
    await insert('handlers', { id: 'orders.mark-paid', event: 'payment.succeeded' });
    await insert('deliveries', await delivery());
  });

  async function insert(table: string, row: Row): Promise<void> {
    const columns = Object.keys(row);
    await database.sql.query(
      `INSERT INTO payments_${table} (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(row),
    );
  }

  const change = (table: string, assignments: string) =>
    database.sql.query(`UPDATE payments_${table} SET ${assignments}`);

  async function delivery(): Promise<Row> {
    const { rows } = await database.sql.query<{ id: string }>('SELECT max(id) AS id FROM payments_events');
    return {
      event_id: rows[0]?.id,
      handler_id: 'orders.mark-paid',
      store_id: first['store_id'],
      sequence: first['id'],
      next_attempt_at: now,
    };
  }

  /** What must fail, by the name of the constraint that rejects it. */
  const refused: Record<string, [fact: string, write: () => Promise<unknown>][]> = {
    payments_stores_account_key: [
      [
        'a second row of one store',
        () => insert('stores', { ...store, id: randomUUID(), kind: 'connected', webhook_key: 'key-0' }),
      ],
    ],
    payments_stores_own_key: [
      [
        'a second shop, whose handlers would run for the first one',
        () => insert('stores', { ...store, id: randomUUID(), account_id: 'another' }),
      ],
    ],
    payments_oauth_states_code_key: [
      [
        'two ways back with one authorization code',
        async () => {
          const state = { owner_ref: 'owner', return_to: '/', restarted: false, expires_at: now };
          await insert('oauth_states', { ...state, state_hash: 'state-1', code_hash: 'code-1' });
          await insert('oauth_states', { ...state, state_hash: 'state-2', code_hash: 'code-1' });
        },
      ],
    ],
    payments_stores_webhook_key_key: [
      [
        'two stores behind one webhook address',
        async () => {
          await change('stores', "webhook_key = 'key-1'");
          await insert('stores', {
            id: randomUUID(),
            account_id: 'another',
            kind: 'connected',
            webhook_key: 'key-1',
          });
        },
      ],
    ],
    payments_stores_kind_check: [
      ['a store without an owner', () => change('stores', "kind = 'lost'")],
      [
        'a connected store without a webhook address',
        () => change('stores', "kind = 'connected', webhook_key = NULL"),
      ],
    ],
    payments_stores_status_check: [
      ['a store in an unknown status', () => change('stores', "status = 'asleep'")],
    ],
    payments_commit_mark_one_check: [
      [
        'a second commit mark',
        () =>
          insert('commit_mark', {
            id: 2,
            epoch: randomUUID(),
            epoch_number: 1,
            counter: 0,
            beat_at: now,
            reached_at: now,
            store_seed: randomUUID(),
          }),
      ],
    ],
    payments_recoveries_epoch_key: [
      [
        'a second recovery of a store for one epoch',
        async () => {
          const epoch = randomUUID();
          await insert('recoveries', recovery({ epoch }));
          await insert('recoveries', recovery({ epoch }));
        },
      ],
    ],
    payments_recoveries_reason_check: [
      ['a recovery for an unknown reason', () => insert('recoveries', recovery({ reason: 'boredom' }))],
    ],
    payments_recoveries_listing_check: [
      ['a recovery of something else', () => insert('recoveries', recovery({ listing: 'payouts' }))],
    ],
    payments_recoveries_period_check: [
      [
        'a recovery that ends before it begins',
        () => insert('recoveries', recovery({ to_at: new Date(now.getTime() - 1) })),
      ],
    ],
    payments_audits_open_key: [
      [
        'a second audit of a store under way',
        async () => {
          await insert('audits', audit());
          await insert('audits', audit());
        },
      ],
    ],
    payments_audits_period_check: [['an audit of no time', () => insert('audits', audit({ from_at: now }))]],
    payments_audits_end_check: [
      ['an audit that is done and has compared nothing', () => insert('audits', audit({ done_at: now }))],
    ],
    payments_orders_reference_key: [
      ['a second row of one order', () => insert('orders', { ...order, id: randomUUID() })],
    ],
    payments_orders_amounts_check: [
      ['an order with nothing due', () => change('orders', 'total_due_minor = 0')],
      ['an order with less than nothing paid', () => change('orders', 'paid_minor = -1')],
      ['an order with less than nothing held', () => change('orders', 'held_minor = -1')],
      ['an order with less than nothing refunded', () => change('orders', 'refunded_minor = -1')],
    ],
    payments_payments_service_id_key: [
      [
        'two payments for one payment of the service',
        () => insert('payments', payment({ service_id: 'at-the-service', part: 'rest' })),
      ],
    ],
    payments_payments_one_open_key: [
      ['a second open payment of an order', () => insert('payments', payment())],
      [
        'a second payment of an order whose outcome is unknown',
        () => insert('payments', payment({ status: 'submitting' })),
      ],
    ],
    payments_payments_receipt_check: [
      ['an unknown status of a receipt', () => change('payments', `receipt_status = 'sent'`)],
    ],
    payments_payments_hold_policy_check: [
      ['an unknown hold policy', () => change('payments', `hold_policy = 'ship'`)],
    ],
    payments_payments_prepaid_check: [
      ['more prepaid than the amount', () => change('payments', 'prepaid_minor = 101')],
      [
        'more to settle than was captured',
        () => change('payments', 'prepaid_minor = 100, unsettled_minor = 1, unsettled_since = created_at'),
      ],
      ['nothing to settle since some time', () => change('payments', 'unsettled_since = created_at')],
      ['a settlement that is due of nothing', () => change('payments', 'unsettled_due_at = created_at')],
    ],
    payments_payments_status_check: [['an unknown status', () => change('payments', `status = 'paid'`)]],
    payments_payments_money_check: [
      ['a payment of nothing', () => change('payments', 'amount_minor = 0')],
      ['authorized above the amount', () => change('payments', 'authorized_minor = 101')],
      ['captured above authorized', () => change('payments', 'authorized_minor = 90, captured_minor = 91')],
      [
        'refunds above captured',
        () => change('payments', 'authorized_minor = 100, captured_minor = 50, refunded_minor = 51'),
      ],
      [
        'refunds above captured, with those in flight',
        () =>
          change(
            'payments',
            'authorized_minor = 100, captured_minor = 50, refunded_minor = 30, refund_reserved_minor = 21',
          ),
      ],
      ['less than nothing refunded', () => change('payments', 'refunded_minor = -1')],
      ['less than nothing reserved', () => change('payments', 'refund_reserved_minor = -1')],
    ],
    payments_operations_key_key: [
      [
        'one key for two operations',
        () => insert('operations', operation({ idempotence_key: create['idempotence_key'] })),
      ],
    ],
    payments_operations_one_create_key: [
      ['a second create of a payment', () => insert('operations', operation({ kind: 'create' }))],
    ],
    payments_operations_one_finish_key: [
      [
        'a cancel beside a capture that is not sent yet',
        async () => {
          await insert('operations', operation());
          await insert('operations', operation({ kind: 'cancel' }));
        },
      ],
      [
        'a second capture beside one whose outcome is unknown',
        async () => {
          await insert('operations', operation({ outcome: 'unknown' }));
          await insert('operations', operation());
        },
      ],
    ],
    payments_operations_one_refund_key: [
      [
        'a second request for one refund',
        () => insert('operations', operation({ kind: 'refund', refund_id: returned['id'] })),
      ],
    ],
    payments_operations_refund_check: [
      ['a refund request that names no refund', () => insert('operations', operation({ kind: 'refund' }))],
      ['a capture that names a refund', () => insert('operations', operation({ refund_id: returned['id'] }))],
    ],
    payments_refunds_refund_key_key: [
      [
        'a second refund of a payment under one key',
        () => insert('refunds', refund({ refund_key: 'return-1' })),
      ],
    ],
    payments_refunds_service_id_key: [
      [
        'two refunds for one refund of the service',
        () => insert('refunds', refund({ service_id: 'refund-at-the-service' })),
      ],
    ],
    payments_refunds_amount_check: [
      ['a refund of nothing', () => insert('refunds', refund({ amount_minor: 0 }))],
    ],
    payments_refunds_receipt_check: [
      [
        'a refund with an unknown status of its receipt',
        () => insert('refunds', refund({ receipt_status: 'sent' })),
      ],
    ],
    payments_refunds_origin_check: [
      [
        'a refund with neither our key nor the id of the service',
        () => insert('refunds', refund({ refund_key: null })),
      ],
    ],
    payments_refunds_status_check: [['an unknown refund status', () => change('refunds', `status = 'paid'`)]],
    payments_receipts_receipt_key_key: [
      [
        'a second receipt of a payment under one key',
        () => insert('receipts', receipt({ receipt_key: 'handed over' })),
      ],
    ],
    payments_receipts_service_id_key: [
      [
        'two receipts for one of the service',
        () => insert('receipts', receipt({ service_id: 'receipt-at-the-service' })),
      ],
    ],
    payments_receipts_amount_check: [
      ['a receipt of nothing', () => insert('receipts', receipt({ amount_minor: 0 }))],
    ],
    payments_receipts_type_check: [
      ['a receipt of unknown type', () => insert('receipts', receipt({ type: 'gift' }))],
    ],
    payments_receipts_status_check: [
      ['an unknown status of a receipt', () => change('receipts', `status = 'paid'`)],
    ],
    payments_receipts_owed_check: [
      ['an owed receipt that says nothing', () => insert('receipts', receipt({ status: 'owed' }))],
      ['a receipt that was sent and is kept', () => insert('receipts', receipt({ body: '{}' }))],
    ],
    payments_receipt_problems_payment_key: [
      ['a second problem of a payment’s receipt', () => insert('receipt_problems', problem())],
    ],
    payments_receipt_problems_refund_key: [
      [
        'a second problem of a refund’s receipt',
        () => insert('receipt_problems', problem({ refund_id: returned['id'] })),
      ],
    ],
    payments_receipt_problems_receipt_key: [
      [
        'a second problem of a receipt of its own',
        () => insert('receipt_problems', problem({ receipt_id: handedOver['id'] })),
      ],
    ],
    payments_receipt_problems_status_check: [
      ['an unknown problem', () => change('receipt_problems', `status = 'lost'`)],
    ],
    payments_incidents_name_check: [
      ['an incident of another event', () => change('incidents', `name = 'payment.succeeded'`)],
    ],
    payments_operations_one_receipt_key: [
      [
        'a second request for a receipt',
        () => insert('operations', operation({ kind: 'receipt', receipt_id: handedOver['id'] })),
      ],
    ],
    payments_operations_receipt_check: [
      ['a receipt’s request that names none', () => insert('operations', operation({ kind: 'receipt' }))],
    ],
    payments_operations_personal_check: [
      [
        'contacts that are not marked',
        () => insert('operations', operation({ personal: '{}', outcome: 'refused' })),
      ],
    ],
    payments_operations_kind_check: [
      ['an operation of unknown kind', () => insert('operations', operation({ kind: 'charge' }))],
    ],
    payments_operations_outcome_check: [
      ['an unknown outcome', () => insert('operations', operation({ outcome: 'failed' }))],
    ],
    payments_notifications_object_key: [
      [
        'a second row for one notification',
        () => insert('notifications', { id: randomUUID(), ...notification }),
      ],
    ],
    payments_notifications_step_check: [
      ['a notification with an unknown handling', () => change('notifications', `step = 'forget'`)],
    ],
    payments_due_lane_check: [
      [
        'a payment in a lane that does not exist',
        () => insert('due', { payment_id: first['id'], store_id: store.id, lane: 'slow', ready_at: now }),
      ],
    ],
    payments_events_status_key: [['one change of status recorded twice', () => insert('events', event())]],
    payments_deliveries_pkey: [
      ['a second delivery of one event to one handler', async () => insert('deliveries', await delivery())],
    ],
  };

  const refusedWrites = Object.entries(refused).flatMap(([key, writes]) =>
    writes.map(([fact, write]) => ({ fact, key, write })),
  );
  it.each(refusedWrites)('$fact', async ({ key, write }) => {
    const error = await write().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error).toMatchObject({ constraint: key });
  });

  it('by no constraints other than these', async () => {
    const { rows } = await database.sql.query<{ name: string }>(
      `SELECT indexrelid::regclass::text AS name FROM pg_index
       WHERE indrelid::regclass::text LIKE 'payments\\_%' AND indisunique AND NOT (indisprimary AND indnatts = 1)
       UNION
       SELECT conname FROM pg_constraint WHERE conrelid::regclass::text LIKE 'payments\\_%' AND contype = 'c'`,
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(refused).toSorted());
  });

  it('nothing that is right: parts, replaced and ended payments, settled operations, repeated anomalies, refunds made outside', async () => {
    const anomaly = event({ name: 'payment.anomaly', to_status: null });
    await insert('payments', payment({ part: 'rest' }));
    await insert('payments', payment({ superseded_at: now }));
    await insert('payments', payment({ status: 'canceled' }));
    await insert('payments', payment({ status: 'waiting_for_capture', authorized_minor: 100 }));
    await insert('operations', operation({ outcome: 'refused' }));
    await insert('operations', operation({ outcome: 'confirmed' }));
    await insert('operations', operation());
    await insert('refunds', refund({ refund_key: null, service_id: 'made in the Merchant Profile' }));
    await insert('refunds', refund({ refund_key: null, service_id: 'another made there' }));
    await insert('events', anomaly);
    await expect(insert('events', anomaly)).resolves.toBeUndefined();
  });
});
