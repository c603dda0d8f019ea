import { fields, integer, matching, optionalList, text } from '../wire/body.js';

/** More than any receipt has (assumed). */
const MOST = 100;

/** Reads industry details: of a line, tag 1260, or of the receipt, tag 1261. */
export function industryDetails(value: unknown, parameter: string): void {
  optionalList(value, MOST, parameter, (detail, at) => {
    const given = fields(detail, at);
    matching(given['federal_id'], /^0(0[1-9]|[1-6]\d|7[0-3])$/, 'Needs 001 to 073', `${at}.federal_id`);
    matching(
      given['document_date'],
      /^\d{4}-\d{2}-\d{2}$/,
      'Needs a date as YYYY-MM-DD',
      `${at}.document_date`,
    );
    text(given['document_number'], 32, `${at}.document_number`);
    text(given['value'], 256, `${at}.value`);
  });
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Reads operational details, tag 1270. */
export function operationalDetails(value: unknown, parameter: string): void {
  const given = fields(value, parameter);
  integer(given['operation_id'], 0, 255, `${parameter}.operation_id`);
  text(given['value'], 64, `${parameter}.value`);
  matching(given['created_at'], TIME, 'Needs an ISO 8601 time', `${parameter}.created_at`);
}
