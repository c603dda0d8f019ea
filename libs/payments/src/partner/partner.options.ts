/** An app of the partnership program, as it was registered with the service (section 5.2). */
export interface PartnerOptions {
  readonly clientId: string;
}
