import type { Problem } from '#brand/finding.ts'
import { unescapeText } from '#formats/markdown/character-reference.ts'
import { headingIds, MAX_HEADING, splitHeading, WEBSITE_ID } from '#formats/markdown/heading-ids.ts'
import { valuesAt } from '#platform/base/object.ts'
import { percentDecode, quote, singleSpaced } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'
import { nearest } from '../yaml/nearest.ts'
import { readHtmlTags } from './html-links.ts'

/** A source of anchors at an offset of a page: the text of a Markdown heading, or a piece of HTML. */
export type AnchorSource = { start: number } & ({ heading: string } | { html: string })

/**
 * The valid link fragments of a page, in NFC: the ids of its headings on the website, and ids and names in its HTML; and
 * the problems with ids that authors give headings.
 */
export function readAnchors(
  sources: readonly AnchorSource[],
  lineAt: (start: number) => number,
): { anchors: string[]; problems: Problem[] } {
  // Gives two equal headings different ids: `logo` and `logo-1`.
  const idOf = headingIds()
  const anchors = new Set<string>()
  const problems: Problem[] = []
  const addHeading = (heading: string, start: number) => {
    const { text, mark, id: writtenId, isPlain } = splitHeading(singleSpaced(heading))
    const id = idOf(text.slice(0, MAX_HEADING).toWellFormed().trimEnd(), writtenId)
    anchors.add(id)
    if (mark === undefined || (id === writtenId && isPlain)) return
    problems.push(problem('heading-id', `${quote(mark)} ${markMistake(id, writtenId)}`, lineAt(start)))
  }
  for (const source of sources) {
    if ('heading' in source) addHeading(source.heading, source.start)
    else {
      for (const [, html = ''] of source.html.matchAll(HTML_HEADING)) addHeading(textOfHtml(html), source.start)
      const named = readHtmlTags(source.html).flatMap(({ attributes }) => valuesAt(attributes, ANCHORS))
      for (const { text } of named.filter(({ text }) => text !== ''))
        anchors.add(unescapeText(text, 'html').normalize('NFC'))
    }
    if (anchors.size > MAX_ANCHORS) break
  }
  return { anchors: [...anchors], problems }
}

/** Why a mark such as `{#clear-space}` does not give its heading the id as written; `id` is the id that it has. */
function markMistake(id: string, writtenId: string | undefined): string {
  if (writtenId === undefined)
    return `is not a valid id, so the heading has the id ${quote(id)}: write letters, digits and hyphens, as in {#clear-space}`
  return id === writtenId
    ? `has attributes that have no effect here: write {#${writtenId}}`
    : `is already the id of another heading of this page, so this one is ${quote(id)}: write another id`
}

/** The text of a piece of HTML: `Clear<br>space <em>rules</em>` is `Clear space rules`. */
function textOfHtml(html: string): string {
  return unescapeText(html.replace(LINE_BREAKS, ' ').replace(TAGS, ''), 'html')
}

/* The lookbehinds skip a `<` after another unclosed one: many of them would take quadratic time. */
const LINE_BREAKS = /<br\b(?<!<br\b[^>]*?<br)[^>]*>/gi
const TAGS = /<(?<!<[^>]*?<)[^>]*>/g

/** The same limit as for relative links on a page. */
const MAX_ANCHORS = 10_000

/** A heading in HTML, with its content. */
const HTML_HEADING = /<h[1-6](?=[\s>])[^>]{0,1000}>([^\0]{0,2000}?)<\/h[1-6]\s*>/gi
/** The attributes that name a place. */
const ANCHORS = ['id', 'name']

/** A link to an anchor: `misuse.md#shadow`. The path is empty for a link within the page. */
export type FragmentLink = { path: string; fragment: string; line: number }

/** The anchor that a fragment was probably meant to name. */
export function nearestAnchor(anchors: ReadonlySet<string>, fragment: string): string | undefined {
  return nearest(decode(fragment), [...anchors], 1 / 3)
}

/** Whether a link fragment names an anchor of a page, its beginning, or an id that the website adds. */
export function hasAnchor(anchors: ReadonlySet<string>, fragment: string): boolean {
  const [anchor = ''] = fragment.split(':~:') // The rest is text to highlight, not an anchor.
  const id = decode(anchor)
  if (id === '' || id.toLowerCase() === 'top' || WEBSITE_ID.test(id)) return true
  return anchors.has(id) || anchors.has(anchor.normalize('NFC'))
}

function decode(fragment: string): string {
  return (percentDecode(fragment) ?? fragment).normalize('NFC')
}
