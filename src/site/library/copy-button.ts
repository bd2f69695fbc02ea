import { type Html, html } from '../html.ts'

/** A button that copies the text before it, by script; `what` names that text for screen readers. */
export function copyButton(what: string): Html {
  return html`<button type="button" class="copy" data-copy aria-label="Copy ${what}"></button>`
}
