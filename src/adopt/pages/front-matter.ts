import { stringify } from 'yaml'
import { filename } from '#brand/file.ts'
import { inlineText, readBlocks } from '#formats/markdown/page-blocks.ts'
import type { YamlEntry, YamlNode } from '#formats/yaml/parse-yaml.ts'
import { readOrder, type SplitPage } from '#intake/pages/front-matter.ts'
import { pageState, takeStates } from '#intake/pages/left-out.ts'
import type { Reader } from '#intake/yaml/reader.ts'
import { readDescription, readName, readParsed, readShortText } from '#intake/yaml/scalars.ts'
import { readYaml } from '#intake/yaml/yaml.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok } from '#platform/base/result.ts'
import { groupsOf, inFormats, singleSpaced, wordSet } from '#platform/base/text.ts'
import type { Cascade, PageMeta } from '../document.ts'
import { type Notes, noNotes } from '../report/report.ts'
import { ADDRESS_KEYS } from '../sources/generators/generator.ts'
import type { PageTask } from './page.ts'

/** Reads the front matter of another system. Keys that ours lacks are lost with their values. */
export function readMeta(
  { yaml = '', yamlLine = 2 }: Pick<SplitPage, 'yaml' | 'yamlLine'>,
  task: PageTask,
  shown: ReadonlySet<string> = new Set(),
): { meta: PageMeta; intro: Fields['intro']; notes: Notes } {
  const path = task.shownPath
  const [fields, notes]: [Fields, Notes] = [{ aliases: [] }, noNotes()]
  const entries = entriesIn(yaml, yamlLine).filter(({ key }) => !shown.has(key))
  for (const entry of entries.flatMap(withInner)) {
    const { key, line, value } = entry
    const plain = value.kind === 'text' ? value.text.trim() : ''
    const isTaken = takesOf(key, task).some(take => take(entry, plain, fields, task))
    const text = onOneLine(value)
    const what = `front matter key "${key}"`
    if (!isTaken && text !== '') notes.lost.push({ path, line, what, text, isOffPage: true })
  }
  const { intro, ...meta } = fields
  if (intro) notes.converted.push({ path, line: intro.line, what: 'description', became: 'text' })
  return { meta, intro, notes }
}

/** The fields of YAML; of what is none, and of repeated keys, the lines. */
function entriesIn(yaml: string, firstLine: number): YamlEntry[] {
  const { root, problems } = readYaml(yaml, firstLine)
  const isYaml = root?.kind === 'mapping' && problems.every(({ rule }) => rule !== 'yaml-syntax')
  if (!isYaml) return plainEntries(yaml, firstLine)
  const repeated = new Set(problems.filter(({ rule }) => rule === 'yaml-duplicate-key').map(({ line }) => line))
  return [...root.entries, ...plainEntries(yaml, firstLine).filter(({ line }) => repeated.has(line))]
}

type Fields = { -readonly [Key in keyof PageMeta]: PageMeta[Key] } & {
  aliases: string[]
  intro?: { text: string; line: number }
}

/** Takes a field of a page; returns whether nothing of it is lost. `text` is empty for lists and mappings. */
type Take = (entry: YamlEntry, text: string, fields: Fields, task: PageTask) => boolean

/** The takes of a key, of which the first one that takes it counts. */
function takesOf(key: string, { facts }: PageTask): readonly Take[] {
  const rows: typeof TAKES = [[addresses, new Set(facts.addressKeys ?? ADDRESS_KEYS)], ...TAKES]
  const own = rows.filter(([, keys]) => keys.has(key)).map(([take]) => take)
  return facts.withHidden ? own : [publication, cascade, ...own]
}

/** Sets a field to the words of a text, unless it has a value or our pages cannot have this one. */
function field<Name extends 'title' | 'description' | 'nav' | 'lang' | 'order' | 'cover'>(
  name: Name,
  read: Reader<Fields[Name]>,
): Take {
  return ({ line }, text, fields) => {
    // `<` begins no tag there.
    const plain = singleSpaced(text.includes('<') ? text : inlineText(text)).toWellFormed()
    const result = read({ kind: 'text', line, text: plain })
    const isRead = result.ok && fields[name] === undefined && !NO_WORDS.has(plain.toLowerCase())
    if (isRead) fields[name] = result.value
    return isRead
  }
}

const NO_WORDS: ReadonlySet<string> = new Set(['', 'true', 'false'])

/** A page that the navigation leaves out if the text is `off`. */
function outsideMenus(off: string): Take {
  return (_entry, text, fields) => {
    if (text === off) fields.nav = false
    return text === off
  }
}

/** One with headings, lists or paragraphs is the beginning of the page. */
const longDescription: Take = ({ value }, text, fields, { kind }) => {
  if (kind === 'html' || fields.intro || readBlocks(text).length < 2) return false
  fields.intro = { text, line: value.line }
  return true
}

const addresses: Take = ({ value }, _text, fields) => {
  const items = itemsOf(value).map(onOneLine)
  if (items.some(item => NO_WORDS.has(item) || /[:{}\s]/.test(item))) return false
  fields.aliases.push(...items)
  return true
}

/** The address is lost if the page has content of its own. */
const redirect: Take = (_entry, _text, fields) => {
  fields.isRedirect = true
  return false
}

const PICTURE = inFormats('avif, gif, jpg, jpeg, png, svg, webp')
const readPicture = readParsed(text => (PICTURE.test(text) ? ok(text) : failed('is no picture')))

/** Our keys by those of generators. */
const TAKES: readonly (readonly [take: Take, keys: ReadonlySet<string>])[] = [
  [field('title', readName), wordSet('title')],
  [longDescription, wordSet('description')],
  [field('description', readDescription), wordSet('description')],
  [
    field('nav', readShortText),
    wordSet('sidebar_label sidebar.label menu.name menu.title menus.name linkTitle nav_title nav'),
  ],
  [outsideMenus('false'), wordSet('nav')],
  [outsideMenus('true'), wordSet('nav_exclude sidebar.hidden')],
  [
    field('order', readOrder),
    wordSet(`order weight nav_order sidebar_position position sidebar.order eleventyNavigation.order menu.weight
      menus.weight`),
  ],
  // The path of a picture, which the whole site resolves.
  [field('cover', readPicture), wordSet('cover')],
  [field('lang', readShortText), wordSet('lang language locale')],
  [redirect, wordSet('redirect redirect_to redirect_url')],
  // The styles of a file that describes them are read apart.
  [(_entry, _text, _fields, { path }) => filename(path).toLowerCase() === 'design.md', wordSet('colors typography')],
]

/** Whether the page is published. */
const publication: Take = (entry, text, fields, { facts }) => {
  const state = readState(entry, text, facts.today)
  if (state === 'off') fields.draft ??= `${entry.key}: ${text}`
  return state !== undefined
}

/** The word of a front matter field on whether a page is published. Dates only count with `today`. */
function readState(entry: YamlEntry, text: string, today: string | undefined): 'off' | 'on' | undefined {
  if (OFF.get(entry.key.replace('_', ''))?.includes(text)) return 'off'
  const isDate = entry.key.toLowerCase().endsWith('date')
  const { states } = takeStates([entry])
  // A page about a component has the state of that.
  const isOther = states.length === 0 || entry.key.toLowerCase() === 'status' || (isDate && today === undefined)
  if (isOther) return undefined
  if (pageState(states, today ?? LAST_DAY).leftOut !== undefined) return 'off'
  return isDate ? undefined : 'on'
}

const LAST_DAY = '9999-12-31'

/** Values of fields that keep a page off, also with `_` before the field. */
const OFF: ReadonlyMap<string, readonly string[]> = new Map([
  ['build.render', ['never', 'false', 'link']],
  ['build.list', ['never', 'false']],
  ['headless', ['true']],
  ['permalink', ['false']],
])

/** The states that a page hands down to those below it. */
const cascade: Take = ({ key, value }, _text, fields, { facts }) => {
  const cascades = key === 'cascade' ? itemsOf(value).flatMap(each => readCascade(each, facts.today)) : []
  if (cascades.length > 0) fields.cascades = cascades
  return cascades.length > 0
}

function readCascade(value: YamlNode, today: string | undefined): Cascade[] {
  const inner = value.kind === 'mapping' ? value.entries.flatMap(withInner) : []
  const target = inner.find(({ key }) => key.endsWith('target.path'))
  return inner
    .filter(entry => readState(entry, onOneLine(entry.value), today) === 'off')
    .slice(0, 1)
    .map(({ key, value }) => ({ glob: target && onOneLine(target.value), why: `cascade: ${key}: ${onOneLine(value)}` }))
}

/** The keys of a mapping whose inner keys have a meaning, such as `sidebar: {order: 1}` of Starlight. */
function withInner(entry: YamlEntry): YamlEntry[] {
  const { key, value } = entry
  if (value.kind !== 'mapping' || !OUTER.has(key)) return [entry]
  // The entries of a page in each menu of the site, such as `menu: {main: {weight: 1}}`.
  const menus = MENUS.has(key) ? value.entries.map(menu => menu.value) : [value]
  const inside = menus.flatMap(each => (each.kind === 'mapping' ? each.entries : []))
  return inside.map(inner => ({ ...inner, key: `${key}.${inner.key}` }))
}

const MENUS = wordSet('menu menus')
const OUTER = wordSet('menu menus sidebar eleventyNavigation build _build target _target')

function itemsOf(value: YamlNode): readonly YamlNode[] {
  return value.kind === 'list' ? value.items : [value]
}

/** A value on one line. */
function onOneLine(value: YamlNode): string {
  if (value.kind === 'text') return value.text.trim()
  const entries = value.kind === 'mapping' ? value.entries.map(({ key, value }) => `${key}: ${onOneLine(value)}`) : []
  const items = value.kind === 'list' ? value.items.map(onOneLine) : entries
  return items.join(', ')
}

/** The lines `key: value` of front matter that is no YAML, such as that of a template; each other line with a value. */
function plainEntries(yaml: string, firstLine: number): YamlEntry[] {
  return yaml.split('\n').flatMap((text, at) => {
    const [, key = 'text', , value = ''] = groupsOf(PLAIN_ENTRY, text.trim())
    const line = firstLine + at
    const node = { kind: 'text', line, text: value } as const
    return /[\p{L}\p{N}]/u.test(value) ? [{ key, line, value: node }] : []
  })
}

/** A key, which may be in quotes or absent, and a value, which may be in quotes. */
const PLAIN_ENTRY = /^(?:["']?([\w-]+)["']?\s{0,9}[:=])?\s{0,99}(["']?)(.*?)\2,?$/

/** Our front matter and a text. The title is only written if `heading`, the first heading, is another. */
export function withFrontMatter(meta: PageMeta, heading: string | undefined, text: string): string {
  const { title, description, order, nav, cover, aliases } = meta
  const fields = withoutUndefined({
    title: title === heading ? undefined : title,
    description,
    order,
    nav: nav === (title ?? heading) ? undefined : nav,
    cover,
    aliases: aliases.length > 0 ? aliases : undefined,
  })
  if (Object.keys(fields).length === 0) return text
  return `---\n${stringify(fields, { lineWidth: 0 })}---\n\n${text.replace(/^\n+/, '')}`
}
