import type { Color } from '#brand/color.ts'
import { TOKEN_EXTENSION } from '#brand/fields.ts'
import { slug } from '#brand/ids.ts'
import { HOME_PAGE, type Page } from '#brand/page.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { ok } from '#platform/base/result.ts'
import { wordSet } from '#platform/base/text.ts'
import { guideName } from '#serving/publications/publications.ts'
import type { ExportSource, MakeExport } from '../format.ts'
import { brandFonts, scaleEntry } from './brand-fonts.ts'
import { listedLogos, logoEntry, logoRule } from './brand-logos.ts'

/** `brand.json` of the Ad Context Protocol, 3.1: the document of one brand. */
export const brandJson: MakeExport = async source => {
  const { brand, leftOut } = await brandOf(source)
  return ok({ files: [{ path: 'brand.json', content: brandFile(brand) }], leftOut })
}

/** The bytes of a `brand.json` of a brand, or of a house with several brands. */
export function brandFile(content: object): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ $schema: SCHEMA, ...content }, null, 2)}\n`)
}

const SCHEMA = 'https://adcontextprotocol.org/schemas/v3/brand.json'

/**
 * A guide as a brand. It names no agent of type `brand`, because the MCP server has none of that protocol's tools. The
 * schema has no place for some values, such as print values of colours: they are under `housestyle`, in the brand, a
 * logo, a font or a type style.
 */
export async function brandOf(source: ExportSource): Promise<{ brand: object; leftOut: string[] }> {
  const { publication, workspace, urls, isPublished } = source
  const { record, content, published } = publication
  const colors = await content.colors()
  const types = await content.types()
  const pages = await content.pages()
  const { theme = {}, contact, words } = await content.appearance()
  const tone = tonePage(pages.values())
  const { logos, leftOut: logosLeftOut } = await listedLogos(content)
  const { fonts, roles, leftOut: fontsLeftOut } = await brandFonts(source)
  const mcp = urls?.below(record, '/-/mcp')
  const name = guideName(source)
  const addressesLeftOut = urls ? (mcp?.startsWith('https:') ? [] : [NO_TLS]) : [NO_ADDRESSES]
  const colorways = colorwaysOf(colors)
  const leftOut = [...logosLeftOut, ...fontsLeftOut, ...addressesLeftOut]
  // The format writes `de_AT`.
  const lang = ((await content.lang()) ?? 'en').replaceAll('-', '_')
  const id = `${record.workspace}__${record.project}`.replaceAll('-', '_')
  const brand = {
    id, // Different for each project: ids have no underscores, and no two hyphens in a row.
    names: Array.from(new Set([workspace, name]), each => ({ [lang]: each })),
    ...withoutUndefined({ url: urls?.project(record), description: pages.get(HOME_PAGE)?.description }),
    logos: urls ? logos.map(logo => logoEntry(logo, theme, urls.file(record, logo.file))) : [],
    colors: { ...rolesOf(theme, colors), ...Object.fromEntries(colors.map(({ id, hex }) => [id, hex])) },
    fonts,
    ...(tone && { tone: withoutUndefined({ voice: tone.description ?? tone.name, url: urls?.page(record, tone.id) }) }),
    visual_guidelines: {
      logo_usage_rules: urls ? logos.flatMap(logoRule) : [],
      ...(colorways.length > 0 && { colorways }),
      type_scale: Object.fromEntries(types.map(style => [style.id, scaleEntry(style, roles)])),
    },
    [TOKEN_EXTENSION]: {
      ...withoutUndefined({ name, revision: isPublished ? published.revision : undefined, mcp, contact, words }),
      snapshot: published.snapshot,
      colors: Object.fromEntries(colors.map(({ id, hex: _, ...values }) => [id, values])),
      ...(leftOut.length > 0 && { leftOut }),
    },
  }
  return { brand, leftOut }
}

const NO_ADDRESSES = 'addresses of logos, fonts and pages: a draft has none'
const NO_TLS =
  'the addresses of fonts: the format has only https; they are under housestyle, or set --public-url to an https address'

/** The colours of the theme by role. A colour with the name of a role as its id replaces it. */
function rolesOf(theme: { accent?: string; ground?: string; text?: string }, colors: readonly Color[]) {
  const hexOf = (id: string | undefined) => colors.find(color => color.id === id)?.hex
  const accent = hexOf(theme.accent)
  return withoutUndefined({ primary: accent, accent, background: hexOf(theme.ground), text: hexOf(theme.text) })
}

/** The pairs of colours that `on` allows, by the names of both. */
function colorwaysOf(colors: readonly Color[]) {
  const byId = new Map(colors.map(color => [`${color.id}`, color]))
  return colors.flatMap(({ name, hex, on = [] }) =>
    on
      .flatMap(id => byId.get(id) ?? [])
      .map(ground => ({ name: `${name} on ${ground.name}`, foreground: hex, background: ground.hex })),
  )
}

/** The first page with a word for tone of voice, in a language of the website, in its name or the last part of its id. */
function tonePage(pages: Iterable<Page>): Page | undefined {
  return Array.from(pages).find(({ id, name }) => isAboutTone(slug(`${id.replace(/^.*\//, '')} ${name}`)))
}

function isAboutTone(words: string): boolean {
  return words.split('-').some(word => TONE.has(word)) || TONE_IN_JAPANESE.test(words)
}

/** The words for tone of voice in the languages of the website; Arabic with and without an article. */
const TONE =
  wordSet(`voice tone tonality tonalitat tonalite tonalita voz tono voix ton voce tom toon stimme markenstimme نبرة
    النبرة`)
/** Japanese has no spaces between words. */
const TONE_IN_JAPANESE = /トーン(?:$|-|アント|オフ)|(?:^|の|-)声/
