/**
 * Helps to type a card: digits in groups, a stroke after the month, a test card by one press. The caret stays behind the digit that was typed, and what is
 * deleted stays deleted.
 */

const field = (name: string) => {
  const found = document.getElementById(name);
  return found instanceof HTMLInputElement ? found : null;
};
const grouped = (digits: string) => digits.match(/.{1,4}/g)?.join(' ') ?? '';
const dated = (digits: string) => (digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits);
const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

/** Where the caret stands behind so many digits. */
function behind(formed: string, digits: number): number {
  let caret = 0;
  for (let seen = 0; seen < digits; caret += 1) if (/\d/.test(formed.charAt(caret))) seen += 1;
  return caret;
}

function forms(input: HTMLInputElement | null, most: number, form: (digits: string) => string): void {
  input?.addEventListener('input', () => {
    const typed = input.value;
    const digits = digitsOf(typed).slice(0, most);
    const before = digitsOf(typed.slice(0, input.selectionStart ?? typed.length)).length;
    const formed = form(digits);
    if (formed === typed) return;
    input.value = formed;
    const caret = behind(formed, Math.min(before, digits.length));
    input.setSelectionRange(caret, caret);
  });
}

forms(field('number'), 19, grouped);
forms(field('expiry'), 6, dated);
for (const button of document.querySelectorAll<HTMLButtonElement>('.fill')) {
  button.addEventListener('click', () => {
    const card = document.querySelector<HTMLInputElement>('input[name=method][value=bank_card]');
    if (card !== null) card.checked = true;
    for (const name of ['number', 'expiry', 'csc']) {
      const input = field(name);
      if (input !== null) input.value = button.dataset[name] ?? '';
    }
    document.querySelector<HTMLButtonElement>('button[type=submit]')?.focus();
  });
}
