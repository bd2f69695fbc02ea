import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'

/**
 * A form that requests an archive of the selected items, which only a service can make. A script keeps the selection in
 * the browser tab, so that it also has items of other pages. A whole list drops items that a later revision removed.
 */
export function selection(guide: Guide, content: Html | readonly Html[], { isLong, isWhole }: ListSize = {}): Html {
  const { files } = guide.words
  if (guide.copy)
    return html`<div class="choice${isLong && ' many'}">
${content}</div>`
  return html`<form class="choice${isLong && ' many'}" action="${pathBelow(guide, 'files.zip')}"${isWhole && html` data-whole`}>
<input type="hidden" name="formats" value="all">
${content}<p class="chosen"><button data-many="${files.tooMany}">${files.downloadChosen} <span></span></button> <button type="reset">${files.clear}</button></p>
</form>`
}

/** Whether browsers draw a long list in parts, and whether it has all items of a guide. */
type ListSize = { isLong?: boolean; isWhole?: boolean }
