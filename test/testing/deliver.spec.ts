import { OnPaymentEvent, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import { aPayment, anEvent, deliver, HandlerManagerMissingError } from '@holdfast/payments/testing';
import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

@Injectable()
class Shelf {
  readonly seen: string[] = [];

  @OnPaymentEvent('payment.succeeded', { id: 'shelf.ship' })
  ship({ payment }: PaymentEvent, { effectKey, attempt }: HandlerContext): void {
    this.seen.push(`${payment.orderReference} ${attempt} ${effectKey}`);
  }

  @OnPaymentEvent('payment.canceled', { id: 'shelf.release' })
  release({ payment }: PaymentEvent): void {
    this.seen.push(`release ${payment.orderReference}`);
  }
}

@Injectable()
class Ledger {
  @OnPaymentEvent('payment.succeeded', { id: 'ledger.book' })
  async book({ payment }: PaymentEvent, { manager, attempt }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO booked VALUES ($1)', [payment.orderReference]);
    if (attempt === 1) throw new Error('the ledger is closed');
  }
}

@Injectable()
class Thanks {
  @OnPaymentEvent('payment.succeeded', { id: 'thanks.paid' })
  async paid({ payment }: PaymentEvent, { effects, attempt }: HandlerContext): Promise<void> {
    await effects.record('thanks.mail', { to: payment.orderReference, cc: undefined });
    await effects.record('thanks.mail', { to: payment.orderReference });
    await effects.record('thanks.mail', { to: attempt === 1 ? 'staff' : '' }, { key: 'staff' });
    if (attempt === 3) await effects.record('thanks.mail', { to: 'nobody' });
    if (attempt === 4) await effects.record('thanks.mail', { at: new Date() });
  }
}

const paid = anEvent('payment.succeeded', { payment: aPayment({ orderReference: 'A-1' }) });

describe('a delivery in a unit test', () => {
  it("runs the handlers of its event, found in the application's providers, and no others", async () => {
    const app = await Test.createTestingModule({ providers: [Shelf] }).compile();
    expect((await deliver(app, paid)).handlers).toEqual(['shelf.ship']);
    expect((await deliver(app, paid, { attempt: 2 })).handlers).toEqual(['shelf.ship']);
    const [first, second] = app.get(Shelf).seen;
    expect(first).toMatch(/^A-1 1 shelf\.ship\/\S+$/);
    // The key is the same for each run of the same event.
    expect(second).toBe(first?.replace('A-1 1 ', 'A-1 2 '));
  });

  it('fails where no handler is marked with its event, and names those that there are', async () => {
    const app = await Test.createTestingModule({ providers: [Shelf] }).compile();
    await expect(deliver(app, anEvent('payment.rejected'))).rejects.toMatchObject({
      code: 'no_handler',
      event: 'payment.rejected',
      others: ['shelf.ship (payment.succeeded)', 'shelf.release (payment.canceled)'],
    });
    const empty = await Test.createTestingModule({}).compile();
    await expect(deliver(empty, paid)).rejects.toThrow('There is no handler at all.');
  });

  it('has what its handlers recorded to be done outside the database, by the rules of the module', async () => {
    const app = await Test.createTestingModule({ providers: [Shelf, Thanks] }).compile();
    const { handlers, effects } = await deliver(app, paid);
    expect(handlers).toEqual(['shelf.ship', 'thanks.paid']);
    const effectKey: unknown = expect.stringMatching(/^thanks\.mail\/[\w-]{43}$/);
    expect(effects).toEqual([
      { id: 'thanks.mail', data: { to: 'A-1' }, effectKey },
      { id: 'thanks.mail', data: { to: 'staff' }, effectKey },
    ]);
    const again = await deliver(app, paid, { attempt: 2 });
    const keys = [effects, again.effects].map((all) => all.map((effect) => effect.effectKey));
    expect(keys[1]).toEqual(keys[0]);
    expect(new Set(keys[0]).size).toBe(2);
    await expect(deliver(app, paid, { attempt: 3 })).rejects.toMatchObject({ field: 'options.key' });
    await expect(deliver(app, paid, { attempt: 4 })).rejects.toMatchObject({ field: 'data.at' });
  });

  it('without a database says so to a handler that writes', async () => {
    const app = await Test.createTestingModule({ providers: [Ledger, Shelf] }).compile();
    await expect(deliver(app, paid)).rejects.toThrow(HandlerManagerMissingError);
    // One that fails keeps no other from its run.
    expect(app.get(Shelf).seen).toHaveLength(1);
  });

  describe('with a database', () => {
    let database: TestDatabase;
    let dataSource: DataSource;

    beforeAll(async () => {
      database = await createTestDatabase();
      await database.asOwner('CREATE TABLE booked (reference text)');
      dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    });

    afterAll(async () => {
      await dataSource.destroy();
      await database.drop();
    });

    it('is one transaction, which a handler that throws rolls back', async () => {
      const app = await Test.createTestingModule({
        providers: [Ledger, { provide: getDataSourceToken(), useValue: dataSource }],
      }).compile();
      await expect(deliver(app, paid)).rejects.toThrow('the ledger is closed');
      expect(await database.asOwner('SELECT * FROM booked')).toEqual([]);
      await deliver(app, paid, { attempt: 2 });
      expect(await database.asOwner('SELECT * FROM booked')).toEqual([{ reference: 'A-1' }]);
    });
  });
});
