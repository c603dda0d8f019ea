import type { Bench } from './bench.js';
import { board } from './benches/board.js';
import { callsBench } from './benches/calls.js';
import { claim } from './benches/claim.js';
import { client } from './benches/client.js';
import { create } from './benches/create.js';
import { day } from './benches/day.js';
import { deliveries } from './benches/deliveries.js';
import { hang } from './benches/hang.js';
import { hostile } from './benches/hostile.js';
import { idle } from './benches/idle.js';
import { intake } from './benches/intake.js';
import { largeOrder } from './benches/large-order.js';
import { life } from './benches/life.js';
import { locked } from './benches/locked.js';
import { overdue } from './benches/overdue.js';
import { rereads } from './benches/rereads.js';
import { standby } from './benches/standby.js';
import { startup } from './benches/startup.js';
import { storm } from './benches/storm.js';

/** In the order of execution. */
export const benches: readonly Bench[] = [
  claim,
  callsBench,
  largeOrder,
  board,
  intake,
  rereads,
  deliveries,
  create,
  standby,
  life,
  client,
  idle,
  hang,
  locked,
  overdue,
  storm,
  hostile,
  startup,
  day,
];
