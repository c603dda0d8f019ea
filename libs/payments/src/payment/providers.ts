import type { Provider } from '@nestjs/common';
import { Ledger } from './ledger.js';
import { MarkedPayments } from './marked-payments.js';
import { PaymentReader } from './payment.reader.js';

export const paymentProviders: readonly Provider[] = [Ledger, MarkedPayments, PaymentReader];
