import { type Html, html } from '../html.ts'
import type { Words } from '../words/words.ts'

/** A button with which a script copies the text before it; `what` names that text for screen readers. */
export function copyButton({ copy }: Words, what: string): Html {
  return html`<button type="button" class="copy" data-copy aria-label="${copy.copy(what)}"></button>`
}
