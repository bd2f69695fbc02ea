import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { type TemplateTagKind, templateTags } from '../../brand/markdown/template-tags.ts'
import { type ReadBlock, visibleText } from '../../brand/markdown/visible-text.ts'
import { problem } from '../folder/findings.ts'

/**
 * Reports the tags of other systems on a page: the first on each line, and only the number of lines beyond a limit.
 * Ignores code and hidden HTML, except indented blocks that contain only tags and pictures.
 */
export function templateTagProblems(text: string, blocks: readonly ReadBlock[]): Problem[] {
  if (!text.includes('{') && !MODULE_LINE.test(text)) return []
  const tags = blocks.flatMap(block => {
    const visible = visibleText(block)
    return templateTags(visible).map(({ start, end, kind }) => {
      return { start: block.start + start, source: visible.slice(start, end), kind }
    })
  })
  const reported: { line: number; source: string; kind: TemplateTagKind }[] = []
  let line = 1
  let at = 0
  for (const { start, ...tag } of tags) {
    for (; at < start; at++) if (text[at] === '\n') line++
    if (reported.at(-1)?.line !== line) reported.push({ line, ...tag })
  }
  const problems = reported.slice(0, MAX_REPORTED).map(({ line, source, kind }) => {
    const message = `${quote(source)} is a tag of another system, which housestyle does not replace: ${adviceOn(source, kind)}`
    return problem('template-tag', message, line)
  })
  const next = reported[MAX_REPORTED]
  const more = `and ${reported.length - MAX_REPORTED} more lines of this page have tags of other systems: write their results, or remove them`
  return next ? [...problems, problem('template-tag', more, next.line)] : problems
}

/** The maximum per page; further findings would need the same fix. */
const MAX_REPORTED = 10
const MODULE_LINE = /^[ \t>]*(?:import|export)[ \t]/m

/** The replacement for a tag, by its first word. */
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
  [/^(?:embed|video|vimeo|youtube)$/i, 'link to it in a separate paragraph'],
  [/^(?:code|highlight)$/i, 'write a code fence'],
  [/^(?:toc|raw|comment|nomarkdown|end\w+)$/i, 'remove it'],
]

const ADVICE: Readonly<Record<TemplateTagKind, string>> = {
  statement: 'write its result in Markdown, or remove it',
  value: 'write the value itself',
  shortcode: 'write its result in Markdown, or remove it',
  attributes: 'remove it; "theme" in project.yaml sets how pages look',
  module: 'replace it with the imported content, in Markdown',
}

function adviceOn(source: string, kind: TemplateTagKind): string {
  const name = kind === 'module' ? '' : (/[\w-]+/.exec(source)?.[0] ?? '')
  return ADVICE_BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? ADVICE[kind]
}
