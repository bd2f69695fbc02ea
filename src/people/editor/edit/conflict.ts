import { mergedText, passagesOf } from '#publishing/git/edit/merge.ts'
import { html } from '#site/html.ts'

/** A text as the person opened it, as they changed it, and as somebody else did. */
export type Conflicting = { base: string; mine: string; theirs: string }

/** The text with the changes of both, and mine where they exclude each other; `rows` show both versions of these. */
export type MergedTexts = { text: string; rows: string }

/** Merges both versions of a text. A passage that both changed differently cannot be merged, and becomes a row of a table. */
export function conflictOf({ base, mine, theirs }: Conflicting): MergedTexts {
  const passages = passagesOf(base, mine, theirs)
  const rows = passages
    .filter(passage => mergedText(passage) === undefined)
    .map(
      passage =>
        html`<tr><td><pre dir="auto">${passage.mine}</pre></td><td><pre dir="auto">${passage.theirs}</pre></td></tr>\n`,
    )
  return { text: passages.map(passage => mergedText(passage) ?? passage.mine).join(''), rows: html`${rows}`.text }
}
