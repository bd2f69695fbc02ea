import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { isTagsAndPictures, type TemplateTagKind, templateTags } from '../../brand/markdown/template-tags.ts'
import { problem } from '../folder/findings.ts'
import type { Leaf } from './blocks.ts'
import type { Inline } from './inline.ts'
import type { Span } from './link-syntax.ts'

/** A leaf block with the inlines in its text. */
type Block = Leaf & { inlines: readonly Inline[] }

/**
 * Reports the tags of other systems in a page, the first of each line, and of many lines how many there are. Code and
 * HTML that is not shown have none, but for indented blocks of nothing but tags and pictures.
 */
export function templateTagProblems(text: string, blocks: readonly Block[]): Problem[] {
  if (!text.includes('{') && !MODULE_LINE.test(text)) return []
  const tags = blocks.flatMap(block => {
    const shown = shownText(block)
    return templateTags(shown).map(({ start, end, kind }) => {
      return { start: block.start + start, written: shown.slice(start, end), kind }
    })
  })
  const found: { line: number; written: string; kind: TemplateTagKind }[] = []
  let line = 1
  let at = 0
  for (const { start, ...tag } of tags) {
    for (; at < start; at++) if (text[at] === '\n') line++
    if (found.at(-1)?.line !== line) found.push({ line, ...tag })
  }
  const problems = found.slice(0, MAX_REPORTED).map(({ line, written, kind }) => {
    const message = `${quote(written)} is a tag of another system, which nothing fills in here: ${adviceOn(written, kind)}`
    return problem('template-tag', message, line)
  })
  const next = found[MAX_REPORTED]
  const more = `and ${found.length - MAX_REPORTED} more lines of this page have tags of other systems: write what they would make, or remove them`
  return next ? [...problems, problem('template-tag', more, next.line)] : problems
}

/** Of a page; what is to be done about the others is the same. */
const MAX_REPORTED = 10
const MODULE_LINE = /^[ \t>]*(?:import|export)[ \t]/m

/** The text of a block with spaces in place of its code, and of HTML that is not shown. */
function shownText({ kind, text, inlines }: Block): string {
  if (kind === 'footnote-label' || (kind === 'indented-code' && !isTagsAndPictures(text))) return ''
  const withoutCode = blanked(
    text,
    inlines.filter(inline => inline.kind === 'code'),
  )
  return blanked(withoutCode, hiddenHtml(withoutCode))
}

/** Spans may overlap or stand in each other; they are in the order of their ends. */
function blanked(text: string, spans: readonly Span[]): string {
  let shown = ''
  let at = 0
  for (const { start, end } of spans) {
    if (start < at) continue
    shown += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ')
    at = end
  }
  return shown + text.slice(at)
}

/** Comments, and elements of code; of elements, up to the first end tag of their name. */
function hiddenHtml(text: string): Span[] {
  const spans: Span[] = []
  const missing = new Set<string>()
  const opening = /<(?:!--|(code|kbd|pre|samp|script|style|textarea)(?=[\s>]))/gi
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const name = found[1]?.toLowerCase() ?? ''
    const closing = name === '' ? /-->/g : new RegExp(`</${name}\\s*>`, 'gi')
    closing.lastIndex = found.index
    const end = !missing.has(name) && closing.test(text) ? closing.lastIndex : undefined
    if (end === undefined) missing.add(name)
    else spans.push({ start: found.index, end })
    opening.lastIndex = end ?? opening.lastIndex
  }
  return spans
}

/** What to write instead, by the name that a tag begins with. */
const ADVICE_BY_NAME: readonly (readonly [name: RegExp, advice: string])[] = [
  [
    /^(?:figure|image|img|picture|asset_img|gallery)$/i,
    'write a picture, as in ![what it shows](../files/logo.svg "caption")',
  ],
  [/^(?:link|post_url|ref|relref|url)$/i, 'write a relative link, as in [Logo](logo.md)'],
  [
    /^(?:alert|admonition|callout|caution|hint|important|info|note|notice|tip|warning)$/i,
    'write a quote that begins with [!NOTE]',
  ],
  [/^(?:embed|video|vimeo|youtube)$/i, 'write a link to it in a paragraph of its own'],
  [/^(?:code|highlight)$/i, 'write a code fence'],
  [/^(?:toc|raw|comment|nomarkdown|end\w+)$/i, 'remove it'],
]

const ADVICE: Readonly<Record<TemplateTagKind, string>> = {
  statement: 'write in Markdown what it would make, or remove it',
  value: 'write the value itself',
  shortcode: 'write in Markdown what it would make, or remove it',
  attributes: 'remove it; how pages look is said by "theme" in project.yaml',
  module: 'remove it, and write in Markdown what it brings in',
}

function adviceOn(written: string, kind: TemplateTagKind): string {
  const name = kind === 'module' ? '' : (/[\w-]+/.exec(written)?.[0] ?? '')
  return ADVICE_BY_NAME.find(([known]) => known.test(name))?.[1] ?? ADVICE[kind]
}
