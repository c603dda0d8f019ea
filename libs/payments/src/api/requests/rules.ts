import { isRecord } from '../../common/is-record.js';
import { isDigits, isText, isWebAddress } from '../../common/text.js';
import { Checked, IsText, Rule } from '../../common/validation.js';
import { limits } from '../limits.js';

/** Rules that several shapes share, in the same words. */

export const IsFlag = (): PropertyDecorator =>
  Rule('must be true or false', (value) => typeof value === 'boolean');

export const IsDescription = (maxLength: number): PropertyDecorator =>
  Rule(`must be a string of at most ${maxLength} characters`, (value) => isText(value, 0, maxLength));

const webAddress = `an http or https address on your side of at most ${limits.returnUrlLength.value} characters`;

/** Also used if there must be a confirmation and is none. */
export const returnUrlRule = `is required for the redirect scenario: ${webAddress}`;

export const IsReturnUrl = (): PropertyDecorator =>
  Checked((value) => {
    if (value === undefined) return [returnUrlRule];
    return isWebAddress(value, limits.returnUrlLength.value) ? [] : [`must be ${webAddress}`];
  });

const { metadataKeyLength, metadataValueLength } = limits;

export const IsMetadata = (maxEntries: number): PropertyDecorator =>
  Rule(
    `must hold at most ${maxEntries} entries, keys of 1 to ${metadataKeyLength.value} and string values of at most ${metadataValueLength.value} characters`,
    (value) =>
      isRecord(value) &&
      Object.keys(value).length <= maxEntries &&
      Object.entries(value).every(
        ([key, text]) =>
          isText(key, 1, metadataKeyLength.value) && isText(text, 0, metadataValueLength.value),
      ),
  );

/** An identifier of the service, e.g. of a payment. */
export const IsServiceId = (of: string): PropertyDecorator =>
  Rule(
    `must be the service's id of a ${of}: 1 to ${limits.idLength.value} letters, digits, - and _`,
    (value) => isText(value, 1, limits.idLength.value) && /^[\w-]+$/.test(value),
  );

/** A buyer's telephone number. No country has the code 89: that is a Russian number as it is dialled within the country. */
export const IsPhone = (): PropertyDecorator =>
  Checked((value) => {
    if (!isDigits(value, 4, 15))
      return ['must be 4 to 15 digits with the country first and no +, e.g. "79001234567"'];
    return /^89\d{9}$/.test(value)
      ? ['must begin with the country, not with the trunk prefix 8, e.g. "79001234567"']
      : [];
  });

/** What a company pays for. */
export const IsPaymentPurpose = (): PropertyDecorator => IsText(limits.paymentPurposeLength.value);

/** A mobile wallet's cryptogram. */
export const IsWalletToken = (): PropertyDecorator =>
  Rule(
    'must be the cryptogram as the wallet gave it, a string that is not empty',
    (value) => typeof value === 'string' && value !== '',
  );

/** What a form of the service has made of a card. */
export const IsPaymentToken = (): PropertyDecorator => IsText(limits.paymentTokenLength.value);

export const IsMerchantCustomerId = (): PropertyDecorator => IsText(limits.merchantCustomerIdLength.value);
