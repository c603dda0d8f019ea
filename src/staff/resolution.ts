import { formText } from '../../examples/shared/pages/form.js';

export const longestName = 100;
export const longestNote = 500;

/** Who decided something for good, and why. */
export interface Resolution {
  readonly by: string;
  readonly note: string;
}

/** The form as it was submitted, untrusted; null if it does not say both. */
export function parseResolution(body: unknown): Resolution | null {
  const [by, note] = [formText(body, 'by'), formText(body, 'note')];
  const isSaid = by !== '' && by.length <= longestName && note !== '' && note.length <= longestNote;
  return isSaid ? { by, note } : null;
}
