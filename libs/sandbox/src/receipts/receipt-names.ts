/** Payment modes of a line, tag 1214; registers of the service know the first two. */
export const paymentModes = [
  'full_prepayment',
  'full_payment',
  'partial_prepayment',
  'advance',
  'partial_payment',
  'credit',
  'credit_payment',
];

/** Payment subjects, tag 1212. */
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
];

/** Units of measure, tag 2108. */
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
];

export const agentTypes = [
  'banking_payment_agent',
  'banking_payment_subagent',
  'payment_agent',
  'payment_subagent',
  'attorney',
  'commissioner',
  'agent',
];

/** Fields of a line that go with receipts alone which the shop sends by itself (assumed: that the others refuse them). */
export const ownReceiptFields = ['supplier', 'agent_type', 'additional_payment_subject_props'];
