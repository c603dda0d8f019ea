import { OnPaymentEffect, type EffectContext } from '@holdfast/payments';
import { Inject, Injectable } from '@nestjs/common';
import type { Transporter } from 'nodemailer';

interface Paid {
  readonly to: string;
  readonly orderReference: string;
}

/** `MAILER` is what nodemailer's createTransport() returns. */
@Injectable()
export class Mails {
  constructor(@Inject('MAILER') private readonly mailer: Transporter) {}

  @OnPaymentEffect('mails.order-paid')
  async orderPaid({ to, orderReference }: Paid, { effectKey }: EffectContext) {
    await this.mailer.sendMail({
      messageId: `<${effectKey}@shop.example>`,
      from: 'shop@shop.example',
      to,
      subject: `Order ${orderReference} is paid`,
      text: 'Thank you!',
    });
  }
}
