import { hash } from 'node:crypto';
import type { Guard } from './guards.js';
import { isUnsettled } from './operations.js';
import type { Caller, DatabaseRows, DeliveryRow, Reread, Sending, State, Worker, World } from './state.js';

/** Of a claim that another one has taken over, for good. */
const NOBODYS = -1;

/**
 * States that behave alike are one, so that the search ends: numbers that grow for ever and are only compared, what nobody asks
 * for any more, and processes that can only find out that they come too late. A guard that is taken out is left its subject. The
 * state is changed in place.
 */
export function normalise(world: World, state: State): void {
  const { without } = world;
  for (const worker of state.workers) {
    const { work } = worker;
    if (work?.of !== 'payment') continue;
    if (!without.has('attempt fence')) dropLate(state, work);
    const isIdle = work.sending === null && work.look === null;
    const isOthers = state.queue[work.payment]?.fence !== work.fence;
    if (isOthers && isIdle && !without.has('lease fence')) worker.work = null;
    if (work.isOffered || (isOthers && !without.has('lease fence'))) work.known = null;
  }
  if (!without.has('attempt fence')) for (const caller of state.callers) dropLate(state, caller);
  const rereads = state.workers.flatMap(({ work }): Reread[] => (work?.of === 'payment' ? [work] : []));
  const sendings = [...state.callers, ...rereads].flatMap(({ sending }) => (sending ? [sending] : []));
  for (const sending of sendings) {
    const { version } = state.order;
    if (sending.asRecorded && sending.asRecorded.order.version !== version && !without.has('version check'))
      sending.asRecorded = null;
    if (sending.at === 'claimed' && !sending.leased && !without.has('lease before request'))
      Object.assign(sending, { at: 'unknown', earlierUnknown: true });
  }
  forgetSenders(state);
  renumberRuns(state);
  if (!RUN_GUARDS.some((guard) => without.has(guard))) dropLateRuns(state);
  renumberVersions(state, rereads, sendings);
  dropIdleFinishes(state, rereads, sendings);
  renumberAttempts(state, rereads, sendings);
  renumberFences(state, rereads);
  forget(world, state, rereads, sendings);
}

/** Whatever the answer is, it settles nothing any more. */
function dropLate(state: State, process: { sending: Sending | null }): void {
  const { sending } = process;
  const row = sending && state.operations[sending.operation];
  if (!sending || sending.at === 'claimed') return;
  if (row && isUnsettled(row) && row.attempts === sending.attempts) return;
  for (const request of state.wire)
    if (
      request.operation === sending.operation &&
      request.attempts === sending.attempts &&
      request.key === sending.key
    )
      request.sender = null;
  process.sending = null;
}

/** Of two alike that nobody waits for, the second to arrive finds its key known. */
function forgetSenders(state: State): void {
  const keys = new Set<string>();
  for (const request of state.wire) if (request.sender === null) request.attempts = 0;
  state.wire = state.wire.filter(({ sender, key }) => {
    const isRepeat = sender === null && keys.has(key);
    if (sender === null) keys.add(key);
    return !isRepeat;
  });
  const effects = new Set<string>();
  state.asked = state.asked.filter(({ worker, key, mark }) => {
    const text = `${mark} ${key}`;
    const isRepeat = worker === null && effects.has(text);
    if (worker === null) effects.add(text);
    return !isRepeat;
  });
}

/** 0 is the present one; what is older never becomes it again. */
function renumberVersions({ order }: State, rereads: readonly Reread[], sendings: readonly Sending[]): void {
  const { version } = order;
  const known = [...rereads.map((reread) => reread.known), ...sendings.map(({ asRecorded }) => asRecorded)];
  for (const rows of known) if (rows) rows.order.version = rows.order.version === version ? 0 : -1;
  order.version = 0;
}

/** What keeps a run that comes too late from changing anything. */
const RUN_GUARDS: readonly Guard[] = [
  'mark before run',
  'effect with its mark',
  'effect recorded with its handler',
  'effect begun under its lease',
  'effect marked under its lease',
  'effect marked after its run',
];

/**
 * Whether a claim is that of its row now, and whether it is that of the row that a failover would bring back: by the row's place, twice,
 * or by the number after it.
 */
function renumberRuns({ deliveries, workers, remembered }: State): void {
  const older = remembered?.rows.deliveries ?? [];
  const claims = new Map<DeliveryRow, number | null>();
  for (const { work } of workers) {
    if (work?.of !== 'delivery') continue;
    const { delivery, fence } = work;
    const [row, before] = [deliveries[delivery], older[delivery]];
    const isNow = row?.fence === fence;
    const isBefore = before?.fence === fence;
    work.fence = isNow ? 2 * delivery : isBefore ? 2 * delivery + 1 : NOBODYS;
    if (row && isNow) claims.set(row, work.fence);
    if (before && isBefore) claims.set(before, work.fence);
  }
  for (const row of [...deliveries, ...older]) row.fence = claims.get(row) ?? null;
}

/** They find out that they come too late, and do nothing more. */
function dropLateRuns({ workers, asked }: State): void {
  for (const [index, worker] of workers.entries()) {
    const { work } = worker;
    if (work?.of !== 'delivery' || work.fence !== NOBODYS) continue;
    worker.work = null;
    for (const one of asked) if (one.worker === `worker ${index + 1}`) one.worker = null;
  }
}

/**
 * A capture or cancel that is over as without effect, and of which nobody knows any more: the next one may have its key. So a hold that is
 * let go again and again is one.
 */
function dropIdleFinishes(
  { operations, service, wire, remembered }: State,
  rereads: readonly Reread[],
  sendings: readonly Sending[],
): void {
  for (let last = operations.at(-1); last !== undefined; last = operations.at(-1)) {
    const { kind, outcome, key } = last;
    const index = operations.length - 1;
    const isIdle = outcome === 'refused' && (kind === 'cancel' || kind === 'capture');
    const isKnown =
      remembered !== null ||
      service.acted.includes(key) ||
      wire.some((one) => one.key === key) ||
      sendings.some(({ operation }) => operation === index) ||
      rereads.some(({ todo }) => todo.includes(index));
    if (!isIdle || isKnown) return;
    operations.pop();
  }
}

function renumberAttempts(
  { operations, wire }: State,
  rereads: readonly Reread[],
  sendings: readonly Sending[],
): void {
  for (const [index, row] of operations.entries()) {
    const { attempts } = row;
    if (attempts < 2) continue;
    const seen = [
      ...sendings.filter(({ operation }) => operation === index),
      ...wire.filter(({ operation, sender }) => operation === index && sender !== null),
      ...rereads.flatMap(({ look, listed }) => [
        ...(look?.operation === index ? [look] : []),
        ...(listed?.lost.filter(({ refund }) => refund === row.refund) ?? []),
        ...(listed?.receipts.filter(({ receipt }) => receipt === row.receipt) ?? []),
      ]),
    ];
    for (const one of seen) one.attempts = one.attempts === attempts ? 2 : 1;
    row.attempts = 2;
  }
}

function renumberFences(state: State, rereads: readonly Reread[]): void {
  const free = state.queue.length;
  for (const [payment, place] of state.queue.entries()) {
    for (const reread of rereads.filter((one) => one.payment === payment))
      reread.fence = place !== null && reread.fence === place.fence ? payment : -1;
    if (place !== null && place.fence !== null) place.fence = payment;
  }
  state.claims = free;
}

/** What is over is neither sent nor asked for its age. */
function forget(
  { without }: World,
  state: State,
  rereads: readonly Reread[],
  sendings: readonly Sending[],
): void {
  const { operations, service, wire } = state;
  const isFinishing = operations.some(
    (row) => isUnsettled(row) && (row.kind === 'capture' || row.kind === 'cancel'),
  );
  if (!isFinishing) for (const reread of rereads) reread.asked = 0;
  const isRead = rereads.every(({ asked }) => asked === 0);
  state.watched = state.watched.filter((one) => {
    const row = operations[one.operation];
    return row !== undefined && isUnsettled(row);
  });
  for (const row of operations) {
    if (!isUnsettled(row))
      Object.assign(row, {
        recorded: 3,
        firstSent: 3,
        lastSent: 3,
        // What the service has under that key is looked for, whenever it is.
        refusedBy: row.refusedBy === 'service_key_reused' ? row.refusedBy : null,
      });
    if (row.kind !== 'create') row.recorded = 3;
    // Twice twenty minutes differ from once only for a re-read that began in between.
    if (!isRead) continue;
    if (row.recorded === 2) row.recorded = 1;
    if (row.firstSent === 2) row.firstSent = 1;
    if (row.lastSent === 2) row.lastSent = 1;
  }
  // A key of something forgotten may be made once more.
  if (state.left.failovers > 0 || state.failedOver !== null || without.has('try number')) return;
  const mayCome = (key: string) =>
    wire.some((one) => one.key === key) || sendings.some((one) => one.key === key && one.at === 'claimed');
  service.answers = service.answers.filter(
    ({ key }) => operations.some((row) => row.key === key && isUnsettled(row)) || mayCome(key),
  );
}

/**
 * The canonical text of a state, shortened. Callers are alike, and so are workers: who does it makes no other state. It says nothing of the
 * faults that are left.
 */
export function textOf(state: State): string {
  const { service, wire, asked, remembered, failedOver, keysGone } = state;
  const processes = [
    ...state.callers.map((caller, index) => processText(state, `caller ${'AB'[index] ?? ''}`, caller)),
    ...state.workers.map((worker, index) => processText(state, `worker ${index + 1}`, worker)),
  ];
  const sent = wire.map(
    (one) => `${one.operation} ${one.key} ${one.attempts} ${one.sender !== null} ${lineOf(one.body)}`,
  );
  const outside = asked.map(({ key, mark, worker }) => `${mark} ${key} ${worker !== null}`);
  const text =
    databaseText(state) +
    lineOf({ ...state.left, faults: 0 }) +
    linesOf(service.payments) +
    linesOf(service.refunds) +
    linesOf(service.receipts) +
    linesOf(service.answers) +
    linesOf(state.effects) +
    linesOf(state.dropped) +
    linesOf(state.watched) +
    [service.acted, state.givenUp, state.finds, sorted(processes), sorted(sent), sorted(outside)].join(';') +
    `;${failedOver} ${keysGone} ${remembered?.isOld}` +
    (remembered === null ? '' : databaseText(remembered.rows));
  return hash('sha1', text, 'base64');
}

function databaseText(rows: DatabaseRows): string {
  return (
    lineOf(rows.order) +
    linesOf(rows.payments) +
    linesOf(rows.operations) +
    linesOf(rows.refunds) +
    linesOf(rows.receipts) +
    linesOf(rows.queue) +
    linesOf(rows.notifications) +
    linesOf(rows.deliveries) +
    lineOf(rows.mark) +
    `${rows.window} ${rows.missing.join()}`
  );
}

/** Most are of one at most. */
const sorted = (texts: string[]) => (texts.length > 1 ? texts.toSorted() : texts);

function linesOf(list: readonly (object | null)[]): string {
  let text = ';';
  for (const row of list) text += row === null ? '-' : lineOf(row);
  return text;
}

/** Of a row and of what is in it. */
function lineOf(row: object): string {
  const values: unknown[] = Object.values(row);
  let text = '{';
  for (const value of values) {
    text += typeof value === 'object' && value !== null ? lineOf(value) : String(value);
    text += ',';
  }
  return `${text}}`;
}

function processText({ wire, asked }: State, name: string, process: Caller | Worker): string {
  // As most are at any time.
  if ('work' in process && process.work === null) return 'idle';
  const heard = [
    ...wire.filter(({ sender }) => sender === name).map(({ operation, key }) => `${operation} ${key}`),
    ...asked.filter(({ worker }) => worker === name).map(({ key, mark }) => `${mark} ${key}`),
  ];
  return `${'work' in process ? 'worker' : 'caller'} ${lineOf(process)}${heard.join()}`;
}
