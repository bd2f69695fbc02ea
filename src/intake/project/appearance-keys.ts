import { withoutUndefined } from '../../base/object.ts'
import { ok, type Result } from '../../base/result.ts'
import { CORNERS, DARK_MODES, NAVIGATIONS, type Theme } from '../../brand/appearance.ts'
import type { Problem } from '../../brand/finding.ts'
import { FOOTER_LINK_KEYS, THEME_KEYS } from '../schema/project.ts'
import { keysOf } from '../schema/schema.ts'
import { readContact, readUrl } from '../yaml/addresses.ts'
import { type Fields, readFields, readOptional, readRequired } from '../yaml/fields.ts'
import { readNumber } from '../yaml/numbers.ts'
import { invalid, type Reader, refuse } from '../yaml/reader.ts'
import { MAX_ENTRIES, type Reference, readReference } from '../yaml/references.ts'
import { readName, readOneOf } from '../yaml/texts.ts'
import type { YamlNode } from '../yaml/yaml.ts'
import { readOffice, type WrittenOffice } from './office-keys.ts'

/** The appearance in project.yaml: unresolved references to files, colours and type styles. */
export type WrittenAppearance = {
  theme?: WrittenTheme
  socialImage?: Reference
  contact?: string
  footer?: { name: string; url: string }[]
  office?: WrittenOffice
  nav?: (typeof NAVIGATIONS)[number]
}

/** A theme whose references to pictures, colours and type styles are unresolved. */
export type WrittenTheme = { [Key in Exclude<keyof typeof THEME_KEYS, 'corners' | 'dark'>]?: Reference } & Pick<
  Theme,
  'corners' | 'dark'
>

const KEYS = keysOf(THEME_KEYS)
const LINK_KEYS = keysOf(FOOTER_LINK_KEYS)

/** Reads the appearance keys of project.yaml; undefined if there are none. */
export function readAppearance(fields: Fields<string>): WrittenAppearance | undefined {
  const { entries, problems } = fields
  const [theme, footer, office] = (['theme', 'footer', 'office'] as const).map(key => entries.get(key)?.value)
  const appearance = withoutUndefined({
    theme: theme && readTheme(theme, problems),
    socialImage: readOptional(fields, 'socialImage', readReference),
    contact: readOptional(fields, 'contact', readContact),
    footer: footer && readOptional(fields, 'footer', node => readFooter(node, problems)),
    office: office && readOffice(office, problems),
    nav: readOptional(fields, 'nav', readOneOf(NAVIGATIONS)),
  })
  return Object.keys(appearance).length === 0 ? undefined : appearance
}

const readPixels = readNumber('square, soft, round or a number of px, 0 to 100', number => number >= 0 && number <= 100)

const readCorners: Reader<(typeof CORNERS)[number] | number> = node => {
  if (node.kind !== 'text' || !/^\s*[-+.\d]/.test(node.text)) return readOneOf(CORNERS)(node)
  return readPixels({ ...node, text: node.text.replace(/\s*px\s*$/i, '') })
}

function readTheme(node: YamlNode, problems: Problem[]): WrittenTheme | undefined {
  const fields = readFields(node, 'theme', KEYS, problems)
  if (!fields) return undefined
  return withoutUndefined({
    logo: readOptional(fields, 'logo', readReference),
    logoDark: readOptional(fields, 'logoDark', readReference),
    icon: readOptional(fields, 'icon', readReference),
    accent: readOptional(fields, 'accent', readReference),
    ground: readOptional(fields, 'ground', readReference),
    text: readOptional(fields, 'text', readReference),
    heading: readOptional(fields, 'heading', readReference),
    body: readOptional(fields, 'body', readReference),
    corners: readOptional(fields, 'corners', readCorners),
    dark: readOptional(fields, 'dark', readOneOf(DARK_MODES)),
    download: readOptional(fields, 'download', readReference),
  })
}

function readFooter(node: YamlNode, problems: Problem[]): Result<{ name: string; url: string }[], Problem> {
  if (node.kind !== 'list') return refuse(node, 'write a list of links, as in [{ name: Imprint, url: https://… }]')
  if (node.items.length > MAX_ENTRIES)
    return invalid(node, `has ${node.items.length} links; write at most ${MAX_ENTRIES}`)
  const links = node.items.map(item => {
    const fields = readFields(item, 'a link of footer', LINK_KEYS, problems)
    return fields && { name: readRequired(fields, 'name', readName), url: readRequired(fields, 'url', readUrl) }
  })
  return ok(links.flatMap(link => (link?.name && link.url ? [{ name: link.name, url: link.url }] : [])))
}
