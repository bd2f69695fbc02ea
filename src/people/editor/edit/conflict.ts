import { mergedText, type Passage } from '#publishing/git/edit/merge.ts'
import { type Html, html } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'

/** The places that two people changed, each with both versions side by side. */
export function conflictHtml({ edit }: Words, passages: readonly Passage[]): Html {
  const both = passages.filter(passage => mergedText(passage) === undefined)
  const rows = both.map(
    ({ mine, theirs }) =>
      html`<tr><td><pre dir="auto">${mine}</pre></td><td><pre dir="auto">${theirs}</pre></td></tr>\n`,
  )
  return html`<div class="result warned" tabindex="-1" autofocus role="alert"><p>${edit.conflict}</p>
<table><thead><tr><th scope="col">${edit.mine}</th><th scope="col">${edit.theirs}</th></tr></thead>
<tbody>
${rows}</tbody></table></div>
`
}
