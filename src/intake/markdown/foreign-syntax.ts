import type { Problem } from '#brand/finding.ts'
import { headingIds } from '#formats/markdown/heading-ids.ts'
import { type Block, visibleText } from '#formats/markdown/page-blocks.ts'
import { type TemplateTag, type TemplateTagKind, templateTags } from '#formats/markdown/template-tags.ts'
import { quote } from '#platform/base/text.ts'
import { type Found, firstOnLines } from './problems-at.ts'

/**
 * Reports tags of template systems, and syntax of other programs that has no effect here, but not in code.
 *
 * @param shown gives the text of the page, as `shownPage` does
 */
export function foreignSyntaxProblems(text: string, blocks: readonly Block[], shown: () => string): Problem[] {
  return [...templateTagProblems(text, blocks), ...syntaxProblems(text, shown)]
}

/** A name, a fast test that each text with a match passes, a pattern for the shown text of a page, and what to write. */
type Syntax = readonly [name: string, needle: string | RegExp, pattern: RegExp, advice: Advice]
type Advice = string | ((match: RegExpExecArray) => string)

const DETAILS = 'write <details><summary>…</summary>, a blank line, the text without its indentation, and </details>'
const ICON = 'write the character itself, such as ✓, or a picture'
const LINK = 'write a relative link, as in [Logo](logo.md), or only the text'
const TABLE = 'write a table with | between its cells, and |---|---| below the first line'
const FORMULA = 'write the formula as code, or show a picture of it'
const SIZE = 'write <img src="…" alt="…" width="200">'

/**
 * The syntax of other programs. In the text, markers of blocks are spaces, and code, tags and addresses are `\uFFFC`.
 * Sources: the documentation of each program.
 */
const SYNTAX = {
  Obsidian: [
    ['embed', '![[', /!\[\[([^[\]|\n]+)(?:\|[^[\]\n]*)?\]\]/g, 'write ![what it shows](../files/$1), or a link'],
    [
      'wikiLink',
      '[[',
      /(?<![!\\])\[\[(?!_?toc_?\]\]|\])([^[\]|#\n]*)(?:#([^[\]|\n]*))?(?:\|([^[\]\n]+))?\]\](?![([])/gi,
      linkFor,
    ],
    ['highlight', '==', /(?<![=\p{L}\p{N}])==(?=[^\s=])[^=\n]*[^\s=]==(?![=\p{L}\p{N}])/gu, 'write <mark>…</mark>'],
    [
      'callout',
      '[!',
      /^[ \t]*\[!(?!(?:note|tip|important|warning|caution)\][ \t]*$)([a-z][\w-]*)(?![\w-])[^\]\n]*\].*$/gim,
      'write [!NOTE], [!TIP], [!IMPORTANT], [!WARNING] or [!CAUTION] alone on the first line, and a title in bold below it',
    ],
    ['widePicture', /\|\s*\d[\dx]*\]/, /!\[[^[\]\n]*\|\s*\d+(?:x\d+)?\](?=\()/g, SIZE],
    [
      'blockId',
      '^',
      /\^(?<=(?:^[ \t]*|\S[ \t])\^)(?=[\d-]*[a-z])[a-z0-9-]+[ \t]*$/gim,
      'end a heading with {#…}, and link to that',
    ],
    ['openComment', '%%', /^[ \t]*%%(?=\s|\p{L})(?!\w+%%)/gmu, 'close the comment with %%; its text is published'],
  ],
  'MkDocs or pymdownx': [
    ['admonition', '!!!', /^[ \t]*!!![ \t]*[\w-]+(?!.*![ \t]*$).*$/gm, noteFor],
    ['collapsible', '???', /^[ \t]*\?\?\?\+?[ \t]*[\w-]+.*$/gm, DETAILS],
    [
      'tab',
      '===',
      /^[ \t]*===[+!]?[ \t]+["'].*$/gm,
      `for each tab, ${DETAILS.replace('<details>', '<details name="…">')}`,
    ],
    ['contents', /\[_?toc/i, /^[ \t]*\[\[?_?toc_?\]?\][ \t]*$/gim, 'remove it; the website lists the headings'],
    ['snippet', '8<', /^[ \t]*[-;]+8<[-;]+.*$/gm, 'write the text of that file'],
    ['keys', '++', /(?<![\w+{])\+\+(?=[\w"])[\w"+-]*[\w"]\+\+(?![\w+])/g, 'write <kbd>…</kbd>'],
    ['inserted', '^^', /(?<!\^)\^\^(?=\S)[^^\n]*[^\s^]\^\^/g, 'write <ins>…</ins>'],
    ['block', '///', /^[ \t]*\/{3,}[ \t]*[a-z][\w-]*.*$/gim, noteFor],
    ['edit', /\{[+~=-]/, /\{(?:\+\+|--|~~|==)[^{}]*(?:\+\+|--|~~|==)\}/g, 'write only the final text'],
    ['progress', '[=', /\[=\d[^[\]\n]*\]/g, 'write the number'],
  ],
  'MkDocs, GitHub or Slack': [
    ['emoji', /:[\w+-]+:/, /(?<![\p{L}\p{N}:/\uFFFC]):(?=[a-z+-])[\w+-]*[a-z0-9]:(?![\p{L}\p{N}:/\uFFFC])/giu, ICON],
  ],
  'Docusaurus, VitePress or Starlight': [
    ['container', ':::', /^[ \t]*:{3,}[ \t]*(?=[a-z])(?!.*:{3,}[ \t]*$).*$/gim, noteFor],
    ['directive', '::', /^[ \t]*::[a-z][\w-]*[[{].*$/gim, 'write its result'],
    ['textDirective', /:[\w-]+\[/, /(?<![\p{L}\p{N}:]):[a-z][\w-]*\[[^[\]\n]*\]/giu, 'write its text, or HTML'],
    ['codeFile', '<<<', /^[ \t]*<<<[ \t]*\S.*$/gm, 'write the code of that file'],
    [
      'component',
      /<[A-Z]\w*\.|=\{/,
      /<(?:[A-Z]\w*\.\w+|[A-Za-z][\w.-]*\s[^<>]*=\{)[^<>]*>?/g,
      'write its text in Markdown',
    ],
    [
      'variable',
      /\{(?:props|front|site)/,
      /(?<![{$])\{(?:props|front[mM]atter|siteConfig)\.[\w.]+\}/g,
      'write the value itself',
    ],
    ['player', '@[', /(?<!\S)@\[[\w-]+\](?=\()/g, 'link to it in a separate paragraph'],
  ],
  'MyST or Sphinx': [
    ['target', ')=', /^[ \t]*\(([^()\n]+)\)=[ \t]*$/gm, 'end the heading below with {#$1}'],
    ['role', '}`', /\{[a-z][\w:+-]*\}(?=\uFFFC)/gi, LINK],
    ['reference', ':`', /(?<![\p{L}\p{N}]):[a-z][\w:+-]*:(?=\uFFFC)/giu, LINK],
    ['pageBreak', '+++', /(?<=\n)[ \t]*\+{3}[ \t]*$/gm, 'remove it'],
    ['sphinxDirective', '::', /^[ \t]*\.\.[ \t]+[\w-]+::.*$/gm, noteFor],
    ['emptyLink', '[](', /(?<!!)\[\]\(/g, 'write the text of the link between the brackets'],
  ],
  GitHub: [
    [
      'struck',
      '~',
      /(?<![~\\])~(?![\s~])(?!(?<=[\p{L}\p{N})]~)[^\s~]{1,12}(?!(?<=\p{N})~\p{N})~)(?:(?! {3})[^~\n]|\n(?=\S)){1,500}(?<![\s\\])~(?!~)/gu,
      'write ~~…~~ to strike it out, or \\~ for the sign itself',
    ],
  ],
  Pandoc: [
    ['div', ':::', /^[ \t]*:{3,}[ \t]*\{[^{}\n]*\}.*$/gm, noteFor],
    ['inlineNote', '^[', /\^\[[^[\]\n]+\]/g, 'write [^1], and [^1]: … in a separate paragraph'],
    ['subscript', '~', /(?<=[\p{L}\p{N})])~[^\s~]{1,12}(?!(?<=\p{N})~\p{N})~(?!~)/gu, 'write <sub>…</sub>'],
    ['superscript', '^', /(?<=[\p{L}\p{N})])\^[^\s^[\]]{1,12}\^/gu, 'write <sup>…</sup>'],
    ['citation', /\[-?@/, /\[-?@\w[^\s[\]@;,/]*(?:[;,][^[\]\n]*)?\](?![([])/g, 'write a footnote or a link'],
    ['gridTable', '+-', /^(?<!\|[ \t]*\n)[ \t]*\+(?:[-=:]{2,}\+)+[ \t]*$/gm, TABLE],
    ['autoNumber', '#.', /^[ \t]*#\.[ \t]+\S.*$/gm, 'write 1.'],
    ['example', '(@', /^[ \t]*\(@[\w-]*\)[ \t]+\S.*$/gm, 'write 1.'],
    ['titleBlock', /^% /, /^% .*/g, 'write title: … in front matter, between --- lines'],
    ['unnumbered', '{-}', /[ \t]\{-\}[ \t]*$/gm, 'remove it'],
    ['tableTitle', /^\s*: /, /^\s*:[ \t]+\S[^\n]*/g, 'write the title of the table in bold above it'],
    ['formulaBlock', '$$', /^[ \t]*\$\$[^$]+\$\$/gm, FORMULA],
    [
      'formula',
      /\$[^$\n]*[\\^_=]/,
      /(?<![$\w\\])\$(?=[^\s$])(?=[^$\n]*[\\^_=])[^$\n]{0,200}[^\s$\\]\$(?![\w${])/g,
      FORMULA,
    ],
    [
      'latex',
      '\\',
      /^[ \t]*\\(?:(?:new|clear)?page(?:break)?|(?:begin|end|vspace|hspace)\{.*\}|noindent|tableofcontents).*$/gm,
      'remove it',
    ],
  ],
  'kramdown or Python-Markdown': [
    ['abbreviation', '*[', /^[ \t]*\*\[[^[\]\n]+\]:.*$/gm, 'write <abbr title="…">…</abbr> around the word'],
    [
      'definition',
      /^[ \t>]*:[ \t]/m,
      /(?<=\S[ \t]*\n(?:[ \t]*\n)?)[ \t]{0,3}:[ \t]+\S.*$/gm,
      'write <dl><dt>…</dt><dd>…</dd></dl>, or a list',
    ],
    ['attributeList', /\{:?[ \t]*[.#a-z=-]/i, attributeList(), `remove it; for the size of a picture, ${SIZE}`],
    ['pictureSize', /[ \t]=\d/, /\]\([^()\s]+[ \t]+=\d*(?!\d)%?x?\d*%?[ \t]*(?:"[^"\n]*")?\)/g, SIZE],
  ],
  Docsify: [['hint', /[!?]>/, /^[ \t]*[!?]>[ \t]+\S.*$/gm, noteFor]],
} as const satisfies Readonly<Record<string, readonly Syntax[]>>

/** The name of a row. */
export type SyntaxId = (typeof SYNTAX)[keyof typeof SYNTAX][number][0]

/** Syntax that the text of a page does not have: in the line that opens a code block, rules and comments. */
const FENCES: readonly (readonly [pattern: RegExp, advice: Advice])[] = [
  [/^[ \t>]*(?:`{3,}|~{3,})[ \t]*\{(?!(?:r|python|julia|bash|sql|ojs)[\s,}])[a-z][\w:.-]*\}.*$/gim, noteFor],
  [
    /^[ \t>]*(?:`{3,}|~{3,})[^\n`]{0,99}?(?:\b(?:title|caption|filename)=|\s\[[^[\]\n]{1,99}\])[^\n]*$/gim,
    'write the title above the code',
  ],
  [/^[ \t>]*(?:`{3,}|~{3,})[ \t]*\{=[\w-]+\}.*$/gm, 'write its result in Markdown or HTML, without the code fence'],
  [/^[ \t>]*-{3,}(?:[ \t]+-{3,})+[ \t]*$/gm, TABLE],
  [/<!--[ \t]*@include:[^<\n]{0,300}?-->/g, 'write the text of that file'],
]

/** `{.class}`, `{#id key="value"}`, and `{width=50%}` after a picture, link, span or code. */
function attributeList(): RegExp {
  const [mark, value] = ['[.#][\\p{L}_][^\\s{}]*', '[a-z][\\w-]*=(?:"[^"\n]*"|\'[^\'\n]*\')']
  const any = `(?:${mark}|${value}|[a-z][\\w-]*=[^\\s{}"']+|=[a-z]+|-)`
  const first = `\\{(?<!::.{0,99}\\{):?[ \\t]*(?:${mark}|${value})|(?<=[)\\]\\uFFFC]\\n?)\\{:?[ \\t]*${any}`
  return new RegExp(`(?:${first})(?:[ \\t]+${any})*[ \\t]*\\}`, 'gu')
}

/** The quote that replaces a container of another program, by the name of that. */
function noteFor([source]: RegExpExecArray): string {
  if (/\bdetails|collaps|dropdown/i.test(source)) return DETAILS
  const kind = alertKind(source)
  const end = source.includes(':::') ? ', and remove the ::: below' : ''
  return `write > [!${kind}] on a separate line, and > before each line of the text, without indentation${end}`
}

/** The alert that is closest to a container of another program, by the name of that. */
export function alertKind(name: string): string {
  return NOTES.find(([names]) => names.test(name))?.[1] ?? 'NOTE'
}

const NOTES = [
  [/tip|hint|success/i, 'TIP'],
  [/important/i, 'IMPORTANT'],
  [/warn|attention/i, 'WARNING'],
  [/caution|danger|error|fail|bug/i, 'CAUTION'],
] as const

/** A relative link instead of `[[page#heading|label]]`. */
function linkFor([, page = '', heading, label]: RegExpExecArray): string {
  const anchor = heading === undefined ? '' : `#${headingIds()(heading)}`
  const path = page === '' ? '' : `${page.trim().replaceAll(' ', '%20')}.md`
  return `write [${label ?? (page.trim() || heading)}](${path}${anchor})`
}

function syntaxProblems(text: string, shown: () => string): Problem[] {
  return foreignSyntax(text, shown).flatMap(({ program, advice, matches }) => {
    const why = program === '' ? 'has a part that is not shown here' : `is ${program} syntax, which has no effect here`
    const found = matches.map(match => {
      const source = quote(text.slice(match.index, match.index + match[0].length).trim())
      const at = program === '' ? fenceEnd(match) : match.index
      return { at, message: `${source} ${why}: ${fixFor(match, advice)}` }
    })
    return onLines(text, found)
  })
}

/** The matches of one row, at offsets of the text. Without a program: in lines that open code, rules and comments. */
type ForeignSyntax = { program: string; id?: SyntaxId; advice: Advice; matches: RegExpExecArray[] }

/** Finds syntax of other programs that has no effect here. The parts of a match are of the shown text. */
export function foreignSyntax(text: string, shown: () => string): ForeignSyntax[] {
  const inText = Object.entries(SYNTAX).flatMap(([program, rows]) =>
    rows.flatMap(([id, needle, pattern, advice]) => {
      if (typeof needle === 'string' ? !text.includes(needle) : !needle.test(text)) return []
      return [{ program, id, advice, matches: Array.from(shown().matchAll(pattern)) }]
    }),
  )
  const inFences = FENCES.map(([pattern, advice]) => {
    const matches = Array.from(text.matchAll(pattern)).filter(match => shown()[fenceEnd(match)] === ' ')
    return { program: '', advice, matches }
  })
  return [...inText, ...inFences]
}

function fenceEnd({ 0: line, index }: RegExpExecArray): number {
  return index + line.trimEnd().length - 1
}

function fixFor(match: RegExpExecArray, advice: Advice): string {
  return typeof advice === 'string' ? advice.replace(/\$(\d)/g, (_, group) => match[group] ?? '') : advice(match)
}

/** Findings for the first of each line; beyond a limit, only their number. */
function onLines(text: string, found: readonly Found[]): Problem[] {
  const all = firstOnLines(text, 'template-tag', found)
  const next = all[MAX_REPORTED]
  const message = `and ${all.length - MAX_REPORTED} more lines of this page have tags of other systems: write their results, or remove them`
  return next ? [...all.slice(0, MAX_REPORTED), { ...next, message }] : all
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
