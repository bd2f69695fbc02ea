import type { Theme } from '#brand/appearance.ts'
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
import { type KeyedLogo, listedLogos, logoEntry, logoRule } from './brand-logos.ts'

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
  const { content } = source.publication
  const colors = await content.colors()
  const types = await content.types()
  const { theme = {} } = await content.appearance()
  const { logos, leftOut: logosLeftOut } = await listedLogos(content)
  const { fonts, roles, leftOut: fontsLeftOut } = await brandFonts(source)
  const leftOut = [...logosLeftOut, ...fontsLeftOut, ...addressesLeftOut(source)]
  const { entries, rules } = logoParts(source, logos, theme)
  const brand = {
    ...(await identityOf(source)),
    logos: entries,
    colors: { ...rolesOf(theme, colors), ...Object.fromEntries(colors.map(({ id, hex }) => [id, hex])) },
    fonts,
    ...(await tonePart(source)),
    visual_guidelines: {
      logo_usage_rules: rules,
      ...colorwaysPart(colors),
      type_scale: Object.fromEntries(types.map(style => [style.id, scaleEntry(style, roles)])),
    },
    [TOKEN_EXTENSION]: await extensionOf(source, leftOut),
  }
  return { brand, leftOut }
}

async function identityOf(source: ExportSource): Promise<object> {
  const { publication, workspace, urls } = source
  const { record, content } = publication
  // The format writes `de_AT`.
  const lang = ((await content.lang()) ?? 'en').replaceAll('-', '_')
  const home = (await content.pages()).get(HOME_PAGE)
  return {
    // Different for each project: ids have no underscores, and no two hyphens in a row.
    id: `${record.workspace}__${record.project}`.replaceAll('-', '_'),
    names: Array.from(new Set([workspace, guideName(source)]), name => ({ [lang]: name })),
    ...withoutUndefined({ url: urls?.project(record), description: home?.description }),
  }
}

/** The logos and the rules for them; none without addresses. */
function logoParts({ publication, urls }: ExportSource, logos: readonly KeyedLogo[], theme: Theme) {
  if (!urls) return { entries: [], rules: [] }
  const { record } = publication
  return {
    entries: logos.map(logo => logoEntry(logo, theme, urls.file(record, logo.file))),
    rules: logos.flatMap(logoRule),
  }
}

/** The values that the format has no place for. */
async function extensionOf(source: ExportSource, leftOut: readonly string[]): Promise<object> {
  const { publication, urls, isPublished } = source
  const { record, content, published } = publication
  const { contact, words } = await content.appearance()
  const revision = isPublished ? published.revision : undefined
  const mcp = urls?.below(record, MCP)
  const colors = await content.colors()
  return {
    ...withoutUndefined({ name: guideName(source), revision, mcp, contact, words }),
    snapshot: published.snapshot,
    colors: Object.fromEntries(colors.map(({ id, hex: _, ...values }) => [id, values])),
    ...(leftOut.length > 0 && { leftOut }),
  }
}

const MCP = '/-/mcp'

function addressesLeftOut({ publication, urls }: ExportSource): string[] {
  if (!urls) return [NO_ADDRESSES]
  return urls.below(publication.record, MCP).startsWith('https:') ? [] : [NO_TLS]
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
function colorwaysPart(colors: readonly Color[]): object {
  const byId = new Map(colors.map(color => [`${color.id}`, color]))
  const colorways = colors.flatMap(({ name, hex, on = [] }) =>
    on
      .flatMap(id => byId.get(id) ?? [])
      .map(ground => ({ name: `${name} on ${ground.name}`, foreground: hex, background: ground.hex })),
  )
  return colorways.length > 0 ? { colorways } : {}
}

async function tonePart({ publication, urls }: ExportSource): Promise<object> {
  const page = tonePage((await publication.content.pages()).values())
  if (!page) return {}
  const { id, name, description: voice = name } = page
  return { tone: withoutUndefined({ voice, url: urls?.page(publication.record, id) }) }
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
