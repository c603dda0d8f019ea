import { Logger } from '@nestjs/common';

/** Said once, at start, wherever card data may be sent from. */
export function warnOfCardData(): void {
  new Logger('Payments').warn(
    'Card data is enabled: card numbers pass through this process. That takes a PCI DSS compliance certificate ' +
      '(self-assessment questionnaire SAQ D) and covers everything they pass through: the page, proxies, logs, dumps. ' +
      "Without it, leave cardData out and let buyers enter their cards on the service's page.",
  );
}
