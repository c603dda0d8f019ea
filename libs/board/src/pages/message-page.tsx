import type { JSX } from 'preact';
import { Document } from '../view/document.js';
import { useLink } from '../view/page-context.js';
import { Shape } from '../view/shape.js';

interface MessagePageProps {
  readonly title: string;
  readonly text: string;
  /** Where to go from here, and what that is called. Default: the overview. */
  readonly next?: { readonly path: string; readonly name: string };
}

/** What was not done, or cannot be shown, and where to go from here. */
export function MessagePage({
  title,
  text,
  next = { path: 'overview', name: 'Overview' },
}: MessagePageProps): JSX.Element {
  const link = useLink();
  return (
    <Document title={title}>
      <h1>{title}</h1>
      <div class="note is-bad" role="alert">
        <Shape name="stop" />
        <p>{text}</p>
      </div>
      <p>
        <a class="btn" href={link(next.path)}>
          {next.name}
        </a>
      </p>
    </Document>
  );
}
