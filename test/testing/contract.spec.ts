import { PaymentsService, yookassaProfile } from '@holdfast/payments';
import {
  createTestPayments,
  FakePaymentsService,
  type FakePaymentsOptions,
  type TestPayments,
} from '@holdfast/payments/testing';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource, EntityManager } from 'typeorm';
import { closing } from '../support/still-running.js';
import { cases, casesWithReceipts, type Case, type Subject } from './contract.js';

/** The module itself, on a database, beside its twin. */
async function openModule(payments: Options): Promise<Subject> {
  const kit = await createTestPayments({ databaseUrl: process.env['TEST_SERVER_URL'], payments });
  closing(() => kit.close());
  const module = await Test.createTestingModule({ imports: [kit.module] }).compile();
  const app = await module.createNestApplication({ logger: false }).init();
  closing(() => app.close());
  return subjectOf(kit, app);
}

function subjectOf(kit: TestPayments, app: INestApplication): Subject {
  const { sandbox } = kit;
  return {
    payments: app.get(PaymentsService),
    async pay({ serviceId }) {
      sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      await kit.settled();
    },
    async decline({ serviceId }) {
      sandbox.payments.pay(serviceId ?? '', { outcome: 'decline' });
      await kit.settled();
    },
    async expire({ serviceId }) {
      const end = sandbox.payments.endsAt(serviceId ?? '');
      // In one leap: what is due on the way is the module's own matter.
      await sandbox.clock.advance((end?.getTime() ?? 0) - kit.clock.now().getTime() + 60_000);
      await kit.settled();
    },
    nextRefund: (course) => sandbox.refunds.next(course),
    async finishRefund({ serviceId }, outcome) {
      sandbox.refunds.finish(serviceId ?? '', outcome);
      // Nothing notifies of one that is canceled.
      await kit.clock.advance(3_600_000);
    },
    async within(work) {
      const result = await app.get(DataSource).transaction(work);
      await kit.settled();
      return result;
    },
  };
}

async function openFake(options: Options): Promise<Subject> {
  const payments = new FakePaymentsService(options);
  return {
    payments,
    pay: async ({ id }) => void payments.pay(id),
    decline: async ({ id }) => void payments.decline(id),
    expire: async ({ id }) => void payments.expire(id),
    nextRefund: (course) => payments.nextRefund(course),
    finishRefund: async ({ id }, outcome) => void payments.finishRefund(id, outcome),
    within: (work) => work(Object.create(EntityManager.prototype)),
  };
}

/** What both take, and for the twin a shop that is no demo: a demo takes cards and wallets alone. */
type Options = FakePaymentsOptions & { readonly shopId?: string };

const withReceipts: Options = {
  shopId: '500042',
  profile: yookassaProfile,
  fiscalization: { register: 'third_party' },
};

type Row = readonly [string, (options: Options) => Promise<Subject>, Options, readonly Case[]];

describe.each<Row>([
  ['the module', openModule, {}, cases],
  ['the fake', openFake, {}, cases],
  ['the module with receipts', openModule, withReceipts, casesWithReceipts],
  ['the fake with receipts', openFake, withReceipts, casesWithReceipts],
])('for a host of %s', (_name, open, options, all) => {
  let subject: Subject;

  beforeAll(async () => {
    subject = await open(options);
  });

  it.each(all.map((one, index) => [one.title, index, one] as const))(
    'sees that %s',
    async (_title, index, one) => {
      expect(await one.see(subject, `A-${index}`)).toEqual(one.seen);
    },
  );
});
