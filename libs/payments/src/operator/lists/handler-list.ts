import { useIndexes } from '../../database/by-index.js';
import type { Database } from '../../database/database.js';
import { EFFECT_EVENT } from '../../handlers/effect-event.js';
import type { HandlerRegistry } from '../../handlers/handler.registry.js';
import { PaymentsDeliveryEntity } from '../../schema/delivery.entity.js';
import { PaymentsHandlerEntity } from '../../schema/handler.entity.js';
import { hasFailed } from '../failed-deliveries.js';
import type { Counted } from '../search/payment-search.js';

/** A handler or an effect's method that some process has registered, and what waits for it. */
export interface HandlerState {
  readonly id: string;
  /** The event that it handles; null for an effect's method. */
  readonly event: string | null;
  readonly registeredAt: Date;
  /** When an operator retired it; null: it gets deliveries. */
  readonly retiredAt: Date | null;
  /** Who that was; null: it gets deliveries. */
  readonly retiredBy: string | null;
  /** Whether this very process has it: the deliveries of one that no process has wait for ever. */
  readonly isHere: boolean;
  /** Deliveries that were not run yet. */
  readonly waiting: Counted;
  /** Deliveries that have failed and will be run again. */
  readonly failing: Counted;
  /** Deliveries that were given up. */
  readonly parked: Counted;
}

type Row = Omit<HandlerState, 'isHere'>;

const COUNTED = 1_000;

/** Reads which handlers there are: as many as the code has, and had. */
export async function handlerStates(database: Database, registry: HandlerRegistry): Promise<HandlerState[]> {
  const rows = await database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<Row[]>(
      `SELECT handler.id, NULLIF(handler.event, '${EFFECT_EVENT}') AS event, handler.registered_at AS "registeredAt",
           handler.retired_at AS "retiredAt", handler.retired_by AS "retiredBy",
           ${counted(database, 'open.parked_at IS NULL AND attempts = 0')} AS "waiting",
           ${counted(database, `open.parked_at IS NULL AND attempts > 0 AND ${hasFailed('open')}`)} AS "failing",
           ${counted(database, 'open.parked_at IS NOT NULL')} AS "parked"
         FROM ${database.table(PaymentsHandlerEntity)} handler ORDER BY handler.id`,
    );
  });
  const here = new Set(registry.ids);
  return rows.map((row) => ({ ...row, isHere: here.has(row.id) }));
}

function counted(database: Database, condition: string): string {
  return `(SELECT json_build_object('count', LEAST(count(*), ${COUNTED}), 'more', count(*) > ${COUNTED}) FROM (
      SELECT FROM ${database.table(PaymentsDeliveryEntity)} open
      WHERE open.handler_id = handler.id AND open.done_at IS NULL AND ${condition} LIMIT ${COUNTED + 1}
    ) part)`;
}
