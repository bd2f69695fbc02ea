import { headingIds, MAX_HEADING } from '../../brand/heading-ids.ts'
import { unescapeText } from '../../brand/markdown/character-reference.ts'
import { nearest } from '../yaml/nearest.ts'

/** A source of anchors on a page: the text of a Markdown heading, or a piece of HTML. */
export type AnchorSource = { heading: string } | { html: string }

/** The valid link fragments of a page: the ids that the website gives its headings, and ids and names in its HTML. */
export function readAnchors(sources: readonly AnchorSource[]): string[] {
  const idOf = headingIds()
  const anchors = new Set<string>()
  const addHeading = (text: string) => {
    const plain = text.replace(/\s+/g, ' ').trim()
    anchors.add(idOf(plain.slice(0, MAX_HEADING).toWellFormed().trimEnd()))
  }
  for (const source of sources) {
    if ('heading' in source) addHeading(source.heading)
    else {
      for (const [, html = ''] of source.html.matchAll(HTML_HEADING))
        addHeading(unescapeText(html.replace(/<br\b[^>]*>/gi, ' ').replace(/<[^>]*>/g, ''), 'html'))
      for (const [, double, single, bare] of source.html.matchAll(NAME))
        anchors.add(unescapeText(double ?? single ?? bare ?? '', 'html'))
    }
    if (anchors.size > MAX_ANCHORS) break
  }
  return [...anchors]
}

/** The same limit as for relative links on a page. */
const MAX_ANCHORS = 10_000

const HTML_HEADING = /<h[1-6](?=[\s>])[^>]{0,1000}>([^\0]{0,2000}?)<\/h[1-6]\s*>/gi
const NAME = /\s(?:id|name)\s*=\s*(?:"([^"]{0,1000})"|'([^']{0,1000})'|([^\s"'>]{1,1000}))/gi

/** A link to an anchor: `misuse.md#shadow`. The path is empty for a link within the page. */
export type FragmentLink = { path: string; fragment: string; line: number }

/** The anchor that a fragment was probably meant to name. */
export function nearestAnchor(anchors: ReadonlySet<string>, fragment: string): string | undefined {
  return nearest(decode(fragment), [...anchors], 1 / 3)
}

export function hasAnchor(anchors: ReadonlySet<string>, fragment: string): boolean {
  const [anchor = ''] = fragment.split(':~:') // The rest is text to highlight, not an anchor.
  const id = decode(anchor)
  if (id === '' || id.toLowerCase() === 'top' || OWN_IDS.test(id)) return true
  return anchors.has(id) || anchors.has(anchor)
}

/** Ids that the website creates: for footnotes, and for the author's own ids and names. */
const OWN_IDS = /^(?:user-content-|fn-|fnref-|footnote-label$)/

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
