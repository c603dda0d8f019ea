/**
 * Helps to type a card: digits in groups, a stroke after the month, a test card by one press. The caret stays behind the digit that was typed, and what is
 * deleted stays deleted.
 */
export const cardScript = `
const field = (name) => document.getElementById(name);
const grouped = (digits) => digits.match(/.{1,4}/g)?.join(' ') ?? '';
const dated = (digits) => digits.length > 2 ? digits.slice(0, 2) + ' / ' + digits.slice(2) : digits;
function forms(input, most, form) {
  input.addEventListener('input', () => {
    const typed = input.value;
    const digits = typed.replace(/\\D/g, '').slice(0, most);
    const before = typed.slice(0, input.selectionStart).replace(/\\D/g, '').length;
    const formed = form(digits);
    if (formed === typed) return;
    input.value = formed;
    let caret = 0;
    for (let seen = 0; seen < Math.min(before, digits.length); caret += 1) if (/\\d/.test(formed[caret])) seen += 1;
    input.setSelectionRange(caret, caret);
  });
}
forms(field('number'), 19, grouped);
forms(field('expiry'), 6, dated);
for (const button of document.querySelectorAll('.fill')) {
  button.addEventListener('click', () => {
    const card = document.querySelector('input[name=method][value=bank_card]');
    if (card) card.checked = true;
    for (const name of ['number', 'expiry', 'csc']) field(name).value = button.dataset[name];
    document.querySelector('button[type=submit]').focus();
  });
}
`;
