import { hunkLines, unifiedDiff } from '../../../brand/content-diff.ts'
import type { Page } from '../../../brand/page.ts'
import type { Publication } from '../../../serving/publications/publications.ts'
import { type Html, html } from '../../html.ts'

/** A page in an earlier and in the current publication. */
export type PageChange = { from: Page; to: Page }

/** The changed lines of a page's Markdown, as `housestyle diff` shows them; undefined if the Markdown is the same. */
export async function textChanges(
  [earlier, current]: readonly [Publication, Publication],
  { from, to }: PageChange,
): Promise<Html | undefined> {
  const [before, after] = [await earlier.content.text(from), await current.content.text(to)]
  if (before === after) return undefined
  const lines = hunkLines(unifiedDiff(to.id, before, after, MAX_EDITS))
  const more = lines.length > MAX_LINES ? '\n…' : ''
  return html`\n<pre class="diff" tabindex="0"><code>${lines.slice(0, MAX_LINES).map(lineHtml)}${more}</code></pre>`
}

/** Found within a few milliseconds. */
const MAX_EDITS = 400
/** A rewritten page may have thousands. */
const MAX_LINES = 400

function lineHtml(line: string): Html {
  if (line.startsWith('+')) return html`<ins>${line}</ins>\n`
  if (line.startsWith('-')) return html`<del>${line}</del>\n`
  return html`${line}\n`
}
