import { stringify } from 'yaml'
import { isDecimal } from '#brand/written-numbers.ts'
import type { YamlEntry, YamlNode } from '#formats/yaml/parse-yaml.ts'
import type { SplitPage } from '#intake/pages/front-matter.ts'
import { pageState, takeStates } from '#intake/pages/left-out.ts'
import { readYaml } from '#intake/yaml/yaml.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { groupsOf } from '#platform/base/text.ts'
import { type Notes, noNotes } from '../report/report.ts'
import { ADDRESS_KEYS } from '../sources/generators/generator.ts'
import type { Cascade, PageMeta, PageTask } from './page.ts'

/** Reads the front matter of another system. Keys that ours lacks are lost with their values. */
export function readMeta(
  { yaml = '', yamlLine = 2 }: Pick<SplitPage, 'yaml' | 'yamlLine'>,
  { path, shownPath, facts, kind }: PageTask,
): { meta: PageMeta; intro: Fields['intro']; notes: Notes } {
  const { root, problems } = readYaml(yaml, yamlLine)
  const isYaml = root?.kind === 'mapping' && problems.every(({ rule }) => rule !== 'yaml-syntax')
  const isOfStyles = ({ key }: YamlEntry) => /(?:^|\/)DESIGN\.md$/i.test(path) && /^(?:colors|typography)$/.test(key)
  const repeated = problems.filter(({ rule }) => rule === 'yaml-duplicate-key').map(problem => problem.line)
  const plain = isYaml && repeated.length === 0 ? [] : plainEntries(yaml, yamlLine)
  const entries = isYaml ? [...root.entries, ...plain.filter(({ line }) => repeated.includes(line))] : plain
  const [fields, notes]: [Fields, Notes] = [{ aliases: [] }, noNotes()]
  for (const entry of entries.flatMap(withInner)) {
    const { key, line, value } = entry
    const text = onOneLine(value)
    const state = facts.withHidden ? undefined : readState(entry, facts.today)
    if (state === 'off') fields.draft ??= `${key}: ${text}`
    const cascades = key === 'cascade' && !facts.withHidden ? readCascade(value, facts.today) : []
    if (cascades.length > 0) fields.cascades = cascades
    const isState = state !== undefined || cascades.length > 0
    const isAddress = (facts.addressKeys ?? ADDRESS_KEYS).includes(key)
    const rows = isAddress ? [{ take: addresses }] : FIELDS.filter(({ keys }) => keys.includes(key))
    const isTaken = isState || isOfStyles(entry) || rows.some(({ take }) => take(value, text, fields, { facts, kind }))
    const what = `front matter key "${key}"`
    if (!isTaken && text !== '') notes.lost.push({ path: shownPath, line, what, text, isOffPage: true })
  }
  const { intro, ...meta } = fields
  if (intro) notes.converted.push({ path: shownPath, line: intro.line, what: 'description', became: 'text' })
  return { meta, intro, notes }
}

type Fields = { -readonly [Key in keyof PageMeta]: PageMeta[Key] } & {
  aliases: string[]
  intro?: { text: string; line: number }
}

/** Sets a field, unless it has a value or this one is not valid. */
type Take = (value: YamlNode, text: string, fields: Fields, page: Pick<PageTask, 'facts' | 'kind'>) => boolean

const words =
  (name: 'title' | 'description' | 'nav' | 'lang', maximum: number): Take =>
  ({ kind }, text, fields) => {
    const plain = text.replace(/\p{Cc}+/gu, ' ').trim()
    if (kind !== 'text' || fields[name] !== undefined || plain === '' || plain.length > maximum) return false
    if (name === 'nav' && /^(?:true|false)$/i.test(plain)) return false
    fields[name] = plain.toWellFormed()
    return true
  }

/** A page that the navigation leaves out if the text is `off`. */
const outsideMenus =
  (off: string): Take =>
  (_value, text, fields) => {
    if (text !== off) return false
    fields.nav = false
    return true
  }

/** One with headings, lists or paragraphs is the beginning of the page. */
const description: Take = (value, text, fields, page) => {
  const isLong = page.kind !== 'html' && text.includes('\n') && /^(?:#{1,6}|[-*+]|\d+\.) |\n\s*\n/m.test(text)
  if (!isLong || fields.intro) return words('description', 1000)(value, text, fields, page)
  fields.intro = { text, line: value.line }
  return true
}

const order: Take = ({ kind }, text, fields) => {
  if (kind !== 'text' || fields.order !== undefined || !isDecimal(text) || Math.abs(Number(text)) > 1e6) return false
  fields.order = Number(text) + 0
  return true
}

/** The path of a picture, which the whole site resolves. */
const cover: Take = ({ kind }, text, fields) => {
  if (kind !== 'text' || fields.cover !== undefined || !/\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(text)) return false
  fields.cover = text
  return true
}

const addresses: Take = (value, _text, fields) => {
  const items = value.kind === 'list' ? value.items.map(onOneLine) : value.kind === 'text' ? [value.text] : []
  if (items.length === 0 || items.some(item => /[:{}\s]|^false$/.test(item))) return false
  fields.aliases.push(...items)
  return true
}

/** The address is lost if the page has content of its own. */
const redirect: Take = (_value, _text, fields) => {
  fields.isRedirect = true
  return false
}

/** Our keys by those of Docusaurus, Starlight, Jekyll, Hugo, Eleventy, VuePress and others. */
const FIELDS: readonly { keys: readonly string[]; take: Take }[] = [
  { keys: ['title'], take: words('title', 1000) },
  { keys: ['description'], take: description },
  { keys: ['sidebar_label', 'sidebar.label', 'linkTitle', 'nav_title', 'nav'], take: words('nav', 200) },
  { keys: ['nav'], take: outsideMenus('false') },
  { keys: ['nav_exclude', 'sidebar.hidden'], take: outsideMenus('true') },
  {
    keys: ['order', 'weight', 'nav_order', 'sidebar_position', 'position', 'sidebar.order', 'eleventyNavigation.order'],
    take: order,
  },
  { keys: ['cover'], take: cover },
  { keys: ['lang', 'language', 'locale'], take: words('lang', 35) },
  { keys: ['redirect', 'redirect_to', 'redirect_url'], take: redirect },
]

/** The word of a front matter field on whether a page is published. Dates only count with `today`. */
function readState(entry: YamlEntry, today: string | undefined): 'off' | 'on' | undefined {
  const text = entry.value.kind === 'text' ? entry.value.text.trim() : ''
  const off = OFF.get(entry.key.replace(/^_/, ''))
  if (off !== undefined) return off.includes(text) ? 'off' : entry.key === 'permalink' ? undefined : 'on'
  const isDate = /date$/i.test(entry.key)
  // A page about a component has the state of that.
  if (entry.key.toLowerCase() === 'status' || (isDate && today === undefined)) return undefined
  const { states } = takeStates([entry])
  if (states.length === 0) return undefined
  if (pageState(states, today ?? LAST_DAY).leftOut !== undefined) return 'off'
  return isDate ? undefined : 'on'
}

const LAST_DAY = '9999-12-31'

/** Values of fields of Hugo and Eleventy that keep a page off. */
const OFF: ReadonlyMap<string, readonly string[]> = new Map([
  ['build.render', ['never', 'false', 'link']],
  ['build.list', ['never', 'false']],
  ['headless', ['true']],
  ['permalink', ['false']],
])

/** The states that a page hands down to those below it. */
function readCascade(value: YamlNode, today: string | undefined): Cascade[] {
  const all = value.kind === 'list' ? value.items : [value]
  return all.flatMap(each => {
    const fields = each.kind === 'mapping' ? each.entries.flatMap(withInner) : []
    const target = fields.find(({ key }) => /^_?target\.path$/.test(key))?.value
    const off = fields.find(field => readState(field, today) === 'off')
    const why = off?.value.kind === 'text' ? `cascade: ${off.key}: ${off.value.text.trim()}` : undefined
    return why === undefined ? [] : [{ glob: target?.kind === 'text' ? target.text : undefined, why }]
  })
}

/** The keys of a mapping whose inner keys have a meaning, such as `sidebar: {order: 1}` of Starlight. */
function withInner(entry: YamlEntry): YamlEntry[] {
  const { key, value } = entry
  if (value.kind !== 'mapping' || !/^(?:sidebar|eleventyNavigation|_?build|_?target)$/.test(key)) return [entry]
  return value.entries.map(inner => ({ ...inner, key: `${key}.${inner.key}` }))
}

/** A value on one line. */
function onOneLine(value: YamlNode): string {
  if (value.kind === 'text') return value.text.trim()
  if (value.kind === 'list') return value.items.map(onOneLine).join(', ')
  if (value.kind === 'mapping') return value.entries.map(({ key, value }) => `${key}: ${onOneLine(value)}`).join(', ')
  return ''
}

/** The lines `key: value` of front matter that is no YAML, such as that of a template; each other line with a value. */
function plainEntries(yaml: string, firstLine: number): YamlEntry[] {
  return yaml.split('\n').flatMap((text, at) => {
    const [, key = 'text', value = ''] = groupsOf(
      /^\s*(?!\s)(?:["']?([\w-]+)["']?\s*[:=])?\s*(?!\s)(.*?)(?<!\s(?=\s)),?\s*$/,
      text,
    )
    const line = firstLine + at
    const plain = groupsOf(/^(["'])(.*)\1$/, value)[2] ?? value
    return value !== '' && /[\p{L}\p{N}]/u.test(text) ? [{ key, line, value: { kind: 'text', line, text: plain } }] : []
  })
}

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
