import type { PaymentRecord } from '@holdfast/payments';
import type { JSX } from 'preact';
import { Panel } from '../view/parts.js';
import { When } from '../view/when.js';

/** What was sent and received, word for word: notifications and the object may name the buyer. */
export function Messages({
  record: { operations, notifications, object },
}: {
  readonly record: PaymentRecord;
}): JSX.Element {
  return (
    <Panel title="Sent and received" aside="your look is kept in the timeline">
      <div class="body">
        {operations.map(({ kind, recordedAt, body }) => (
          <Message name={`Request: ${kind}`} at={recordedAt} text={readable(body)} />
        ))}
        {notifications.map(({ event, lastAt, body }) => (
          <Message name={`Notification: ${event}`} at={lastAt} text={readable(body)} />
        ))}
        {object === null ? (
          <p class="hint">The service has not shown the payment yet.</p>
        ) : (
          <Message name="The payment as the service had it last" at={null} text={textOf(object)} />
        )}
      </div>
    </Panel>
  );
}

interface MessageProps {
  readonly name: string;
  readonly at: Date | null;
  readonly text: string;
}

function Message({ name, at, text }: MessageProps): JSX.Element {
  return (
    <details>
      <summary>
        {name}
        {at !== null && (
          <>
            {' '}
            <small>
              <When at={at} />
            </small>
          </>
        )}
      </summary>
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
}

/** Whoever sends a notification may send anything: what is no JSON is shown as it came. */
function readable(body: string): string {
  try {
    return textOf(JSON.parse(body));
  } catch {
    return body;
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
