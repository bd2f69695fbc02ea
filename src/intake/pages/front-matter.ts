import type { Problem } from '#brand/finding.ts'
import type { PageId } from '#brand/ids.ts'
import { COVER_FITS, COVER_TEXTS, type Cover, HOME_PAGE, type Page } from '#brand/page.ts'
import type { YamlNode } from '#formats/yaml/parse-yaml.ts'
import { valuesAt, withoutUndefined } from '#platform/base/object.ts'
import { failed, ok } from '#platform/base/result.ts'
import { groupsOf, normalText, quote, wordTable } from '#platform/base/text.ts'
import { type Fields, readFields, readLeniently, readOptional, readRequired } from '../yaml/fields.ts'
import { invalid, type Reader, readAnd, refuse, withSubject } from '../yaml/reader.ts'
import { type Reference, readReference } from '../yaml/references.ts'
import {
  readDescription,
  readFlag,
  readName,
  readNumber,
  readOneOf,
  readPageId,
  readParsed,
  readShortText,
} from '../yaml/scalars.ts'
import { readYaml } from '../yaml/yaml.ts'
import { takeStates, type WrittenState } from './left-out.ts'

const KEYS = ['title', 'id', 'description', 'order', 'cover', 'ground', 'wide', 'nav', 'aliases', 'translated'] as const

export type SplitPage = {
  /** The YAML between the two `---` lines; absent if the page has no front matter. */
  yaml?: string
  /** The line on which the YAML begins; absent: 2. */
  yamlLine?: number
  /** Everything after the closing `---` line, untrimmed. */
  content: string
  contentLine: number
}

export type FrontMatter = {
  title?: string
  id?: PageId
  description?: string
  order?: number
  /** The mark of the original's page as it was translated. */
  translated?: Reference
} & WrittenNotes

/** Website-only details of a page. The cover and background colour are unresolved references. */
export type WrittenNotes = {
  cover?: WrittenCover
  ground?: Reference
  wide?: boolean
  nav?: Page['nav']
  aliases?: Alias[]
}

/**
 * Splits a page into front matter and content, without a byte order mark and with LF line endings. Front matter starts
 * with `---` on the first line and ends at the next `---` line. Without such a line, everything is content.
 */
export function splitFrontMatter(page: string): SplitPage {
  const text = normalText(page)
  const { format, split } = splitAny(text)
  return format === 'YAML' ? split : { content: text, contentLine: 1 }
}

/** Splits a text with LF line endings that begins with front matter in TOML or JSON, which `yaml` is as written. */
export function splitOtherFormat(text: string): (SplitPage & { yaml: string; format: 'TOML' | 'JSON' }) | undefined {
  const { format, split } = splitAny(text)
  return format === 'TOML' || format === 'JSON' ? { ...split, format } : undefined
}

type Format = 'YAML' | 'TOML' | 'JSON'

/** Splits a page after the closing line of its front matter, which `yaml` is as written; without a format if it has none. */
function splitAny(text: string): { format?: Format; split: SplitPage & { yaml: string } } {
  const [marked = '', mark = '', name = '', yaml = ''] = groupsOf(MARKED, text)
  const format = FORMATS.get((mark + name).toLowerCase())
  if (format !== undefined) return { format, split: { yaml, ...after(marked, text) } }
  const [bare = '', json = ''] = groupsOf(BARE_JSON, text)
  return { ...(bare !== '' && { format: 'JSON' }), split: { yaml: json, yamlLine: 1, ...after(bare, text) } }
}

/** Front matter between two lines, the first of which may name its format. */
const MARKED = /^(---|\+\+\+|;;;)(?:[ \t]*(toml|json))?[ \t]*\n(.*?)(?<=\n)\1[ \t]*(?:\n|$)/is

/** The formats by their opening line. */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['---', 'YAML'],
  ['+++', 'TOML'],
  ['---toml', 'TOML'],
  ['---json', 'JSON'],
  [';;;', 'JSON'],
])

/** JSON from `{ "key":` on the first line to a line that ends with `}`, unless the next one continues the JSON. */
const BARE_JSON = /^(\{\s*"[^"\n]*"\s*:.*?\})[ \t]*(?:\n(?![ \t]*["\]},])|$)/s

/** The content of a page after its front matter. */
function after(frontMatter: string, text: string): Pick<SplitPage, 'content' | 'contentLine'> {
  const contentLine = frontMatter.trimEnd().split('\n').length + 1
  return { content: text.slice(frontMatter.length), contentLine }
}

/** Reports content that begins with something meant as front matter, and a page without content. */
export function pageProblems({ yaml, content, contentLine }: SplitPage): Problem[] {
  if (content.trim() === '') return [{ rule: 'page-empty', line: 1, message: EMPTY, breaks: { paths: ['#'] } }]
  return yaml === undefined ? misplacedFrontMatter(content) : secondFrontMatter(content, contentLine)
}

/** Reports front matter in TOML or JSON at the beginning of the content, below the first front matter. */
function secondFrontMatter(content: string, contentLine: number): Problem[] {
  const trimmed = content.trimStart()
  const second = splitOtherFormat(trimmed)
  if (!second || !HAS_KEY.test(second.yaml)) return []
  const blankLines = content.slice(0, content.length - trimmed.length).split('\n').length - 1
  const message = `the page has front matter in ${second.format} below its first one: move its keys into that one, and remove it`
  return [{ rule: 'front-matter-twice', line: contentLine + blankLines, message }]
}

/** Reports front matter that is not at the very beginning, or has no closing line or no opening one. */
function misplacedFrontMatter(content: string): Problem[] {
  const [toFirstKey] = groupsOf(MEANT, content)
  if (toFirstKey === undefined) return unopenedFrontMatter(content)
  const line = toFirstKey.split('\n').length - 2 // The line with the dashes, before that with the key.
  const message =
    content.trimStart() === content
      ? `the front matter has no closing ${content.slice(0, 3)} line, so all of it is text: write one below the last key, or *** for a horizontal rule`
      : 'the front matter does not begin at the start of the first line, so it is text: remove everything before it, or write *** for a horizontal rule'
  return [{ rule: 'front-matter-open', line, message }]
}

const EMPTY = 'the page is empty: write its text, or remove the file'

/** A key of TOML or JSON on the first line that is no comment: MyST also has lines with +++, but no keys below. */
const HAS_KEY = /^(?:[ \t]*(?:#.*)?\n)*[ \t]*(?:\{|[\w."'-]+[ \t]*=)/

/** A horizontal rule at the beginning, with a key below it: `---` and `title: Logo`, or `+++` and `title = "Logo"`. */
const MEANT = /^\s*(?:---[ \t]*\n[\w-]+:(?:[ \t].*)?|\+\+\+[ \t]*\n[\w-]+[ \t]*=.*)\n/

/** Reports front matter without `---` above it: lines of YAML with one of our keys, and a line of dashes below. */
function unopenedFrontMatter(content: string): Problem[] {
  const lines = content.split('\n', MAX_LINES)
  const first = lines.findIndex(line => line.trim() !== '')
  const [opening = '', ...others] = lines.slice(first)
  // Such as `--` or `–––`, since the page has no front matter with `---`.
  const isDashes = DASHES.test(opening)
  const length = others.findIndex(line => DASHES.test(line)) + 1
  const yaml = lines.slice(isDashes ? first + 1 : first, first + length)
  const hasOurKey = KEYS.some(key => yaml.some(line => line.startsWith(`${key}:`)))
  if (!hasOurKey || !yaml.every(line => YAML_LINE.test(line))) return []
  const fix = isDashes ? `write --- instead of ${quote(opening.trim())}` : 'write --- on a line above it'
  const message = `the front matter does not begin with ---, so it is shown as text: ${fix}`
  return [{ rule: 'front-matter-open', line: first + 1, message }]
}

/** Longer front matter is not recognised. */
const MAX_LINES = 100
const DASHES = /^[ \t]*[-–—]+[ \t]*$/
/** A line with a key, a line of its value, a comment, an item of a list, or a blank line. */
const YAML_LINE = /^(?:[\w-]+:(?:[ \t].*)?|[ \t].*|#.*|-[ \t].*|[ \t]*)$/

/** Reads the YAML of front matter. Unknown keys, which other tools use, are warnings. */
export function readFrontMatter(
  yaml: string,
  firstLine = 2,
): { frontMatter: FrontMatter; states?: readonly WrittenState[]; problems: Problem[] } {
  const { root = NO_YAML, problems } = readYaml(yaml, firstLine)
  if (root.kind === 'empty') return { frontMatter: {}, problems }
  if (root.kind !== 'mapping') {
    const message = `the front matter of the page is a ${root.kind}; write lines such as "title: …", or *** for a horizontal rule`
    problems.push({ rule: 'yaml-syntax', line: root.line, message })
    return { frontMatter: {}, problems }
  }
  // `draft: true` and such are read separately.
  const { states, others } = takeStates(root.entries)
  const fields = readFields({ ...root, entries: others }, 'front matter', KEYS, problems, 'front-matter-key-unknown')
  const frontMatter = withoutUndefined({
    title: readOptional(fields, 'title', readName),
    id: readOptional(fields, 'id', readPageId),
    description: readOptional(fields, 'description', readDescription),
    order: readOptional(fields, 'order', readOrder),
    translated: readLeniently(fields, 'translated', readReference),
    ...readNotes(fields),
  })
  return { frontMatter, ...(states.length > 0 && { states }), problems }
}

const NO_YAML = { kind: 'empty', line: 1 } as const

/** Reads the place of a page among others. */
export const readOrder = readNumber('a number, as in 10', () => true)

function readNotes(fields: Fields<string>): WrittenNotes {
  return withoutUndefined({
    cover: readCover(fields),
    ground: readLeniently(fields, 'ground', readReference),
    wide: readLeniently(fields, 'wide', readFlag),
    nav: readLeniently(fields, 'nav', readNav),
    aliases: readAliases(fields),
  } satisfies Record<keyof WrittenNotes, unknown>)
}

const readNav: Reader<string | false> = readAnd(readShortText, (name, node) => {
  const word = name.toLowerCase()
  if (word === 'true') return refuse(node, 'write a short name, or false to leave the page out of menus')
  return ok(word === 'false' ? false : name)
})

type Alias = { id: PageId; line: number }

/** Reads an alias or a list, also with outer slashes or `.md`. Other tools allow more, so others get a warning. */
function readAliases({ entries, problems }: Fields<string>): Alias[] | undefined {
  const node = entries.get('aliases')?.value
  if (node === undefined || node.kind === 'empty') return undefined
  const items = node.kind === 'list' ? node.items : [node]
  if (node.kind === 'mapping' || items.length > MAX_ALIASES) {
    const form = `write a list of at most ${MAX_ALIASES} former ids of the page, as in [archive/2019/cover]`
    problems.push(withSubject('"aliases"', refuse(node, form)))
    return undefined
  }
  const aliases = new Map<PageId, Alias>()
  for (const item of items) {
    const id = readPageId(trimAlias(item))
    if (!id.ok) problems.push({ ...withSubject('an entry of "aliases"', id), rule: 'front-matter-value-unknown' })
    else if (id.value === HOME_PAGE) problems.push(withSubject('an entry of "aliases"', invalid(item, IS_HOME)))
    else if (!aliases.has(id.value)) aliases.set(id.value, { id: id.value, line: item.line })
  }
  return aliases.size === 0 ? undefined : [...aliases.values()]
}

const MAX_ALIASES = 100
const IS_HOME = `is "${HOME_PAGE}", the home page of the guide; remove it`

function trimAlias(node: YamlNode): YamlNode {
  if (node.kind !== 'text') return node
  return { ...node, text: node.text.replace(/^\/|\/$|(?:\/index)?\.md$/g, '') }
}

/** The cover of a page: an unresolved reference to a picture, a video or a colour. */
type WrittenCover = Reference & { settings?: CoverSettings }

export type CoverSettings = Pick<Cover, 'focus' | 'fit' | 'text'>

const COVER_KEYS = ['image', 'focus', 'fit', 'text'] as const

/** Reads `cover` as a path or a colour id, or as a mapping. Invalid values are warnings. */
function readCover(fields: Fields<string>): WrittenCover | undefined {
  const node = fields.entries.get('cover')?.value
  if (node?.kind !== 'mapping') return readLeniently(fields, 'cover', readReference, 'cover-unknown')
  const coverFields = readFields(node, 'cover', COVER_KEYS, fields.problems, 'front-matter-key-unknown')
  const image = readLeniently(coverFields, 'image', readReference, 'cover-unknown', readRequired)
  const settings = withoutUndefined({
    focus: readLeniently(coverFields, 'focus', readFocus),
    fit: readLeniently(coverFields, 'fit', readOneOf(COVER_FITS)),
    text: readLeniently(coverFields, 'text', readOneOf(COVER_TEXTS)),
  })
  return image && { ...image, settings }
}

/** Two percentages, rounded to whole ones. */
const readFocus = readParsed(text => {
  const [, across, down] = groupsOf(PERCENTAGES, text.trim())
  const focus = [Number(across), Number(down)] as const
  if (focus.every(share => share <= 100)) return ok([Math.round(focus[0]), Math.round(focus[1])] as const)
  return failed(`is ${quote(text)}; ${focusAdvice(text)}`)
})

const PERCENTAGES = /^(\d{1,3}(?:\.\d{1,3})?)%[ ,]+(\d{1,3}(?:\.\d{1,3})?)%$/

/** Suggests percentages for keywords of CSS and for numbers without a sign: `0% 50%` for `left`, `70% 30%` for `70 30`. */
function focusAdvice(text: string): string {
  const words = text.toLowerCase().split(/[\s,]+/)
  const [across = 50] = valuesAt(ACROSS, words)
  const [down = 50] = valuesAt(DOWN, words)
  if (words.some(word => KEYWORDS.has(word))) return `did you mean "${across}% ${down}%"?`
  const numbers = words.map(word => Number(word.replace('%', '')))
  if (numbers.length === 2 && numbers.every(number => number >= 0 && number <= 100))
    return `did you mean "${numbers[0]}% ${numbers[1]}%"?`
  return 'write how far across and how far down, as in 70% 30%'
}

const ACROSS = wordTable([
  [0, 'left'],
  [50, 'center'],
  [100, 'right'],
])
const DOWN = wordTable([
  [0, 'top'],
  [100, 'bottom'],
])
const KEYWORDS: ReadonlySet<string> = new Set([...ACROSS.keys(), ...DOWN.keys()])
