import { Injectable } from '@nestjs/common';
import { RefreshCalls } from '../calls/refresh-calls.js';
import { HoldLeaving } from './hold-leaving.js';
import { Incidents } from './incidents.js';
import { Notes } from './notes.js';
import { ParkedDeliveries } from './parked-deliveries.js';
import { ReceiptProblems } from './receipts/receipt-problems.js';
import { RefundAcceptance } from './refund-acceptance.js';

/** What a person does about what is wrong. */
@Injectable()
export class Remedies {
  constructor(
    readonly deliveries: ParkedDeliveries,
    readonly receipts: ReceiptProblems,
    readonly refunds: RefundAcceptance,
    readonly holds: HoldLeaving,
    readonly notes: Notes,
    readonly incidents: Incidents,
    readonly rereads: RefreshCalls,
  ) {}
}
