/**
 * What the protocol's order rests on. Each can be taken out of the model, and then the search finds a story that breaks a guarantee.
 */
export const guards = {
  'order lock': 'What a create means is decided under the lock on its order.',
  'one key': 'A request is repeated under the key it was recorded with.',
  'key lifetime': 'A key that the service may have forgotten is used no more.',
  'lease before request': 'A sender that was paused past its lease sends nothing.',
  'unknown stays unknown': 'A refusal after a lost attempt is no refusal.',
  'attempt fence': 'Only the newest attempt settles its operation.',
  'quiet before never received': 'A create that may be on its way is not taken as never received.',
  'own waiting before never received':
    'Only a process that has waited itself takes a create as never received: clocks jump.',
  'newest attempt before never received': 'A list from before another attempt proves nothing of that one.',
  'version check': 'What was decided before another change of the order is decided again.',
  'status table': 'What is older than what is known is not applied.',
  'quiet before no effect': 'A capture or cancel that may be on its way is not taken as without effect.',
  'refund bound': 'Refunds, with those under way, take no more than was captured.',
  'refund key': 'The same refund key is the same refund.',
  'quiet before lost refund': 'A refund that may be on its way is not taken as never received.',
  'newest attempt before lost refund': 'A list from before another attempt proves nothing of a refund.',
  'place with its record': 'What is recorded has a place in the queue from then on.',
  'open work keeps its place': 'A payment with something open stays in the queue.',
  'wanted keeps its place': 'A payment that was asked for during its re-read stays in the queue.',
  'signals answered as seen': 'A request for refunds that came during the list is not answered by it.',
  'lease fence': 'A worker whose lease another one has taken writes nothing.',
  're-read before belief': 'A notification is a hint: the service is asked.',
  'effect with its mark': "A handler's rows and the delivery's mark are committed together.",
  'mark before run': 'A delivery that is done is not run again.',
  'effect recorded with its handler': "An effect is recorded in its handler's transaction.",
  'effect begun under its lease': 'What an effect does is read as its run begins, from the row of its claim.',
  'effect marked after its run': 'An effect is marked done once it is done.',
  'effect marked under its lease': 'Only the run that has an effect marks it done.',
  'derived keys': 'A key is made of what was meant, so that it is the same again.',
  'try number': 'Each payment of an order has a key of its own.',
  'search on a used key':
    'Where the service has another request under a key, what that one made is found first.',
  'another request under its key':
    'What the list shows under the key of a create that never arrived is what its key was used for.',
  'forgotten found again': 'A payment with a mark of ours and no row is recorded again.',
  'verified mark': 'A mark is ours only if this database could have made it.',
  'adoption under the order lock': 'Whether a payment is forgotten is decided under the lock on its order.',
  'place by the number of its try': 'Only a newer try of a part takes the place of an older one.',
  'total of the newest try': 'What the newest try says is due is what the order owes.',
  'refund key in its mark': "A refund's mark holds its caller's key.",
  'effect named by its event': 'The key of an effect is made of what the event is about that led to it.',
  'quiet before lost receipt': 'A receipt that may be on its way is not taken as never received.',
  'receipt key': 'The same receipt key is the same receipt.',
  'receipts fit the money': 'Receipts say no more than the money.',
  'sent waits for its answer':
    'A receipt that was sent is the one that its key brings, and no forgotten one.',
  'never sent is what is listed': 'A receipt that its row has as never sent may be the one that is listed.',
  'receipts wait for the lists':
    'None is sent for the first time where it may have been sent under a key that is gone.',
  'missing once the lists are read': 'No receipt is missing that may still be found.',
  'creates wait for the lists': 'None is opened while the database may have forgotten one.',
  'refunds wait for the lists': 'None is opened before each refund that the lists show is known.',
} as const satisfies Record<string, string>;

export type Guard = keyof typeof guards;
