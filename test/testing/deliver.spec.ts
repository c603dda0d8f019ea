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
    expect(await deliver(app, anEvent('payment.rejected'))).toEqual({ handlers: [], effects: [] });
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
