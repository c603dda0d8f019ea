/** The parts of an order's JSON for the staff that the demo reads. */
export interface OrderAnswer {
  reference: string;
  state: string;
  totalMinor: number;
  productName: string;
  quantity: number;
  /** Goods sold in advance: when the buyer got them. */
  handedOverAt: string | null;
  payments: {
    serviceId: string | null;
    status: string;
    /** Of one that went with the money. */
    receiptStatus: string | null;
    timeline: {
      name: string;
      from: string | null;
      to: string | null;
      cause: string;
      evidence: { refundId?: string | null; receiptId?: string | null; by?: string; note?: string };
    }[];
    refunds: { serviceId: string | null; receiptStatus: string | null }[];
  }[];
  effects: { effect: string; refundedMinor: number }[];
  /** Those that are sent by themselves. */
  receipts: { id: string; receiptKey: string; status: string }[];
}
