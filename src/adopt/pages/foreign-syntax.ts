import { hiddenParts, OBSIDIAN_LINKS } from '#intake/markdown/foreign-syntax.ts'

/** The matches of one row, at offsets of the text. Without a program: in lines that open code, rules and comments. */
type ForeignSyntax = { program: string; id?: SyntaxId; matches: RegExpExecArray[] }

/**
 * Finds syntax of other programs that has no effect here. The parts of a match are of the shown text.
 *
 * @param shown gives the text of the page, as `shownPage` does
 */
export function foreignSyntax(text: string, shown: () => string): ForeignSyntax[] {
  const inText = Object.entries(SYNTAX).flatMap(([program, rows]) =>
    rows.flatMap(([id, needle, pattern]) => {
      if (typeof needle === 'string' ? !text.includes(needle) : !needle.test(text)) return []
      return [{ program, id, matches: Array.from(shown().matchAll(pattern)) }]
    }),
  )
  return [...inText, ...hiddenParts(text, shown).map(({ matches }) => ({ program: '', matches }))]
}

/** A name, a fast test that every page with a match passes, and a pattern for the shown text of a page. */
type Syntax = readonly [id: string, needle: string | RegExp, pattern: RegExp]

/**
 * The syntax of other programs. In the text, markers of blocks are spaces, and code, tags and addresses are `\uFFFC`.
 * Sources: the documentation of each program.
 */
const SYNTAX = {
  Obsidian: [
    ...OBSIDIAN_LINKS,
    ['highlight', '==', /(?<![=\p{L}\p{N}])==(?=[^\s=])[^=\n]*[^\s=]==(?![=\p{L}\p{N}])/gu],
    ['widePicture', /\|\s*\d[\dx]*\]/, /!\[[^[\]\n]*\|\s*\d+(?:x\d+)?\](?=\()/g],
    ['blockId', '^', /\^(?<=(?:^[ \t]*|\S[ \t])\^)(?=[\d-]*[a-z])[a-z0-9-]+[ \t]*$/gim],
    ['openComment', '%%', /^[ \t]*%%(?=\s|\p{L})(?!\w+%%)/gmu],
  ],
  'MkDocs or pymdownx': [
    ['admonition', '!!!', /^[ \t]*!!![ \t]*[\w-]+(?!.*![ \t]*$).*$/gm],
    ['collapsible', '???', /^[ \t]*\?\?\?\+?[ \t]*[\w-]+.*$/gm],
    ['tab', '===', /^[ \t]*===[+!]?[ \t]+["'].*$/gm],
    ['contents', /\[_?toc/i, /^[ \t]*\[\[?_?toc_?\]?\][ \t]*$/gim],
    ['snippet', '8<', /^[ \t]*[-;]+8<[-;]+.*$/gm],
    ['keys', '++', /(?<![\w+{])\+\+(?=[\w"])[\w"+-]*[\w"]\+\+(?![\w+])/g],
    ['inserted', '^^', /(?<!\^)\^\^(?=\S)[^^\n]*[^\s^]\^\^/g],
    ['block', '///', /^[ \t]*\/{3,}[ \t]*[a-z][\w-]*.*$/gim],
    ['edit', /\{[+~=-]/, /\{(?:\+\+|--|~~|==)[^{}]*(?:\+\+|--|~~|==)\}/g],
    ['progress', '[=', /\[=\d[^[\]\n]*\]/g],
  ],
  'MkDocs, GitHub or Slack': [
    ['emoji', /:[\w+-]+:/, /(?<![\p{L}\p{N}:/\uFFFC]):(?=[a-z+-])[\w+-]*[a-z0-9]:(?![\p{L}\p{N}:/\uFFFC])/giu],
  ],
  'Docusaurus, VitePress or Starlight': [
    ['container', ':::', /^[ \t]*:{3,}[ \t]*(?=[a-z])(?!.*:{3,}[ \t]*$).*$/gim],
    ['directive', '::', /^[ \t]*::[a-z][\w-]*[[{].*$/gim],
    ['textDirective', /:[\w-]+\[/, /(?<![\p{L}\p{N}:]):[a-z][\w-]*\[[^[\]\n]*\]/giu],
    ['codeFile', '<<<', /^[ \t]*<<<[ \t]*\S.*$/gm],
    ['component', /<[A-Z]\w*\.|=\{/, /<(?:[A-Z]\w*\.\w+|[A-Za-z][\w.-]*\s[^<>]*=\{)[^<>]*>?/g],
    ['variable', /\{(?:props|front|site)/, /(?<![{$])\{(?:props|front[mM]atter|siteConfig)\.[\w.]+\}/g],
    ['player', '@[', /(?<!\S)@\[[\w-]+\](?=\()/g],
  ],
  'MyST or Sphinx': [
    ['target', ')=', /^[ \t]*\(([^()\n]+)\)=[ \t]*$/gm],
    ['role', '}`', /\{[a-z][\w:+-]*\}(?=\uFFFC)/gi],
    ['reference', ':`', /(?<![\p{L}\p{N}]):[a-z][\w:+-]*:(?=\uFFFC)/giu],
    ['pageBreak', '+++', /(?<=\n)[ \t]*\+{3}[ \t]*$/gm],
    ['sphinxDirective', '::', /^[ \t]*\.\.[ \t]+[\w-]+::.*$/gm],
    ['emptyLink', '[](', /(?<!!)\[\]\(/g],
  ],
  GitHub: [
    [
      'struck',
      '~',
      /(?<![~\\])~(?![\s~])(?!(?<=[\p{L}\p{N})]~)[^\s~]{1,12}(?!(?<=\p{N})~\p{N})~)(?:(?! {3})[^~\n]|\n(?=\S)){1,500}(?<![\s\\])~(?!~)/gu,
    ],
  ],
  Pandoc: [
    ['div', ':::', /^[ \t]*:{3,}[ \t]*\{[^{}\n]*\}.*$/gm],
    ['inlineNote', '^[', /\^\[[^[\]\n]+\]/g],
    ['subscript', '~', /(?<=[\p{L}\p{N})])~[^\s~]{1,12}(?!(?<=\p{N})~\p{N})~(?!~)/gu],
    ['superscript', '^', /(?<=[\p{L}\p{N})])\^[^\s^[\]]{1,12}\^/gu],
    ['citation', /\[-?@/, /\[-?@\w[^\s[\]@;,/]*(?:[;,][^[\]\n]*)?\](?![([])/g],
    ['gridTable', '+-', /^(?<!\|[ \t]*\n)[ \t]*\+(?:[-=:]{2,}\+)+[ \t]*$/gm],
    ['autoNumber', '#.', /^[ \t]*#\.[ \t]+\S.*$/gm],
    ['example', '(@', /^[ \t]*\(@[\w-]*\)[ \t]+\S.*$/gm],
    ['titleBlock', /^% /, /^% .*/g],
    ['unnumbered', '{-}', /[ \t]\{-\}[ \t]*$/gm],
    ['tableTitle', /^\s*: /, /^\s*:[ \t]+\S[^\n]*/g],
    ['formulaBlock', '$$', /^[ \t]*\$\$[^$]+\$\$/gm],
    ['formula', /\$[^$\n]*[\\^_=]/, /(?<![$\w\\])\$(?=[^\s$])(?=[^$\n]*[\\^_=])[^$\n]{0,200}[^\s$\\]\$(?![\w${])/g],
    [
      'latex',
      '\\',
      /^[ \t]*\\(?:(?:new|clear)?page(?:break)?|(?:begin|end|vspace|hspace)\{.*\}|noindent|tableofcontents).*$/gm,
    ],
  ],
  'kramdown or Python-Markdown': [
    ['abbreviation', '*[', /^[ \t]*\*\[[^[\]\n]+\]:.*$/gm],
    ['definition', /^[ \t>]*:[ \t]/m, /(?<=\S[ \t]*\n(?:[ \t]*\n)?)[ \t]{0,3}:[ \t]+\S.*$/gm],
    ['attributeList', /\{:?[ \t]*[.#a-z=-]/i, attributeList()],
    ['pictureSize', /[ \t]=\d/, /\]\([^()\s]+[ \t]+=\d*(?!\d)%?x?\d*%?[ \t]*(?:"[^"\n]*")?\)/g],
  ],
  Docsify: [['hint', /[!?]>/, /^[ \t]*[!?]>[ \t]+\S.*$/gm]],
} as const satisfies Readonly<Record<string, readonly Syntax[]>>

/** The name of a row. */
export type SyntaxId = (typeof SYNTAX)[keyof typeof SYNTAX][number][0]

/** `{.class}`, `{#id key="value"}`, and `{width=50%}` after a picture, link, span or code. */
function attributeList(): RegExp {
  const [mark, value] = ['[.#][\\p{L}_][^\\s{}]*', '[a-z][\\w-]*=(?:"[^"\n]*"|\'[^\'\n]*\')']
  const any = `(?:${mark}|${value}|[a-z][\\w-]*=[^\\s{}"']+|=[a-z]+|-)`
  const first = `\\{(?<!::.{0,99}\\{):?[ \\t]*(?:${mark}|${value})|(?<=[)\\]\\uFFFC]\\n?)\\{:?[ \\t]*${any}`
  return new RegExp(`(?:${first})(?:[ \\t]+${any})*[ \\t]*\\}`, 'gu')
}
