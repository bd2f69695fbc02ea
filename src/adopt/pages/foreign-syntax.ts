import { fileStem } from '#brand/file.ts'
import { headingIds } from '#formats/markdown/heading-ids.ts'
import { OBSIDIAN_LINKS } from '#intake/markdown/foreign-syntax.ts'
import type { Edit } from '#platform/base/text.ts'
import { anyOf, groupsOf, inFormats, nameWords, wordsIn } from '#platform/base/text.ts'
import { alertKind } from './components.ts'
import { continued, encodePath, lineBefore } from './markup.ts'
import type { PageTask } from './page.ts'

/** A match in a page, with its text in the source, and the type of a callout. */
type Match = { start: number; end: number; source: string; type: string }

/** Gives the edits of a page that replace a match. */
type Converter = (match: Match, text: string, task: PageTask) => Edit[]

/**
 * A syntax of other programs. Patterns match the shown text, in which markers of blocks are spaces, and code, tags and
 * addresses `\uFFFC`. What is lost is removed, or stays as text.
 */
type ForeignSyntax = { what: string; pattern: RegExp; convert: Converter; isLost?: boolean }

const EMOJI = new Map(
  wordsIn(
    `white_check_mark ✅, heavy_check_mark ✔️, ballot_box_with_check ☑️, x ❌, no_entry ⛔, no_entry_sign 🚫,
  warning ⚠️, bulb 💡, information_source ℹ️, question ❓, exclamation ❗, rotating_light 🚨, construction 🚧,
  rocket 🚀, star ⭐, sparkles ✨, tada 🎉, fire 🔥, heart ❤️, +1 👍, -1 👎, thumbsup 👍, thumbsdown 👎, ok_hand 👌,
  clap 👏, wave 👋, raised_hands 🙌, point_right 👉, eyes 👀, smile 😄, smiley 😃, thinking 🤔, memo 📝, pencil ✏️,
  pencil2 ✏️, book 📖, books 📚, link 🔗, pushpin 📌, mag 🔍, key 🔑, lock 🔒, art 🎨, bug 🐛, wrench 🔧, gear ⚙️,
  package 📦, arrow_right ➡️, arrow_left ⬅️, arrow_up ⬆️, arrow_down ⬇️, calendar 📅, email 📧, phone ☎️,
  camera 📷, movie_camera 🎥`,
  ).map(pair => {
    const [name = '', emoji = ''] = pair.split(' ')
    return [name, emoji] as const
  }),
)
const EMOJI_NAME = anyOf([...EMOJI.keys()])
/** An icon of these sets is decoration; other names may be text. */
const ICON_NAME = `${anyOf(['material', 'fontawesome', 'octicons', 'simple', 'lucide'])}-[\\w-]+`

export const FOREIGN_SYNTAX: readonly ForeignSyntax[] = [
  { what: 'embed', pattern: OBSIDIAN_LINKS[0][2], convert: embed },
  { what: 'wiki link', pattern: OBSIDIAN_LINKS[1][2], convert: wikiLink },
  { what: 'callout', pattern: OBSIDIAN_LINKS[2][2], convert: callout },
  { what: 'reference to a page', pattern: /\{doc\}(?=\uFFFC)/g, convert: pageReference },
  { what: 'highlight', pattern: marked('==', '[^=\\n]'), convert: wrap('<mark>', '</mark>', 2) },
  { what: 'inserted text', pattern: marked('^^', '[^^\\n]'), convert: wrap('<ins>', '</ins>', 2) },
  { what: 'keys', pattern: marked('++', '[\\w"+-]'), convert: keys },
  { what: 'subscript', pattern: attached('~'), convert: wrap('<sub>', '</sub>', 1) },
  { what: 'superscript', pattern: attached('\\^'), convert: wrap('<sup>', '</sup>', 1) },
  { what: 'emoji or icon', pattern: shortcode(EMOJI_NAME), convert: emoji },
  { what: 'emoji or icon', pattern: shortcode(ICON_NAME), convert: remove, isLost: true },
  {
    what: 'emoji or icon',
    pattern: shortcode(`(?!${EMOJI_NAME}:|${ICON_NAME}:)[\\w+-]*[a-z0-9]`),
    convert: keep,
    isLost: true,
  },
  { what: 'table of contents', pattern: /^[ \t]*\[\[?_?toc_?\]?\][ \t]*$/gim, convert: remove },
  { what: 'definition', pattern: /(?<=\S[ \t]*\n(?:[ \t]*\n)?)[ \t]{0,3}:(?=[ \t]+\S)/g, convert: definition },
  { what: 'abbreviation', pattern: /^[ \t]*\*\[[^[\]\n]+\]:.*$/gm, convert: remove, isLost: true },
  {
    what: 'block id',
    pattern: /\^(?<=(?:^[ \t]*|\S[ \t])\^)(?=[\d-]*[a-z])[a-z0-9-]+[ \t]*$/gim,
    convert: remove,
    isLost: true,
  },
  { what: 'included file', pattern: /^[ \t]*(?:[-;]+8<[-;]+|<<<[ \t]*\S).*$/gm, convert: remove, isLost: true },
  ...[
    // A line that repeated marks begin and words follow: `!!! note`, `=== "Tab"`, `:::: grid`, but not `!! New !!`.
    /^[ \t]*(?!\/\/(?!\/))([!?=:/%])\1+[>\t ]*(?=[\p{L}"'{])(?!.*\1\1).*$/gmu,
    // A word or sign before brackets, or in them before a name: `:kbd[x]`, `^[a note]`, `[@Moss]`.
    /(?<![\p{L}\p{N}:])[:^@][\w-]*\[[^[\]\n]+\]|(?<!\])\[-?@\w[^[\]\n]*\](?![([])/gu,
    // Marks in braces, names with a dot in them, and names directly before code: `{++x++}`, `{props.x}`, `` {ref}`x` ``.
    /\{([+~=-]{2})[^{}]{0,500}\1\}|(?<![{$])\{\w{1,50}\.[\w.]{1,200}\}|(?:\{[a-z][\w:+-]{0,50}\}|:[a-z][\w:+-]{0,50}:)(?=\uFFFC)/gi,
    // A formula, such as `$a^2$`, and the line of a table drawn with signs.
    /(?<![$\w\\])(\$\$?)(?=[^\s$])(?=[^$\n]*[\\^_=])[^$\n]{0,200}[^\s$\\]\1(?![\w${])/g,
    /^(?<!\|[ \t]*\n)[ \t]*\+(?:[-=:]{2,}\+)+[ \t]*$/gm,
  ].map(pattern => ({ what: 'syntax of another program', pattern, convert: keep, isLost: true })),
]

/** The pattern of words between two equal marks, apart from other words. */
function marked(mark: string, inside: string): RegExp {
  const marks = RegExp.escape(mark)
  return apart(`[${RegExp.escape(mark.slice(1))}\\p{L}\\p{N}]`, `${marks}(?!\\s)${inside}+(?<!\\s)${marks}`)
}

/** A pattern that matches only without these signs before and after it. */
function apart(signs: string, inside: string): RegExp {
  return new RegExp(`(?<!${signs})${inside}(?!${signs})`, 'giu')
}

/** The pattern of a few signs between two equal ones, directly after a word. */
function attached(mark: string): RegExp {
  return new RegExp(`(?<=[\\p{L}\\p{N})])${mark}[^\\s[\\]${mark}]{1,12}${mark}(?!${mark})`, 'gu')
}

/** The pattern of a name between colons that are in no address, time or word. */
function shortcode(name: string): RegExp {
  return apart('[\\p{L}\\p{N}:/\\uFFFC]', `:${name}:`)
}

function keep(): Edit[] {
  return []
}

/** Removes a match, with one of the blanks around it. */
function remove({ start, end }: Match, text: string): Edit[] {
  const gap = Number(text[end] === ' ' && BEFORE_GAP.has(text.charAt(start - 1)))
  return [{ start, end: end + gap, text: '' }]
}

const BEFORE_GAP: ReadonlySet<string> = new Set(['', ' ', '\t', '\n', '[', '('])

/** Replaces the marks around words, in which other syntax is converted, too. */
function wrap(before: string, after: string, size: number): Converter {
  return ({ start, end }) => [
    { start, end: start + size, text: before },
    { start: end - size, end, text: after },
  ]
}

function keys({ start, end, source }: Match): Edit[] {
  const names = source.slice(2, -2).replaceAll('"', '').split('+')
  return [{ start, end, text: names.map(name => `<kbd>${name}</kbd>`).join('+') }]
}

function emoji({ start, end, source }: Match): Edit[] {
  return [{ start, end, text: `${EMOJI.get(source.slice(1, -1).toLowerCase())}` }]
}

/** An item of a list below the term in bold, so that the indented paragraphs of a definition belong to it. */
function definition({ start, end }: Match, text: string): Edit[] {
  const [all = '', term = ''] = groupsOf(TERM, text.slice(Math.max(0, start - 500), start))
  const from = start - all.length
  const bold = [from, from + term.length].map(at => ({ start: at, end: at, text: '**' }))
  return [...(term === '' ? [] : bold), { start, end, text: '-' }]
}

/** The line above a definition, if it begins with a word. */
const TERM = /(?<![^\n])([\p{L}\p{N}`"([][^*\n]*?)[ \t]*\n(?:[ \t]*\n)?[ \t]*$/u

/** Writes the type of a callout in a quotation as an alert, and its title in bold below it. */
function callout({ start, end, source, type }: Match, text: string): Edit[] {
  const at = source.indexOf(']') + 1
  const title = source.slice(at + Number(FOLDS.has(source.charAt(at)))).trim()
  const alert = { start, end: end - title.length, text: `[!${alertKind(type)}]` }
  const quote = continued(lineBefore(text, start))
  if (title === '') return [alert]
  return [
    { ...alert, text: `${alert.text}\n${quote}**` },
    { start: end, end, text: `**\n${quote.trimEnd()}` },
  ]
}

/** The signs of a callout that opens or closes. */
const FOLDS: ReadonlySet<string> = new Set(['+', '-'])

/** `![[file|text|size]]`, a picture or else a link. */
function embed({ start, end, source }: Match): Edit[] {
  const [file = '', ...words] = partsOf(source.slice(3, -2))
  // The size after the text is converted with those of other pictures.
  const label = words.join('|').replace(/^(?=\d+(?:x\d+)?$)/, '|')
  return [{ start, end, text: PICTURE.test(file) ? `![${label}](${wikiAddress(file)})` : linkTo(file, words) }]
}

const PICTURE = inFormats('png, jpg, jpeg, gif, svg, webp, avif, bmp')

/** `` {doc}`logo/misuse` `` and `` {doc}`Misuse <logo/misuse>` ``. */
function pageReference({ start, end }: Match, text: string): Edit[] {
  const [code = '', label, page = ''] = groupsOf(REFERENCE, text.slice(end, end + MAX_REFERENCE))
  const words = label ?? nameWords(fileStem(page)).join(' ')
  return code === '' ? [] : [{ start, end: end + code.length, text: `[${words}](${page}.md)` }]
}

const REFERENCE = /^`(?:([^`<]+?) ?<)?([^`<>\s]+)>?`/
const MAX_REFERENCE = 500

/** `[[page#heading|text]]`, on some sites the text first. */
function wikiLink({ start, end, source }: Match, _text: string, { facts }: PageTask): Edit[] {
  const parts = partsOf(source.slice(2, -2))
  const [target = '', ...words] = facts.isTextFirst ? parts.reverse() : parts
  return [{ start, end, text: linkTo(target, words) }]
}

function partsOf(inner: string): string[] {
  return inner
    .replaceAll('\\|', '|')
    .split('|')
    .map(part => part.trim())
}

function wikiAddress(page: string): string {
  return `/@wiki/${encodePath(page)}`
}

/** A link to a page, to its last heading, or only to a heading; ids of blocks are no headings. */
function linkTo(target: string, [label]: readonly string[]): string {
  const [page = '', ...names] = target.split('#').map(name => name.trim())
  const headings = names.filter(name => name !== '' && !name.startsWith('^'))
  const anchor = headings.slice(-1).map(heading => `#${headingIds()(heading)}`)
  const words = label ?? [page, ...headings].filter(name => name !== '').join(' > ')
  const link = [page === '' ? '' : wikiAddress(page), ...anchor].join('')
  return link === '' ? words : `[${words}](${link})`
}
