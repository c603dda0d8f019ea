const REDACTED = '[redacted]';

/** A UUID, which is left alone, or something that is written as a phone number. */
const UUID = String.raw`\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b`;
const BETWEEN = String.raw`[\s().‐-―-]*`;
/** Of Russia, with or without its plus; of any other country with it. */
const RUSSIAN = String.raw`(?<![\d.-])(?:\+${BETWEEN}7|[78])${BETWEEN}\d{3}${BETWEEN}\d{3}${BETWEEN}\d{2}${BETWEEN}\d{2}(?!\d)`;
const FOREIGN = String.raw`\+${BETWEEN}\d(?:${BETWEEN}\d){8,14}(?!\d)`;
const UUID_OR_PHONE = new RegExp(`${UUID}|${RUSSIAN}|${FOREIGN}`, 'gi');
/** Bounded on both sides, so that a long text costs no more than its length. */
const EMAIL = /[^\s@<>()[\]"',;:=]{1,64}@[^\s@<>()[\]"',;:=]{1,255}/g;

/** Digits that tell a number apart within its country: the rest is written in several ways, `+7` or `8`, or left out. */
const NATIONAL = 10;

/** The text without what is written as an email or a phone number. */
export function withoutContacts(text: string): string {
  return text
    .replace(EMAIL, REDACTED)
    .replace(UUID_OR_PHONE, (found) => (/[a-f]/i.test(found) ? found : REDACTED));
}

/** The text without this contact, in whatever case an email is written, however a phone's digits are grouped and whatever stands before them. */
export function withoutContact(text: string, contact: string): string {
  const bare = text.replaceAll(new RegExp(escaped(contact), 'giu'), REDACTED);
  const digits = contact.replace(/\D/g, '');
  if (digits.length < NATIONAL || contact.includes('@')) return bare;
  const grouped = digits.slice(-NATIONAL).split('').join(BETWEEN);
  return bare.replace(new RegExp(String.raw`(?:\+?\d{1,3}${BETWEEN})?${grouped}`, 'g'), REDACTED);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
