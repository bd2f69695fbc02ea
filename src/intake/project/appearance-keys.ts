import { withoutUndefined } from '../../base/object.ts'
import { ok, type Result } from '../../base/result.ts'
import { NAVIGATIONS, OFFICE_COLORS, OFFICE_FONTS, THEME_FIELDS } from '../../brand/appearance.ts'
import { keysOf } from '../../brand/fields.ts'
import type { Problem } from '../../brand/finding.ts'
import type { LintSettings } from '../../brand/lint-rules.ts'
import { type ReadValues, readValues } from '../schema/kinds.ts'
import { FOOTER_LINK_KEYS, NO_THEME, OFFICE_KEYS, THEME_KINDS } from '../schema/project.ts'
import { type Fields, readFields, readOptional, readRequired } from '../yaml/fields.ts'
import { invalid, refuse } from '../yaml/reader.ts'
import { MAX_ENTRIES, type Reference, readReference } from '../yaml/references.ts'
import { readContact, readName, readOneOf, readUrl } from '../yaml/texts.ts'
import type { YamlNode } from '../yaml/yaml.ts'
import { readLint, readWords, type WrittenWord } from './lint-keys.ts'

/** The appearance in project.yaml: unresolved references to files, colours, type styles and pages. */
export type WrittenAppearance = {
  theme?: WrittenTheme
  isNeutral?: boolean
  socialImage?: Reference
  contact?: string
  footer?: { name: string; url: string }[]
  office?: WrittenOffice
  nav?: (typeof NAVIGATIONS)[number]
  words?: WrittenWord[]
  lint?: LintSettings
}

/** A theme whose references to pictures, colours and type styles are unresolved. */
export type WrittenTheme = ReadValues<typeof THEME_FIELDS, typeof THEME_KINDS>

/** Reads the appearance keys of project.yaml; undefined if there are none. */
export function readAppearance(fields: Fields<string>): WrittenAppearance | undefined {
  const { entries, problems } = fields
  const [theme, footer, office, words, lint] = (['theme', 'footer', 'office', 'words', 'lint'] as const).map(
    key => entries.get(key)?.value,
  )
  const isNeutral = (theme?.kind === 'text' && theme.text === NO_THEME) || undefined
  const appearance = withoutUndefined({
    theme: theme && !isNeutral ? readTheme(theme, problems) : undefined,
    isNeutral,
    socialImage: readOptional(fields, 'socialImage', readReference),
    contact: readOptional(fields, 'contact', readContact),
    footer: footer && readOptional(fields, 'footer', node => readFooter(node, problems)),
    office: office && readOffice(office, problems),
    nav: readOptional(fields, 'nav', readOneOf(NAVIGATIONS)),
    words: words && readWords(words, problems),
    lint: lint && readLint(lint, problems),
  } satisfies Record<keyof WrittenAppearance, unknown>)
  return Object.keys(appearance).length === 0 ? undefined : appearance
}

function readTheme(node: YamlNode, problems: Problem[]): WrittenTheme | undefined {
  const fields = readFields(node, 'theme', keysOf(THEME_FIELDS), problems)
  return fields && readValues(fields, THEME_FIELDS, THEME_KINDS)
}

function readFooter(node: YamlNode, problems: Problem[]): Result<{ name: string; url: string }[], Problem> {
  if (node.kind !== 'list') return refuse(node, 'write a list of links, as in [{ name: Imprint, url: https://… }]')
  if (node.items.length > MAX_ENTRIES)
    return invalid(node, `has ${node.items.length} links; write at most ${MAX_ENTRIES}`)
  const links = node.items.map(item => {
    const fields = readFields(item, 'a link of footer', keysOf(FOOTER_LINK_KEYS), problems)
    return fields && { name: readRequired(fields, 'name', readName), url: readRequired(fields, 'url', readUrl) }
  })
  return ok(links.flatMap(link => (link?.name && link.url ? [{ name: link.name, url: link.url }] : [])))
}

/** The Office theme in project.yaml: unresolved colours and families. */
export type WrittenOffice = { [Key in keyof typeof OFFICE_KEYS]?: Reference }

const WHOLE = [
  [OFFICE_COLORS, 'an Office theme needs twelve colours; write them all, and repeat a colour if necessary'],
  [OFFICE_FONTS, 'an Office theme needs two fonts; write both, and repeat the family if there is only one'],
] as const

/** Reads `office`: all twelve colours or none, both families or none. Undefined if it has neither. */
function readOffice(node: YamlNode, problems: Problem[]): WrittenOffice | undefined {
  const officeKeys = keysOf(OFFICE_KEYS)
  const fields = readFields(node, 'office', officeKeys, problems)
  if (!fields) return undefined
  if (fields.entries.size === 0) {
    const message = `"office" is empty; write "key: value" lines, with the keys ${officeKeys.join(', ')}`
    problems.push({ rule: 'value-invalid', line: node.line, message })
  }
  for (const [keys, fix] of WHOLE) {
    const absent = keys.filter(key => !fields.entries.has(key))
    if (absent.length === 0 || absent.length === keys.length) continue
    problems.push({ rule: 'value-missing', line: node.line, message: `"office" has no ${absent.join(', ')}: ${fix}` })
  }
  const written = officeKeys.map(key => [key, readOptional(fields, key, readReference)] as const)
  const office: WrittenOffice = withoutUndefined(Object.fromEntries(written))
  return Object.keys(office).length === 0 ? undefined : office
}
