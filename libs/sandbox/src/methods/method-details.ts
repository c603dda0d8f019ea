import { randomUUID } from 'node:crypto';
import type { Fields } from '../common/fields.js';

/** The wallet that every buyer of the sandbox has. */
export function accountNumber(): Fields {
  return { account_number: '410010000000001' };
}

/** The Faster Payments System's own name for what it carried out, of 32 characters. */
export function sbpOperationId(): string {
  return randomUUID().replaceAll('-', '').toUpperCase();
}

export function payerBank(): Fields {
  return {
    sbp_operation_id: sbpOperationId(),
    payer_bank_details: { bank_id: '100000000999', bic: '044525999' },
  };
}

export function businessPayer(): Fields {
  return {
    payer_bank_details: {
      full_name: 'Sandbox Trading House Limited Liability Company',
      short_name: 'Sandbox Trading House LLC',
      address: '1 Sandbox Street, Moscow, 101000',
      inn: '7700000000',
      kpp: '770001001',
      bank_name: 'Sandbox Bank',
      bank_branch: 'Moscow',
      bank_bik: '044525999',
      account: '40702810000000000001',
    },
  };
}

/** What of it stays with a method that is saved: the wallet, or the bank of an SBP account. */
export function keptDetails({ account_number: account, payer_bank_details: bank }: Fields): Fields {
  const isBank = typeof bank === 'object' && bank !== null && 'bank_id' in bank;
  return {
    ...(account !== undefined && { account_number: account }),
    ...(isBank && { payer_bank_details: { bank_id: bank.bank_id } }),
  };
}
