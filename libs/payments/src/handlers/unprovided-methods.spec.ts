import { markedMethods } from './marked-methods.js';
import { OnPaymentEvent } from './on-payment-event.js';
import { unprovidedMethods } from './unprovided-methods.js';

class Shipping {
  @OnPaymentEvent('payment.succeeded', { id: 'shop.ship' })
  ship(): void {}
}
class ExpressShipping extends Shipping {
  override ship(): void {}
}
class Mailing {
  @OnPaymentEvent('payment.canceled', { id: 'shop.mail' })
  mail(): void {}

  @OnPaymentEvent('payment.canceled', { id: 'shop.count' })
  static count(): void {}
}

describe('a marked method is of no provider', () => {
  it.each<[string, object[], string[]]>([
    [
      'where there is none',
      [],
      ["Shipping.ship ('shop.ship')", "Mailing.mail ('shop.mail')", "static Mailing.count ('shop.count')"],
    ],
    [
      'where it is static',
      [new Shipping(), new Mailing(), Object.create(null)],
      ["static Mailing.count ('shop.count')"],
    ],
    [
      'where no class inherits it',
      [new ExpressShipping()],
      ["Mailing.mail ('shop.mail')", "static Mailing.count ('shop.count')"],
    ],
  ])('%s', (_where, instances, expected) => {
    expect(unprovidedMethods(markedMethods, instances).toSorted()).toEqual(expected.toSorted());
  });
});
