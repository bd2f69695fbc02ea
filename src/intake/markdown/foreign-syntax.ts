import type { Problem } from '#brand/finding.ts'
import { headingIds } from '#formats/markdown/heading-ids.ts'
import { type Block, visibleText } from '#formats/markdown/page-blocks.ts'
import { type TemplateTag, type TemplateTagKind, templateTags } from '#formats/markdown/template-tags.ts'
import { anyOf, groupsOf, quote, wordsIn, wordTable } from '#platform/base/text.ts'
import { type Found, firstOnLines } from './problems-at.ts'

/**
 * Reports tags of template systems, links and callouts of Obsidian, and parts that the page does not show, but not in
 * code. Other syntax that has no effect here is shown as written.
 *
 * @param shown gives the text of the page, as `shownPage` does
 */
export function foreignSyntaxProblems(text: string, blocks: readonly Block[], shown: () => string): Problem[] {
  return [
    ...templateTagProblems(text, blocks),
    ...OBSIDIAN_LINKS.flatMap(row => obsidianProblems(text, shown, row)),
    ...hiddenParts(text, shown).flatMap(({ matches, advice }) => hiddenPartProblems(text, matches, advice)),
    ...emptyLinkProblems(text, shown),
  ]
}

const ALERTS = anyOf(wordsIn('note, tip, important, warning, caution'))

/**
 * Links and callouts of Obsidian: a string that each text with a match has, and a pattern for the shown text of a page.
 * Source: its documentation. Examples: `![[logo.svg|200]]`; `[[page#heading|label]]`, but not `[[_TOC_]]`; `[!info] Title`,
 * and `[!NOTE]` only with a title, because GitHub's form without one has an effect here.
 */
export const OBSIDIAN_LINKS = [
  ['embed', '![[', /!\[\[([^[\]|\n]+)(?:\|[^[\]\n]*)?\]\]/g],
  ['wikiLink', '[[', /(?<![!\\])\[\[(?!_?toc_?\]\]|\])([^[\]|#\n]*)(?:#([^[\]|\n]*))?(?:\|([^[\]\n]+))?\]\](?![([])/gi],
  ['callout', '[!', new RegExp(String.raw`^[ \t]*\[!(?!${ALERTS}\][ \t]*$)([a-z][\w-]*)(?![\w-])[^\]\n]*\].*$`, 'gim')],
] as const

type ObsidianRow = (typeof OBSIDIAN_LINKS)[number]

function obsidianProblems(text: string, shown: () => string, [id, needle, pattern]: ObsidianRow): Problem[] {
  const found = shownMatches(text, shown, needle, pattern).map(match => {
    const why = 'is Obsidian syntax, which has no effect here'
    return { at: match.index, message: `${sourceOf(text, match)} ${why}: ${OBSIDIAN_ADVICE[id](match)}` }
  })
  return onLines(text, found)
}

/** The matches of a pattern in the text that the page shows, if it has the string that each match has. */
function shownMatches(text: string, shown: () => string, needle: string, pattern: RegExp): RegExpExecArray[] {
  return text.includes(needle) ? Array.from(shown().matchAll(pattern)) : []
}

const OBSIDIAN_ADVICE: Readonly<Record<ObsidianRow[0], (match: RegExpExecArray) => string>> = {
  embed: ([, file]) => `write ![what it shows](../files/${file}), or a link`,
  wikiLink: linkFor,
  callout: () =>
    'write [!NOTE], [!TIP], [!IMPORTANT], [!WARNING] or [!CAUTION] alone on the first line, and a title in bold below it',
}

/** A relative link instead of `[[page#heading|label]]`. */
function linkFor([, page = '', heading, label]: RegExpExecArray): string {
  const anchor = heading === undefined ? '' : `#${headingIds()(heading)}`
  const path = page === '' ? '' : `${page.trim().replaceAll(' ', '%20')}.md`
  return `write [${label ?? (page.trim() || heading)}](${path}${anchor})`
}

/**
 * Finds parts that the page does not show: in the line that opens a code block, rules and comments. `shown` has spaces
 * for them at the same offsets, so a match counts only if its last character is not shown.
 */
export function hiddenParts(text: string, shown: () => string): { matches: RegExpExecArray[]; advice: string }[] {
  return HIDDEN_PARTS.map(([pattern, advice]) => ({
    matches: Array.from(text.matchAll(pattern)).filter(match => shown()[lastOf(match)] === ' '),
    advice,
  }))
}

/** Languages of code that runs. */
const LANGUAGES = anyOf(wordsIn('r, python, julia, bash, sql, ojs'))

const HIDDEN_PARTS: readonly (readonly [pattern: RegExp, advice: string])[] = [
  // "```{note}" is a directive of MyST, but "```{python}" is code.
  [
    new RegExp(String.raw`^[ \t>]*(?:\`{3,}|~{3,})[ \t]*\{(?!${LANGUAGES}[\s,}])[a-z][\w:.-]*\}.*$`, 'gim'),
    'write > [!NOTE] on a separate line, and > before each line of the text, without indentation',
  ],
  // "```js title="app.js"" and "```js [app.js]"
  [
    /^[ \t>]*([`~])\1{2,}[^\n`]{0,99}?(?:\b(?:title|caption|filename)=|\s\[[^[\]\n]{1,99}\])[^\n]*$/gim,
    'write the title above the code',
  ],
  // "```{=html}" is raw text of Pandoc.
  [/^[ \t>]*([`~])\1{2,}[ \t]*\{=[\w-]+\}.*$/gm, 'write its result in Markdown or HTML, without the code fence'],
  // "--- ---" is the rule of a simple table of Pandoc.
  [
    /^[ \t>]*-{3,}(?:[ \t]+-{3,})+[ \t]*$/gm,
    'write a table with | between its cells, and |---|---| below the first line',
  ],
  [/<!--[ \t]*@include:[^<\n]{0,300}?-->/g, 'write the text of that file'],
]

function hiddenPartProblems(text: string, matches: readonly RegExpExecArray[], advice: string): Problem[] {
  const found = matches.map(match => {
    return { at: lastOf(match), message: `${sourceOf(text, match)} has a part that is not shown here: ${advice}` }
  })
  return onLines(text, found)
}

/** The offset of the last character of a match, without blanks. */
function lastOf({ 0: line, index }: RegExpExecArray): number {
  return index + line.trimEnd().length - 1
}

function emptyLinkProblems(text: string, shown: () => string): Problem[] {
  const message = 'the link has no text, so readers cannot see it: write its text between the brackets'
  const matches = shownMatches(text, shown, '[](', /(?<!!)\[\]\(/g)
  return onLines(
    text,
    matches.map(({ index }) => ({ at: index, message })),
  )
}

/** A match as the page has it, because the shown text has spaces for some signs. */
function sourceOf(text: string, { 0: { length }, index }: RegExpExecArray): string {
  return quote(text.slice(index, index + length).trim())
}

/** Reports the first of each line, on at most `MAX_REPORTED` lines; then one problem counts the other lines. */
function onLines(text: string, found: readonly Found[]): Problem[] {
  const all = firstOnLines(text, 'template-tag', found)
  const firstOmitted = all[MAX_REPORTED]
  const message = `and ${all.length - MAX_REPORTED} more lines of this page have tags of other systems: write their results, or remove them`
  return firstOmitted ? [...all.slice(0, MAX_REPORTED), { ...firstOmitted, message }] : all
}

/** The maximum per page and kind; further findings would need the same fix. */
const MAX_REPORTED = 10

/** Reports the tags of template systems, also in indented blocks that contain only tags and pictures. */
function templateTagProblems(text: string, blocks: readonly Block[]): Problem[] {
  const found = foreignTags(text, blocks).map(({ start, source, kind }) => {
    const message = `${quote(source)} is a tag of another system, which housestyle does not replace: ${adviceOn(source, kind)}`
    return { at: start, message }
  })
  return onLines(text, found)
}

/** Finds the tags of template systems at their offsets in a page; `source` has spaces instead of markers of blocks. */
export function foreignTags(text: string, blocks: readonly Block[]): (TemplateTag & { source: string })[] {
  if (!text.includes('{') && !MODULE_LINE.test(text)) return []
  return blocks.flatMap(block => {
    const visible = visibleText(block)
    return templateTags(visible).map(({ start, end, kind }) => {
      return { start: block.start + start, end: block.start + end, kind, source: visible.slice(start, end) }
    })
  })
}

/** A line of MDX: `import Logo from './logo.jsx'`. */
const MODULE_LINE = /^[ \t>]*(?:import|export)[ \t]/m

/** The replacement for a tag, by its first word in lower case. */
const ADVICE_BY_NAME = wordTable([
  [
    'write a picture, as in ![what it shows](../files/logo.svg "caption")',
    'figure image img picture asset_img gallery',
  ],
  ['write a relative link, as in [Logo](logo.md)', 'link post_url ref relref url'],
  [
    'write a quote that begins with [!NOTE]',
    'alert admonition callout caution hint important info note notice tip warning',
  ],
  ['link to it in a separate paragraph', 'embed video vimeo youtube'],
  ['write a code fence', 'code highlight'],
  ['remove it', 'toc raw comment nomarkdown end-of-tag'],
])

const ADVICE: Readonly<Record<TemplateTagKind, string>> = {
  statement: 'write its result in Markdown, or remove it',
  value: 'write the value itself',
  shortcode: 'write its result in Markdown, or remove it',
  attributes: 'remove it; "theme" in project.yaml sets how pages look',
  module: 'replace it with the imported content, in Markdown',
}

/** The advice for the name of a tag, such as `figure` in `{{< figure >}}`; `endraw` is the end of a tag. Else for its kind. */
function adviceOn(source: string, kind: TemplateTagKind): string {
  const [name = ''] = groupsOf(/[\w-]+/, source)
  return ADVICE_BY_NAME.get(name.toLowerCase().replace(/^end\w+$/, 'end-of-tag')) ?? ADVICE[kind]
}
