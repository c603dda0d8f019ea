/** Any page may show the form, so any may hear of it: a name that it already has, how high the form is, and what became of the payment. */

const main = document.querySelector('main');
const outcome = document.getElementById('outcome')?.dataset;

function tell(news: object): void {
  if (parent !== window) parent.postMessage({ checkout: main?.dataset['token'], ...news }, '*');
}

if (main !== null)
  new ResizeObserver(() => tell({ height: Math.ceil(main.getBoundingClientRect().height) })).observe(main);
if (outcome) tell({ event: outcome['event'], error: outcome['error'] });
