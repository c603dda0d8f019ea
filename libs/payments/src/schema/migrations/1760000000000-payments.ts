import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOf } from '../data-source-of.js';
import { schemaPrefix } from '../quoted.js';

/** Of a small table whose rows change all the time: room for new versions on the page, and a vacuum that does not wait for a fifth of it. */
const ofQueue =
  'fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0';

/** The module's own tables, in the schema of the host's data source. */
export class Payments1760000000000 implements MigrationInterface {
  readonly name = 'Payments1760000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    await queryRunner.query(`CREATE TABLE ${at}"payments_stores" (
        "id" uuid NOT NULL,
        "account_id" text NOT NULL,
        "kind" text NOT NULL,
        "encrypted_token" text,
        "status" text NOT NULL DEFAULT 'connected',
        "webhook_key" text,
        "owner_ref" text,
        "connected_at" TIMESTAMP WITH TIME ZONE,
        "token_expires_at" TIMESTAMP WITH TIME ZONE,
        "expiry_announced_at" TIMESTAMP WITH TIME ZONE,
        "name" text,
        "enabled" boolean,
        "payment_methods" jsonb,
        "fiscalization_enabled" boolean,
        "fiscalization_provider" text,
        "maintenance_at" TIMESTAMP WITH TIME ZONE,
        "maintenance_lease_until" TIMESTAMP WITH TIME ZONE,
        "maintenance_fence" integer NOT NULL DEFAULT '0',
        "test" boolean,
        "refunds_seen_to" TIMESTAMP WITH TIME ZONE,
        "refund_watch_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        "refund_watch_lease_until" TIMESTAMP WITH TIME ZONE,
        "retention_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        "retention_lease_until" TIMESTAMP WITH TIME ZONE,
        "unannounced_changes" integer NOT NULL DEFAULT '0',
        "unannounced_since" TIMESTAMP WITH TIME ZONE,
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "payments_stores_account_key" UNIQUE ("account_id"),
        CONSTRAINT "payments_stores_webhook_key_key" UNIQUE ("webhook_key"),
        CONSTRAINT "payments_stores_kind_check" CHECK ("kind" = 'own' OR "kind" = 'connected' AND "webhook_key" IS NOT NULL),
        CONSTRAINT "payments_stores_status_check" CHECK ("status" IN ('connected', 'needs_reconnect', 'disconnected')),
        CONSTRAINT "payments_stores_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "payments_stores_own_key" ON ${at}"payments_stores" ("kind") WHERE "kind" = 'own'`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_stores_maintenance_idx" ON ${at}"payments_stores" ("maintenance_at") WHERE "maintenance_at" IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_stores_refund_watch_idx" ON ${at}"payments_stores" ("refund_watch_at") WHERE "status" = 'connected'`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_stores_retention_idx" ON ${at}"payments_stores" ("retention_at")`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_stores_left_idx" ON ${at}"payments_stores" ("id") WHERE "status" <> 'connected'`,
    );
    await queryRunner.query(`CREATE TABLE ${at}"payments_rate_limits" (
        "store_id" uuid NOT NULL,
        "spent_to" TIMESTAMP WITH TIME ZONE NOT NULL,
        CONSTRAINT "payments_rate_limits_pkey" PRIMARY KEY ("store_id")
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`CREATE TABLE ${at}"payments_commit_mark" (
        "id" integer NOT NULL DEFAULT '1',
        "epoch" uuid NOT NULL,
        "epoch_number" integer NOT NULL,
        "counter" bigint NOT NULL,
        "beat_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "reached_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "system_identifier" text,
        "timeline" text,
        "store_seed" uuid NOT NULL,
        CONSTRAINT "payments_commit_mark_one_check" CHECK ("id" = 1),
        CONSTRAINT "payments_commit_mark_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(`CREATE TABLE ${at}"payments_recoveries" (
        "id" uuid NOT NULL,
        "store_id" uuid NOT NULL,
        "epoch" uuid,
        "from_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "to_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "reason" text NOT NULL,
        "started_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "first_read_at" TIMESTAMP WITH TIME ZONE,
        "done_at" TIMESTAMP WITH TIME ZONE,
        "listing" text NOT NULL DEFAULT 'payments',
        "cursor" text,
        "payments_adopted" integer NOT NULL DEFAULT '0',
        "payments_with_refunds" integer NOT NULL DEFAULT '0',
        "error" text,
        "lease_until" TIMESTAMP WITH TIME ZONE,
        "fence" integer NOT NULL DEFAULT '0',
        CONSTRAINT "payments_recoveries_reason_check" CHECK ("reason" IN ('commits_lost', 'server_changed', 'timeline_changed', 'silence', 'in_flight', 'requested')),
        CONSTRAINT "payments_recoveries_listing_check" CHECK ("listing" IN ('payments', 'refunds', 'receipts')),
        CONSTRAINT "payments_recoveries_period_check" CHECK ("from_at" <= "to_at"),
        CONSTRAINT "payments_recoveries_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(
      `CREATE INDEX "payments_recoveries_open_idx" ON ${at}"payments_recoveries" ("store_id", "started_at") WHERE "done_at" IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_recoveries_waiting_idx" ON ${at}"payments_recoveries" ("started_at") WHERE "done_at" IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_recoveries_started_idx" ON ${at}"payments_recoveries" ("started_at", "id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_recoveries_unread_idx" ON ${at}"payments_recoveries" ("store_id", "started_at") WHERE "done_at" IS NOT NULL AND "error" IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "payments_recoveries_epoch_key" ON ${at}"payments_recoveries" ("store_id", "epoch")`,
    );
    await queryRunner.query(`CREATE TABLE ${at}"payments_oauth_states" (
        "state_hash" text NOT NULL,
        "owner_ref" text NOT NULL,
        "return_to" text NOT NULL,
        "restarted" boolean NOT NULL DEFAULT false,
        "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "used_at" TIMESTAMP WITH TIME ZONE,
        "code_hash" text,
        "outcome" text,
        "store_id" uuid,
        CONSTRAINT "payments_oauth_states_code_key" UNIQUE ("code_hash"),
        CONSTRAINT "payments_oauth_states_pkey" PRIMARY KEY ("state_hash")
      )`);
    await queryRunner.query(
      `CREATE INDEX "payments_oauth_states_expires_idx" ON ${at}"payments_oauth_states" ("expires_at")`,
    );
    await queryRunner.query(`CREATE TABLE ${at}"payments_orders" (
        "id" uuid NOT NULL,
        "store_id" uuid NOT NULL,
        "reference" text NOT NULL,
        "currency" text NOT NULL,
        "total_due_minor" bigint NOT NULL,
        "paid_minor" bigint NOT NULL DEFAULT '0',
        "held_minor" bigint NOT NULL DEFAULT '0',
        "refunded_minor" bigint NOT NULL DEFAULT '0',
        "state" text NOT NULL DEFAULT 'unpaid',
        "version" integer NOT NULL DEFAULT '0',
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        CONSTRAINT "payments_orders_reference_key" UNIQUE ("store_id", "reference"),
        CONSTRAINT "payments_orders_amounts_check" CHECK ("total_due_minor" > 0 AND "paid_minor" >= 0 AND "held_minor" >= 0 AND "refunded_minor" >= 0),
        CONSTRAINT "payments_orders_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(`CREATE TABLE ${at}"payments_payments" (
        "id" uuid NOT NULL,
        "store_id" uuid NOT NULL,
        "order_id" uuid NOT NULL,
        "service_id" text,
        "status" text NOT NULL,
        "currency" text NOT NULL,
        "amount_minor" bigint NOT NULL,
        "authorized_minor" bigint NOT NULL DEFAULT '0',
        "captured_minor" bigint NOT NULL DEFAULT '0',
        "refunded_minor" bigint NOT NULL DEFAULT '0',
        "refund_reserved_minor" bigint NOT NULL DEFAULT '0',
        "capture" boolean NOT NULL,
        "method" text,
        "payment_method_id" text,
        "card_data" boolean NOT NULL DEFAULT false,
        "description" text,
        "metadata" jsonb NOT NULL DEFAULT '{}',
        "part" text NOT NULL DEFAULT '',
        "try_number" integer NOT NULL DEFAULT 1,
        "intent_key" text NOT NULL,
        "superseded_at" TIMESTAMP WITH TIME ZONE,
        "confirmation" jsonb,
        "test" boolean,
        "hold_expires_at" TIMESTAMP WITH TIME ZONE,
        "hold_policy" text,
        "hold_due_at" TIMESTAMP WITH TIME ZONE,
        "hold_tries" integer NOT NULL DEFAULT '0',
        "cancellation" jsonb,
        "card_last4" text,
        "receipt_status" text,
        "receipts_after" boolean NOT NULL DEFAULT false,
        "receipt_digest" text,
        "prepaid_minor" bigint NOT NULL DEFAULT '0',
        "unsettled_minor" bigint NOT NULL DEFAULT '0',
        "unsettled_since" TIMESTAMP WITH TIME ZONE,
        "unsettled_due_at" TIMESTAMP WITH TIME ZONE,
        "object" jsonb,
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        CONSTRAINT "payments_payments_service_id_key" UNIQUE ("store_id", "service_id"),
        CONSTRAINT "payments_payments_status_check" CHECK ("status" IN ('submitting', 'rejected', 'pending', 'waiting_for_capture', 'succeeded', 'canceled')),
        CONSTRAINT "payments_payments_hold_policy_check" CHECK ("hold_policy" IN ('capture', 'cancel', 'flag')),
        CONSTRAINT "payments_payments_receipt_check" CHECK ("receipt_status" IN ('pending', 'succeeded', 'canceled')),
        CONSTRAINT "payments_payments_money_check" CHECK ("amount_minor" > 0 AND "refunded_minor" >= 0 AND "refund_reserved_minor" >= 0 AND "refunded_minor" + "refund_reserved_minor" <= "captured_minor" AND "captured_minor" <= "authorized_minor" AND "authorized_minor" <= "amount_minor"),
        CONSTRAINT "payments_payments_prepaid_check" CHECK ("prepaid_minor" BETWEEN 0 AND "amount_minor" AND "unsettled_minor" BETWEEN 0 AND "captured_minor" AND ("unsettled_since" IS NULL) = ("unsettled_minor" = 0) AND ("unsettled_due_at" IS NULL OR "unsettled_since" IS NOT NULL)),
        CONSTRAINT "payments_payments_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(
      `CREATE INDEX "payments_payments_created_idx" ON ${at}"payments_payments" ("store_id", "created_at")`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_payments_card_idx" ON ${at}"payments_payments" ("store_id", "card_last4", "created_at") WHERE "card_last4" IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_payments_holds_idx" ON ${at}"payments_payments" ("store_id", "hold_due_at") WHERE "status" = 'waiting_for_capture' AND "hold_tries" = 0`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_payments_flagged_idx" ON ${at}"payments_payments" ("store_id", "updated_at") WHERE "status" = 'waiting_for_capture' AND "hold_due_at" IS NULL AND "hold_tries" > 0`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_payments_unsettled_idx" ON ${at}"payments_payments" ("store_id", "unsettled_since", "id") WHERE "unsettled_since" IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_payments_untold_idx" ON ${at}"payments_payments" ("unsettled_due_at", "id") WHERE "unsettled_due_at" IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_payments_order_idx" ON ${at}"payments_payments" ("order_id")`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "payments_payments_one_open_key" ON ${at}"payments_payments" ("order_id", "part") WHERE "status" IN ('submitting', 'pending') AND "superseded_at" IS NULL`,
    );
    await queryRunner.query(`CREATE TABLE ${at}"payments_due" (
        "payment_id" uuid NOT NULL,
        "store_id" uuid NOT NULL,
        "ready_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "wanted_at" TIMESTAMP WITH TIME ZONE,
        "lane" text NOT NULL DEFAULT 'polls',
        "checks" integer NOT NULL DEFAULT '0',
        "refund_signals" integer NOT NULL DEFAULT '0',
        "lease_until" TIMESTAMP WITH TIME ZONE,
        "fence" uuid,
        "rest_until" TIMESTAMP WITH TIME ZONE,
        CONSTRAINT "payments_due_lane_check" CHECK ("lane" IN ('notified', 'polls', 'failing')),
        CONSTRAINT "payments_due_pkey" PRIMARY KEY ("payment_id")
      ) WITH (${ofQueue})`);
    await queryRunner.query(
      `CREATE INDEX "payments_due_ready_idx" ON ${at}"payments_due" ("store_id", "lane", "ready_at")`,
    );
    await queryRunner.query(`CREATE TABLE ${at}"payments_refunds" (
        "id" uuid NOT NULL,
        "store_id" uuid NOT NULL,
        "payment_id" uuid NOT NULL,
        "refund_key" text,
        "service_id" text,
        "status" text NOT NULL,
        "amount_minor" bigint NOT NULL,
        "currency" text NOT NULL,
        "whole" boolean NOT NULL DEFAULT false,
        "description" text,
        "receipt_digest" text,
        "metadata" jsonb NOT NULL DEFAULT '{}',
        "cancellation" jsonb,
        "receipt_status" text,
        "object" json,
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        CONSTRAINT "payments_refunds_refund_key_key" UNIQUE ("payment_id", "refund_key"),
        CONSTRAINT "payments_refunds_service_id_key" UNIQUE ("store_id", "service_id"),
        CONSTRAINT "payments_refunds_amount_check" CHECK ("amount_minor" > 0),
        CONSTRAINT "payments_refunds_status_check" CHECK ("status" IN ('submitting', 'rejected', 'pending', 'succeeded', 'canceled')),
        CONSTRAINT "payments_refunds_receipt_check" CHECK ("receipt_status" IN ('pending', 'succeeded', 'canceled')),
        CONSTRAINT "payments_refunds_origin_check" CHECK ("refund_key" IS NOT NULL OR "service_id" IS NOT NULL),
        CONSTRAINT "payments_refunds_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(
      `CREATE INDEX "payments_refunds_created_idx" ON ${at}"payments_refunds" ("store_id", "created_at")`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_refunds_open_idx" ON ${at}"payments_refunds" ("payment_id") WHERE "status" IN ('submitting', 'pending') OR "receipt_status" = 'pending'`,
    );
    await queryRunner.query(`CREATE TABLE ${at}"payments_receipts" (
        "id" uuid NOT NULL,
        "store_id" uuid NOT NULL,
        "payment_id" uuid NOT NULL,
        "refund_id" uuid,
        "receipt_key" text NOT NULL,
        "asked_digest" text,
        "type" text NOT NULL,
        "status" text NOT NULL,
        "amount_minor" bigint NOT NULL,
        "currency" text NOT NULL,
        "body" text,
        "personal" text,
        "service_id" text,
        "object" json,
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        CONSTRAINT "payments_receipts_receipt_key_key" UNIQUE ("payment_id", "receipt_key"),
        CONSTRAINT "payments_receipts_service_id_key" UNIQUE ("store_id", "service_id"),
        CONSTRAINT "payments_receipts_amount_check" CHECK ("amount_minor" > 0),
        CONSTRAINT "payments_receipts_type_check" CHECK ("type" IN ('payment', 'refund')),
        CONSTRAINT "payments_receipts_status_check" CHECK ("status" IN ('owed', 'void', 'submitting', 'rejected', 'pending', 'succeeded', 'canceled')),
        CONSTRAINT "payments_receipts_owed_check" CHECK (("status" = 'owed') = ("body" IS NOT NULL)),
        CONSTRAINT "payments_receipts_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(
      `CREATE INDEX "payments_receipts_created_idx" ON ${at}"payments_receipts" ("store_id", "created_at")`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_receipts_open_idx" ON ${at}"payments_receipts" ("payment_id") WHERE "status" IN ('submitting', 'pending')`,
    );
    await queryRunner.query(`CREATE TABLE ${at}"payments_receipt_problems" (
        "id" uuid NOT NULL,
        "store_id" uuid NOT NULL,
        "payment_id" uuid NOT NULL,
        "refund_id" uuid,
        "receipt_id" uuid,
        "status" text NOT NULL,
        "is_open" boolean NOT NULL,
        "since" TIMESTAMP WITH TIME ZONE NOT NULL,
        "resolution" jsonb,
        CONSTRAINT "payments_receipt_problems_status_check" CHECK ("status" IN ('missing', 'pending', 'succeeded', 'canceled')),
        CONSTRAINT "payments_receipt_problems_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "payments_receipt_problems_payment_key" ON ${at}"payments_receipt_problems" ("payment_id") WHERE "refund_id" IS NULL AND "receipt_id" IS NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "payments_receipt_problems_refund_key" ON ${at}"payments_receipt_problems" ("refund_id") WHERE "refund_id" IS NOT NULL AND "receipt_id" IS NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "payments_receipt_problems_receipt_key" ON ${at}"payments_receipt_problems" ("receipt_id") WHERE "receipt_id" IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_receipt_problems_payment_idx" ON ${at}"payments_receipt_problems" ("payment_id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_receipt_problems_open_idx" ON ${at}"payments_receipt_problems" ("store_id", "since") WHERE "is_open"`,
    );
    await queryRunner.query(`CREATE TABLE ${at}"payments_events" (
        "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
        "store_id" uuid NOT NULL,
        "subject_type" text NOT NULL,
        "subject_id" text NOT NULL,
        "payment_id" uuid,
        "name" text NOT NULL,
        "from_status" text,
        "to_status" text,
        "cause" text NOT NULL,
        "evidence" jsonb NOT NULL,
        "object" json,
        "created_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        CONSTRAINT "payments_events_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(
      `CREATE INDEX "payments_events_payment_idx" ON ${at}"payments_events" ("payment_id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_events_retention_idx" ON ${at}"payments_events" ("store_id", "id") WHERE "payment_id" IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "payments_events_status_key" ON ${at}"payments_events" ("subject_type", "subject_id", "name") WHERE "to_status" IS NOT NULL`,
    );
    await queryRunner.query(`CREATE TABLE ${at}"payments_handlers" (
        "id" text NOT NULL,
        "event" text NOT NULL,
        "registered_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
        "retired_at" TIMESTAMP WITH TIME ZONE,
        CONSTRAINT "payments_handlers_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(`CREATE TABLE ${at}"payments_deliveries" (
        "event_id" bigint NOT NULL,
        "handler_id" text NOT NULL,
        "store_id" uuid NOT NULL,
        "sequence" text NOT NULL,
        "attempts" integer NOT NULL DEFAULT '0',
        "next_attempt_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "next_event_id" bigint,
        "lease_until" TIMESTAMP WITH TIME ZONE,
        "last_error" text,
        "done_at" TIMESTAMP WITH TIME ZONE,
        "parked_at" TIMESTAMP WITH TIME ZONE,
        "data" json,
        CONSTRAINT "payments_deliveries_pkey" PRIMARY KEY ("event_id", "handler_id")
      )`);
    await queryRunner.query(
      `CREATE INDEX "payments_deliveries_order_idx" ON ${at}"payments_deliveries" ("handler_id", "sequence", "event_id") WHERE "done_at" IS NULL AND "parked_at" IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_deliveries_parked_idx" ON ${at}"payments_deliveries" ("handler_id", "parked_at", "event_id") WHERE "done_at" IS NULL AND "parked_at" IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_deliveries_tried_idx" ON ${at}"payments_deliveries" ("handler_id", "store_id", "next_attempt_at") WHERE "done_at" IS NULL AND "parked_at" IS NULL AND "attempts" > 0`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_deliveries_fresh_idx" ON ${at}"payments_deliveries" ("handler_id", "store_id", "next_attempt_at") WHERE "done_at" IS NULL AND "parked_at" IS NULL AND "attempts" = 0`,
    );
    await queryRunner.query(`CREATE TABLE ${at}"payments_notifications" (
        "id" uuid NOT NULL,
        "store_id" uuid NOT NULL,
        "event" text NOT NULL,
        "object_type" text NOT NULL,
        "object_id" text NOT NULL,
        "body" text NOT NULL,
        "sender_address" text NOT NULL,
        "first_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "last_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "count" integer NOT NULL DEFAULT '1',
        "handled_count" integer NOT NULL DEFAULT '0',
        "waiting_since" TIMESTAMP WITH TIME ZONE,
        "step" text NOT NULL,
        "ready_at" TIMESTAMP WITH TIME ZONE,
        "foreign_at" TIMESTAMP WITH TIME ZONE,
        "is_known" boolean NOT NULL DEFAULT false,
        "attempts" integer NOT NULL DEFAULT '0',
        "lease_until" TIMESTAMP WITH TIME ZONE,
        "fence" integer NOT NULL DEFAULT '0',
        CONSTRAINT "payments_notifications_object_key" UNIQUE ("store_id", "object_id", "event"),
        CONSTRAINT "payments_notifications_step_check" CHECK ("step" IN ('hand_over', 'look_up', 're_read', 're_read_again')),
        CONSTRAINT "payments_notifications_pkey" PRIMARY KEY ("id")
      ) WITH (fillfactor = 80)`);
    await queryRunner.query(
      `CREATE INDEX "payments_notifications_ready_idx" ON ${at}"payments_notifications" ("step", "store_id", "ready_at") WHERE "ready_at" IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_notifications_waiting_idx" ON ${at}"payments_notifications" ("store_id", "waiting_since") WHERE "waiting_since" IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_notifications_over_idx" ON ${at}"payments_notifications" ("store_id", "first_at", "id") WHERE "waiting_since" IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_notifications_foreign_idx" ON ${at}"payments_notifications" ("store_id", "is_known", "foreign_at") WHERE "foreign_at" IS NOT NULL`,
    );
    await queryRunner.query(`CREATE TABLE ${at}"payments_operations" (
        "id" uuid NOT NULL,
        "store_id" uuid NOT NULL,
        "payment_id" uuid NOT NULL,
        "refund_id" uuid,
        "receipt_id" uuid,
        "kind" text NOT NULL,
        "idempotence_key" text NOT NULL,
        "body" text NOT NULL,
        "personal" text,
        "has_personal" boolean NOT NULL DEFAULT false,
        "resendable" boolean NOT NULL DEFAULT true,
        "fingerprint" text NOT NULL,
        "outcome" text,
        "attempts" integer NOT NULL DEFAULT '0',
        "lease_until" TIMESTAMP WITH TIME ZONE,
        "recorded_at" TIMESTAMP WITH TIME ZONE NOT NULL,
        "first_sent_at" TIMESTAMP WITH TIME ZONE,
        "last_sent_at" TIMESTAMP WITH TIME ZONE,
        "settled_at" TIMESTAMP WITH TIME ZONE,
        "last_error" jsonb,
        CONSTRAINT "payments_operations_key_key" UNIQUE ("store_id", "idempotence_key"),
        CONSTRAINT "payments_operations_personal_check" CHECK ("has_personal" OR "personal" IS NULL),
        CONSTRAINT "payments_operations_outcome_check" CHECK ("outcome" IN ('unknown', 'confirmed', 'refused')),
        CONSTRAINT "payments_operations_kind_check" CHECK ("kind" IN ('create', 'capture', 'cancel', 'refund', 'receipt')),
        CONSTRAINT "payments_operations_receipt_check" CHECK (("kind" = 'receipt') = ("receipt_id" IS NOT NULL)),
        CONSTRAINT "payments_operations_refund_check" CHECK (("kind" = 'refund') = ("refund_id" IS NOT NULL)),
        CONSTRAINT "payments_operations_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query(
      `CREATE INDEX "payments_operations_payment_idx" ON ${at}"payments_operations" ("payment_id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_operations_unsettled_idx" ON ${at}"payments_operations" ("store_id", "recorded_at") WHERE "outcome" IS NULL OR "outcome" = 'unknown'`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_operations_personal_idx" ON ${at}"payments_operations" ("store_id", "id") WHERE "has_personal"`,
    );
    await queryRunner.query(
      `CREATE INDEX "payments_operations_stamps_idx" ON ${at}"payments_operations" ("store_id", "first_sent_at") WHERE "kind" = 'create' AND "outcome" = 'confirmed'`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "payments_operations_one_receipt_key" ON ${at}"payments_operations" ("receipt_id") WHERE "receipt_id" IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "payments_operations_one_refund_key" ON ${at}"payments_operations" ("refund_id") WHERE "refund_id" IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "payments_operations_one_finish_key" ON ${at}"payments_operations" ("payment_id") WHERE "kind" IN ('capture', 'cancel') AND ("outcome" IS NULL OR "outcome" = 'unknown')`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "payments_operations_one_create_key" ON ${at}"payments_operations" ("payment_id") WHERE "kind" = 'create'`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_orders" ADD CONSTRAINT "payments_orders_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_payments" ADD CONSTRAINT "payments_payments_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_payments" ADD CONSTRAINT "payments_payments_order_fkey" FOREIGN KEY ("order_id") REFERENCES ${at}"payments_orders"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_due" ADD CONSTRAINT "payments_due_payment_fkey" FOREIGN KEY ("payment_id") REFERENCES ${at}"payments_payments"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_rate_limits" ADD CONSTRAINT "payments_rate_limits_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_recoveries" ADD CONSTRAINT "payments_recoveries_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_refunds" ADD CONSTRAINT "payments_refunds_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_refunds" ADD CONSTRAINT "payments_refunds_payment_fkey" FOREIGN KEY ("payment_id") REFERENCES ${at}"payments_payments"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_events" ADD CONSTRAINT "payments_events_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_events" ADD CONSTRAINT "payments_events_payment_fkey" FOREIGN KEY ("payment_id") REFERENCES ${at}"payments_payments"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_deliveries" ADD CONSTRAINT "payments_deliveries_event_fkey" FOREIGN KEY ("event_id") REFERENCES ${at}"payments_events"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_deliveries" ADD CONSTRAINT "payments_deliveries_handler_fkey" FOREIGN KEY ("handler_id") REFERENCES ${at}"payments_handlers"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_deliveries" ADD CONSTRAINT "payments_deliveries_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_notifications" ADD CONSTRAINT "payments_notifications_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_operations" ADD CONSTRAINT "payments_operations_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_operations" ADD CONSTRAINT "payments_operations_payment_fkey" FOREIGN KEY ("payment_id") REFERENCES ${at}"payments_payments"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_operations" ADD CONSTRAINT "payments_operations_refund_fkey" FOREIGN KEY ("refund_id") REFERENCES ${at}"payments_refunds"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_oauth_states" ADD CONSTRAINT "payments_oauth_states_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_receipt_problems" ADD CONSTRAINT "payments_receipt_problems_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_receipt_problems" ADD CONSTRAINT "payments_receipt_problems_payment_fkey" FOREIGN KEY ("payment_id") REFERENCES ${at}"payments_payments"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_receipt_problems" ADD CONSTRAINT "payments_receipt_problems_refund_fkey" FOREIGN KEY ("refund_id") REFERENCES ${at}"payments_refunds"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_receipts" ADD CONSTRAINT "payments_receipts_store_fkey" FOREIGN KEY ("store_id") REFERENCES ${at}"payments_stores"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_receipts" ADD CONSTRAINT "payments_receipts_payment_fkey" FOREIGN KEY ("payment_id") REFERENCES ${at}"payments_payments"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_receipts" ADD CONSTRAINT "payments_receipts_refund_fkey" FOREIGN KEY ("refund_id") REFERENCES ${at}"payments_refunds"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_operations" ADD CONSTRAINT "payments_operations_receipt_fkey" FOREIGN KEY ("receipt_id") REFERENCES ${at}"payments_receipts"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE ${at}"payments_receipt_problems" ADD CONSTRAINT "payments_receipt_problems_receipt_fkey" FOREIGN KEY ("receipt_id") REFERENCES ${at}"payments_receipts"("id") ON DELETE RESTRICT ON UPDATE NO ACTION`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const at = schemaPrefix(dataSourceOf(queryRunner));
    const tables = [
      'deliveries',
      'handlers',
      'events',
      'notifications',
      'operations',
      'receipt_problems',
      'receipts',
      'refunds',
      'due',
      'payments',
      'orders',
      'oauth_states',
      'recoveries',
      'commit_mark',
      'rate_limits',
      'stores',
    ];
    for (const table of tables) await queryRunner.query(`DROP TABLE ${at}"payments_${table}"`);
  }
}
