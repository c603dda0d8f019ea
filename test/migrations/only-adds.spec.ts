import { whatDoesNotOnlyAdd } from './only-adds.js';

const reasonsOf = (...statements: string[]) =>
  whatDoesNotOnlyAdd(statements).map((fault) => fault.split(': ')[0]);

describe('a migration only adds', () => {
  it.each([
    ['a column that may be empty', ['ALTER TABLE "payments_refunds" ADD "note" text']],
    [
      'a column with a default',
      [`ALTER TABLE "payments_refunds" ADD COLUMN "tries" integer NOT NULL DEFAULT '0'`],
    ],
    ['columns of a schema', ['ALTER TABLE "My Billing"."payments_due" ADD "a" text, ADD "b" numeric(9, 2)']],
    [
      'a check of what it adds',
      [
        'ALTER TABLE "payments_refunds" ADD "channel" text',
        `ALTER TABLE "payments_refunds" ADD CONSTRAINT "payments_refunds_channel_check" CHECK ("channel" IN ('desk', 'web')) NOT VALID`,
        'ALTER TABLE "payments_refunds" VALIDATE CONSTRAINT "payments_refunds_channel_check"',
      ],
    ],
    [
      'a reference from what it adds',
      [
        'ALTER TABLE "payments_refunds" ADD "desk_id" uuid',
        'ALTER TABLE "payments_refunds" ADD CONSTRAINT "payments_refunds_desk_fkey" FOREIGN KEY ("desk_id") REFERENCES "payments_stores"("id")',
      ],
    ],
    [
      'an index that may stand already',
      ['CREATE INDEX IF NOT EXISTS "payments_refunds_note_idx" ON "payments_refunds" ("note")'],
    ],
    [
      'a table with all that it needs',
      [
        'CREATE TABLE "payments_desks" (\n "id" uuid NOT NULL,\n "name" text NOT NULL)',
        'CREATE UNIQUE INDEX "payments_desks_name_key" ON "payments_desks" ("name")',
        'ALTER TABLE "payments_desks" ADD CONSTRAINT "payments_desks_pkey" PRIMARY KEY ("id")',
        `COMMENT ON TABLE "payments_desks" IS 'a; b'`,
      ],
    ],
  ])('with %s', (_what, statements) => {
    expect(whatDoesNotOnlyAdd(statements)).toEqual([]);
  });
});

describe('a migration does not only add', () => {
  it.each([
    'ALTER TABLE "payments_refunds" DROP COLUMN "whole"',
    'ALTER TABLE "payments_refunds" RENAME COLUMN "whole" TO "entire"',
    'ALTER TABLE "payments_refunds" ADD "note" text, DROP COLUMN "whole"',
    'ALTER TABLE "payments_refunds" ALTER COLUMN "description" SET NOT NULL',
    'ALTER TABLE "payments_refunds" ALTER COLUMN "description" TYPE varchar(10)',
    'ALTER TABLE "payments_refunds" DROP CONSTRAINT "payments_refunds_status_check"',
    'ALTER TABLE "payments_refunds" RENAME TO "payments_returns"',
    'DROP TABLE "payments_oauth_states"',
    'DROP INDEX "payments_refunds_open_idx"',
    `UPDATE "payments_refunds" SET "description" = ''`,
    'CREATE TRIGGER "payments_refunds_noted" BEFORE INSERT ON "payments_refunds" EXECUTE FUNCTION f()',
  ])('with %s', (statement) => {
    expect(reasonsOf(statement)).toEqual(['not known to add only']);
  });

  it.each([
    'CREATE UNIQUE INDEX IF NOT EXISTS "payments_refunds_note_key" ON "payments_refunds" ("note")',
    'ALTER TABLE "payments_refunds" ADD "note" text UNIQUE',
    'ALTER TABLE "payments_refunds" ADD CONSTRAINT "payments_refunds_note_key" UNIQUE ("note")',
    'ALTER TABLE "payments_refunds" ADD CONSTRAINT "payments_refunds_max_check" CHECK ("amount_minor" < 100)',
    'ALTER TABLE "payments_refunds" ADD CONSTRAINT "payments_refunds_never_check" CHECK (false)',
    'ALTER TABLE "payments_refunds" ADD CONSTRAINT "payments_refunds_key_fkey" FOREIGN KEY ("refund_key") REFERENCES "payments_stores"("name")',
  ])('where rows of the version before may be refused: %s', (statement) => {
    expect(reasonsOf(statement)).toEqual(['a row of the version before may be refused']);
  });

  it('with a column that every row needs and the version before does not fill', () => {
    expect(reasonsOf('ALTER TABLE "payments_refunds" ADD "note" text NOT NULL')).toEqual([
      'a row of the version before has no value for it',
    ]);
  });

  it('with a check of a new column and an old one', () => {
    expect(
      reasonsOf(
        'ALTER TABLE "payments_refunds" ADD "fee_minor" bigint',
        'ALTER TABLE "payments_refunds" ADD CONSTRAINT "payments_refunds_fee_check" CHECK ("fee_minor" < "amount_minor")',
      ),
    ).toEqual(['a row of the version before may be refused']);
  });

  it('with an index that locks a large table, and cannot be built before it', () => {
    expect(reasonsOf('CREATE INDEX "payments_refunds_note_idx" ON "payments_refunds" ("note")')).toEqual([
      'without IF NOT EXISTS nobody can build it beforehand, CONCURRENTLY, for a large table',
    ]);
    expect(
      reasonsOf(
        'CREATE INDEX CONCURRENTLY IF NOT EXISTS "payments_refunds_note_idx" ON "payments_refunds" ("note")',
      ),
    ).toEqual(['TypeORM runs all migrations in one transaction, where this is refused']);
  });

  it('under a name that is not told from the host’s own', () => {
    const reason = 'its name does not begin with payments_';
    expect(reasonsOf('CREATE TABLE "desks" ("id" uuid)')).toEqual([reason]);
    expect(reasonsOf('CREATE INDEX IF NOT EXISTS "note" ON "payments_refunds" ("note")')).toEqual([reason]);
  });

  it('with two statements in one', () => {
    expect(
      reasonsOf('ALTER TABLE "payments_refunds" ADD "note" text; DROP TABLE "payments_refunds"'),
    ).toEqual(['one statement at a time']);
  });
});
