import { type Html, html } from '../html.ts'
import type { Words } from '../words/words.ts'

/** A button that copies the text before it, by script; `what` names that text for screen readers. */
export function copyButton({ copy }: Words, what: string): Html {
  return html`<button type="button" class="copy" data-copy aria-label="${copy.copy(what)}"></button>`
}
