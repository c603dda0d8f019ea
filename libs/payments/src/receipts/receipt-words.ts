/** VAT: 1 none · 2 0 % · 3 10 % · 4 20 % · 5 10/110 · 6 20/120 · 7 5 % · 8 7 % · 9 5/105 · 10 7/107 · 11 22 % · 12 22/122. */
export const vatCodes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

const CONTAINED_VAT: ReadonlyMap<unknown, number> = new Map([
  [5, 3],
  [6, 4],
  [9, 7],
  [10, 8],
  [12, 11],
]);

/** A prepayment may name the VAT that its sum contains; the goods have their own once they are handed over: of 22/122 it is 22 %. */
export function vatOfGoods(vatCode: unknown): unknown {
  return CONTAINED_VAT.get(vatCode) ?? vatCode;
}

/** 1 general · 2 simplified, income · 3 simplified, income less expenses · 4 imputed · 5 unified agricultural · 6 patent. */
export const taxSystemCodes = [1, 2, 3, 4, 5, 6] as const;

/** How far the buyer has paid for it as it is handed over. Registers of the service know the first two. */
export const paymentModes = [
  'full_prepayment',
  'full_payment',
  'partial_prepayment',
  'advance',
  'partial_payment',
  'credit',
  'credit_payment',
] as const;

/** What it is that is paid for. The four “marked” ones need FFD 1.2. */
export const paymentSubjects = [
  'commodity',
  'excise',
  'job',
  'service',
  'gambling_bet',
  'gambling_prize',
  'lottery',
  'lottery_prize',
  'intellectual_activity',
  'payment',
  'agent_commission',
  'property_right',
  'non_operating_gain',
  'insurance_premium',
  'sales_tax',
  'resort_fee',
  'composite',
  'another',
  'casino',
  'agent_withdrawals',
  'fine',
  'tax',
  'lien',
  'cost',
  'pension_insurance_without_payouts',
  'pension_insurance_with_payouts',
  'health_insurance_without_payouts',
  'health_insurance_with_payouts',
  'health_insurance',
  'marked',
  'non_marked',
  'marked_excise',
  'non_marked_excise',
] as const;

/** What a unit is. */
export const measures = [
  'piece',
  'gram',
  'kilogram',
  'ton',
  'centimeter',
  'decimeter',
  'meter',
  'square_centimeter',
  'square_decimeter',
  'square_meter',
  'milliliter',
  'liter',
  'cubic_meter',
  'kilowatt_hour',
  'gigacalorie',
  'day',
  'hour',
  'minute',
  'second',
  'kilobyte',
  'megabyte',
  'gigabyte',
  'terabyte',
  'another',
] as const;
