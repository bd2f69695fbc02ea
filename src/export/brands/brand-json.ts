import { withoutUndefined } from '../../base/object.ts'
import { ok } from '../../base/result.ts'
import type { Color } from '../../brand/color.ts'
import { TOKEN_EXTENSION } from '../../brand/fields.ts'
import { type ProjectRef, slug } from '../../brand/ids.ts'
import type { BrandWord } from '../../brand/lint-rules.ts'
import { HOME_PAGE, type Page } from '../../brand/page.ts'
import { guideName } from '../../serving/publications/publications.ts'
import { type ExportSource, type MakeExport, textFile } from '../format.ts'
import { brandFonts, scaleEntry } from './brand-fonts.ts'
import { brandLogos } from './brand-logos.ts'

/** `brand.json` of the Ad Context Protocol, 3.1: the document of one brand. */
export const brandJson: MakeExport = async source => {
  const { brand, leftOut } = await brandOf(source)
  return ok({ files: [brandFile(brand)], leftOut })
}

/** A `brand.json`: a brand, or several brands of a house. */
export function brandFile(content: object) {
  return textFile('brand.json', [JSON.stringify({ $schema: SCHEMA, ...content }, null, 2), '\n'])
}

const SCHEMA = 'https://adcontextprotocol.org/schemas/v3/brand.json'

/**
 * A guide as a brand. The schema has no place for some values, such as print values of colours: they are under
 * `housestyle`, in the brand, a logo, a font or a type style.
 */
export async function brandOf(source: ExportSource): Promise<{ brand: object; leftOut: string[] }> {
  const { publication, workspace, urls } = source
  const { record, content } = publication
  const [colors, types, pages] = [await content.colors(), await content.types(), await content.pages()]
  const { theme = {}, contact, words = [] } = await content.appearance()
  const { logos, rules, leftOut: noLogos } = await brandLogos(source)
  const { fonts, roles, leftOut: noFonts } = await brandFonts(source)
  const mcp = urls && `${urls.project(record)}/-/mcp`
  const leftOut = [
    ...noLogos,
    ...noFonts,
    ...(urls ? [] : [NO_ADDRESSES]),
    ...(mcp?.startsWith('http:') ? [NO_TLS] : []),
  ]
  const names = new Set([workspace, guideName(source)])
  const lang = ((await content.lang()) ?? 'en').replaceAll('-', '_')
  const id = brandId(record)
  const email = EMAIL.exec(contact ?? '')?.[1]
  const brand = withoutUndefined({
    id,
    url: urls?.project(record),
    names: Array.from(names, name => ({ [lang]: name })),
    description: pages.get(HOME_PAGE)?.description,
    logos,
    colors: { ...rolesOf(theme, colors), ...Object.fromEntries(colors.map(({ id, hex }) => [id, hex])) },
    fonts,
    tone: toneOf(Array.from(pages.values()), words, page => urls?.page(record, page)),
    contact: email === undefined ? undefined : { email },
    visual_guidelines: {
      logo_usage_rules: rules,
      color_constraints: colors.flatMap(constraintOf),
      type_scale: Object.fromEntries(types.map(style => [style.id, scaleEntry(style, roles)])),
    },
    agents: mcp?.startsWith('https:') ? [{ type: 'brand', url: mcp, id: id.slice(0, 100) }] : undefined,
    [TOKEN_EXTENSION]: about(source, { mcp, contact, colors: Object.fromEntries(colors.map(valuesOf)), leftOut }),
  })
  return { brand, leftOut }
}

function valuesOf({ id, hex: _, ...values }: Color) {
  return [id, values] as const
}

function about(
  source: ExportSource,
  { leftOut, ...values }: { leftOut: readonly string[]; [key: string]: unknown },
): object {
  const { publication, isPublished } = source
  const { revision, snapshot } = publication.published
  return withoutUndefined({
    name: guideName(source),
    revision: isPublished ? revision : undefined,
    snapshot,
    ...values,
    leftOut: leftOut.length > 0 ? leftOut : undefined,
  })
}

const NO_ADDRESSES = 'addresses of logos, fonts, pages and agents: a draft has none'
const NO_TLS =
  'the addresses of fonts and agents: the format has only https; they are under housestyle, or set --public-url to an https address'
const EMAIL = /^(?:mailto:)?([\w+-]+(?:\.[\w+-]+)*@[a-z0-9]+(?:[.-][a-z0-9]+)+)$/i

/** Different for each project of a service: ids have no underscores, and no two hyphens in a row. */
function brandId({ workspace, project }: ProjectRef): string {
  return `${workspace}__${project}`.replaceAll('-', '_')
}

/** The colours of the theme by role. A colour with the name of a role as its id replaces it. */
function rolesOf(theme: { accent?: string; ground?: string; text?: string }, colors: readonly Color[]) {
  const hexOf = (id: string | undefined) => colors.find(color => color.id === id)?.hex
  const accent = hexOf(theme.accent)
  return withoutUndefined({ primary: accent, accent, background: hexOf(theme.ground), text: hexOf(theme.text) })
}

/** The grounds that a colour may be used on. */
function constraintOf({ id, on }: Color) {
  return on ? [{ color: { kind: 'name', name: id }, allowed_on: on.map(name => ({ kind: 'name', name })) }] : []
}

/** The first page whose name or id has a word for it, and the words of the brand as advice. */
function toneOf(
  pages: readonly Page[],
  words: readonly BrandWord[],
  addressOf: (page: string) => string | undefined,
): object | undefined {
  const page = pages.find(({ id, name }) =>
    `${slug(id.slice(id.lastIndexOf('/') + 1))}-${slug(name)}`.split('-').some(isTone),
  )
  if (!page && words.length === 0) return undefined
  const because = ({ reason }: BrandWord) => (reason === undefined ? '' : `: ${reason}`)
  const quoted = (texts: readonly string[]) => texts.map(text => `“${text}”`).join(', ')
  return withoutUndefined({
    voice: page && (page.description ?? page.name),
    url: page && addressOf(page.id),
    ...(words.length > 0 && {
      dos: words.map(word => `Write “${word.write}”${because(word)}`),
      donts: words.flatMap(({ not }) => (not.length > 0 ? `Do not write ${quoted(not)}` : [])),
    }),
  })
}

/** In the languages of the website. */
const TONE = 'voice tone tonality tonalitat voz tono voix ton voce tom toon トーン نبرة'.split(' ')

function isTone(word: string): boolean {
  return TONE.includes(word)
}
