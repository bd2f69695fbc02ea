import { type Html, html } from '../html.ts'

/** A button that copies the text right before it, for which it needs the script; `what` says which text that is. */
export function copyButton(what: string): Html {
  return html`<button type="button" class="copy" data-copy aria-label="Copy ${what}"></button>`
}
