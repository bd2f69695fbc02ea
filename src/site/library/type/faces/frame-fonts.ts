import type { UnnamedStyle } from '#brand/type-style.ts'
import { matchedTag } from '#exchange/etag.ts'
import type { Reply, Request } from '#exchange/message.ts'
import { content, NO_SNIFF, notModified } from '#exchange/reply.ts'
import { DEFAULT_AXES, styleDeclarations } from '#export/style-sheets/css-text.ts'
import { scriptsIn } from '#fonts/scripts.ts'
import type { Downloads } from '#serving/downloads/downloads.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import type { Guide } from '#site/guide/guide.ts'
import { type GuideTheme, themeOf } from '#site/theme/guide-theme.ts'
import { clamp, type FontSubset, makeSubset } from './font-subsets.ts'
import { guideFonts, knownFacts } from './guide-fonts.ts'
import { boldFor, type StyleFaces, styleFaces } from './style-faces.ts'

/** The fonts of the frame of a guide, with subsets that load before the whole fonts. */
export function frameFaces(guide: Guide, { heading, body }: GuideTheme): Promise<StyleFaces> {
  const styles = [body, heading && withWeight(heading)].filter(style => style !== undefined)
  return styleFaces(guide, styles, { display: 'swap', hasEmphasis: true })
}

/** The style of headings with their weight; without one, that of the style sheet. */
function withWeight(heading: UnnamedStyle): UnnamedStyle {
  return { weight: 650, ...heading }
}

/**
 * The style rules for the frame of a guide in the type styles of its theme. Until a font has loaded, text is in a
 * system font with its metrics.
 */
export async function frameFontRules(
  guide: Guide,
  theme: GuideTheme,
): Promise<{ rules: readonly string[]; keptMs: number | undefined }> {
  const { heading, body } = theme
  const { rules, families, keptMs } = await frameFaces(guide, theme)
  const rule = (selector: string, style: UnnamedStyle) =>
    `${selector}{${[...styleDeclarations(style, families(style)), ...(body?.axes && !style.axes ? [DEFAULT_AXES] : [])].join(';')}}\n`
  return {
    keptMs,
    rules: [
      ...rules,
      ...(body ? [rule('body,input,button', textStyle(body))] : []),
      ...(heading ? [rule('.statement,.tile-name,h1,h2,h3,h4', headingStyle(heading))] : []),
      ...(heading?.leading === undefined ? [] : [`:root{--display-leading:${clamp(0.9, heading.leading, 1.3)}}\n`]),
    ],
  }
}

/** The properties of a style for running text. Each part of a page sets its own sizes and cases. */
function textStyle({ size: _s, casing: _c, spacing: _p, features: _f, leading, ...style }: UnnamedStyle): UnnamedStyle {
  const lines = leading === undefined ? {} : { leading: clamp(1.35, leading, 1.8) }
  return { ...style, ...lines, casing: 'none', features: {} }
}

/** The properties of a style for headings of all sizes. Browsers do not synthesise missing weights. */
function headingStyle({ size: _s, leading: _l, spacing: _p, ...style }: UnnamedStyle): UnnamedStyle {
  return style
}

/**
 * The reply with the subset of a font of the theme, or with one of the others, which is made when it is first needed. If it cannot be made, the
 * reply is the whole font. Undefined for an address that no page of this revision has.
 */
export async function subsetReply(
  downloads: Pick<Downloads, 'reply'>,
  guide: Guide,
  below: string,
  request: Request,
  others: readonly FontSubset[] = [],
): Promise<Reply | undefined> {
  const { publication } = guide
  const { subsets } = await frameFaces(guide, await themeOf(publication))
  const fontSubset = [...subsets, ...others].find(each => each.below === below)
  if (!fontSubset) return undefined
  const bytes = await makeSubset(guide, fontSubset)
  if (!bytes) return downloads.reply(publication, fontSubset.face.file, request)
  const { record, published } = publication
  const visibility = published.visibility === 'public' ? 'public' : 'private'
  // The addresses of a draft or a managed revision end with the access to it.
  const isOwn = record.draftOf !== undefined || record.managedRevision !== undefined
  const caching = isOwn ? 'private, no-cache' : `${visibility}, max-age=31536000, immutable`
  const etag = `"${below.split('/')[2]}"`
  const headers = ['Cache-Control', caching, 'ETag', etag]
  return matchedTag(request.headers['if-none-match'], etag)
    ? notModified([...headers, ...NO_SNIFF])
    : content('font/woff2', bytes, { caching: headers })
}

/**
 * A page that preloads the fonts of the theme (RFC 8288, preload), so that they are shown from the start: those of
 * headings, text, bold labels and, if the page has any, emphasis. A font loads as subsets for the scripts of the page, or
 * whole if it has none.
 */
export async function withFontPreloads(guide: Guide, page: Representation): Promise<Representation> {
  const { site, publication } = guide
  const theme = await themeOf(publication)
  const { heading, body } = theme
  const { fonts, facesOf, subsets, keptMs } = await frameFaces(guide, theme)
  if (fonts.length === 0) return page
  const text = Buffer.from(page.bytes).toString()
  const styles: (UnnamedStyle | undefined)[] = [
    body,
    heading && withWeight(heading),
    body && { ...body, weight: boldFor(body.weight ?? 400) },
    body && EMPHASIS.test(text) ? { ...body, style: 'italic' } : undefined,
  ]
  const scripts = new Set(scriptsIn(text))
  const parts = styles.map(style => {
    const faces = style ? facesOf(style) : []
    return { faces, parts: subsets.filter(({ face, script }) => faces.includes(face) && scripts.has(script)) }
  })
  const links = parts.flatMap(({ faces, parts }) => {
    if (parts.length > 0) return parts.map(({ address }) => linkTo(address, 'font/woff2'))
    // A page may need any of several parts of a font.
    const [whole, ...others] = faces
    return whole && others.length === 0
      ? [linkTo(site.paths.file(publication.record, whole.file), whole.file.contentType)]
      : []
  })
  if (links.length === 0) return page
  const type = [...page.type, 'Link', [...new Set(links)].join(', ')]
  return { ...page, type, ...(keptMs !== undefined && { keptMs: Math.min(keptMs, page.keptMs ?? keptMs) }) }
}

/** Tags for italic words in running text, where a substitute font would be conspicuous. */
const EMPHASIS = /<(?:em|i)>/

function linkTo(address: string, contentType: string): string {
  return `<${address}>; rel=preload; as=font; type="${contentType}"; crossorigin`
}

/**
 * Reads the fonts of guides and makes the subsets for their themes: first the facts of all fonts of themes, for which all
 * pages wait. Continues with the next font if one fails.
 *
 * @throws if the store cannot be read
 */
export async function prepareFonts(guides: readonly Guide[]): Promise<void> {
  const prepared = []
  for (const guide of guides) {
    const { subsets } = await frameFaces(guide, await themeOf(guide.publication))
    prepared.push({ guide, subsets })
  }
  for (const { guide, subsets } of prepared) for (const subset of subsets) await makeSubset(guide, subset)
  for (const guide of guides) await knownFacts(guide, (await guideFonts(guide)).faces)
}
