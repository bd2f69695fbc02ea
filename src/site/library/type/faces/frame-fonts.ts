import { keysOf } from '#brand/fields.ts'
import type { UnnamedStyle } from '#brand/type-style.ts'
import { DEFAULT_AXES, fluidSize, styleDeclarations } from '#delivery/export/style-sheets/css-text.ts'
import { scriptsIn } from '#formats/font/scripts.ts'
import { matchedTag } from '#platform/exchange/etag.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { content, NO_SNIFF, notModified } from '#platform/exchange/reply.ts'
import type { Downloads } from '#serving/downloads/downloads.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import type { Guide } from '../../../guide/guide.ts'
import { type GuideTheme, themeOf } from '../../../theme/guide-theme.ts'
import type { Scale } from '../../../theme/type-scale.ts'
import { clamp, type FontSubset, makeSubset } from './font-subsets.ts'
import { guideFonts, knownFacts, sampleFace } from './guide-fonts.ts'
import { boldFor, type StyleFaces, styleFaces } from './style-faces.ts'

/** The fonts of the frame of a guide, with subsets that load before the whole fonts. */
export function frameFaces(guide: Guide, { heading, body, scale = {} }: GuideTheme): Promise<StyleFaces> {
  const steps = Object.values(scale).map(stepStyle)
  const styles = [body, heading && withWeight(heading), ...steps].filter(style => style !== undefined)
  return styleFaces(guide, styles, { display: 'swap', hasEmphasis: true })
}

/** The style of the sample letters on the home page, and its font with subsets; none without a font. */
export async function letterFaces(guide: Guide): Promise<Pick<StyleFaces, 'rules' | 'subsets'>> {
  const face = await sampleFace(guide)
  if (!face) return { rules: [], subsets: [] }
  const { family, weight } = face
  const styles = [{ family, weight }]
  const { rules, families, subsets } = await styleFaces(guide, styles, { display: 'swap', hasEmphasis: false })
  return { rules: [...rules, `.letter{font-family:${families({ family })};font-weight:${weight}}\n`], subsets }
}

/** The style of headings with their weight; without one, that of the style sheet. */
function withWeight(heading: UnnamedStyle): UnnamedStyle {
  return { weight: 650, ...heading }
}

/** A style of the scale with the values that CSS has without it. */
function stepStyle(style: UnnamedStyle): UnnamedStyle {
  return { weight: 400, style: 'normal', tracking: 0, ...style }
}

/** The rules for the frame of a guide in the type of its theme. Until a font loads, a system font has its metrics. */
export async function frameFontRules(
  guide: Guide,
  theme: GuideTheme,
): Promise<{ rules: readonly string[]; keptMs: number | undefined }> {
  const { heading, body, scale = {} } = theme
  const { rules, families, meanWidth, keptMs } = await frameFaces(guide, theme)
  /** The rules of a style for some elements. `request` is the style by which `frameFaces` requested its font. */
  const rule = (selector: string, style: UnnamedStyle, request = style) => {
    const axes = body?.axes && !style.axes ? [DEFAULT_AXES] : []
    const declarations = [...styleDeclarations(style, families(style)), ...axes]
    return `${selector}{${declarations.join(';')}}\n${letterRule(selector, style, meanWidth(request))}`
  }
  const steps = scaleSteps(scale)
  const headings = HEADINGS.filter(name => !steps.some(({ selector }) => selector === name))
  const leading = (scale.title ?? scale.h1)?.leading ?? (heading?.leading && clamp(0.9, heading.leading, 1.3))
  return {
    keptMs,
    rules: [
      ...rules,
      ...(body ? [rule('body,input,button', textStyle(body))] : []),
      ...(heading ? [headings.join(), LARGE].map(each => rule(each, headingStyle(heading), withWeight(heading))) : []),
      ...(leading === undefined ? [] : [`:root{--display-leading:${leading}}\n`]),
      ...steps.map(({ selector, style }) => rule(selector, scaleStyle(style))),
      ...sizesOf(steps),
    ],
  }
}

/** The elements with the style of headings; the links have it in a separate rule. */
const HEADINGS = ['.statement', '.tile-name', 'h1', 'h2', 'h3', 'h4']
const LARGE = '.chapters>li>a,.neighbours>a'

/** A step of the scale, and the elements that it is for. */
type Step = { role: keyof Scale; selector: string; style: UnnamedStyle }

/** The title of a page has the style `title`, else `h1`, which is otherwise for statements. */
function scaleSteps(scale: Scale): Step[] {
  const { title = scale.h1, h1, ...others } = scale
  const steps = { title, ...(scale.title && { h1 }), ...others }
  return keysOf(SCALE_SELECTORS).flatMap(role => {
    const style = steps[role]
    return style ? [{ role, selector: SCALE_SELECTORS[role], style: stepStyle(style) }] : []
  })
}

const SCALE_SELECTORS: Readonly<Record<keyof Scale, string>> = {
  title: 'h1',
  h1: '.statement',
  h2: 'h2',
  h3: 'h3',
  lead: '.lead',
  caption: 'figcaption',
  label: 'p.trail,.trail ol',
}

/** The sizes of steps, which style sheets use: the authored ones on wide screens, smaller ones on phones. */
function sizesOf(steps: readonly Step[]): string[] {
  const sizes = steps.flatMap(({ role, style: { size } }) =>
    size === undefined ? [] : [`--size-${role}:${fluidSize(size)}`],
  )
  return sizes.length > 0 ? [`:root{${sizes.join(';')}}\n`] : []
}

/** The properties of a step except its size. */
function scaleStyle({ size: _s, spacing: _p, ...style }: UnnamedStyle): UnnamedStyle {
  return style
}

/** The properties for words that shrink to their line (`fitClasses`); empty if their letters are unknown. */
function letterRule(selector: string, style: UnnamedStyle, meanWidth: number | undefined): string {
  const properties = [
    ...(meanWidth === undefined ? [] : [`--letter:${letterWidth(meanWidth, style)}`]),
    ...(style.tracking === undefined ? [] : [`--tracking:${style.tracking}em`]),
  ]
  return properties.length > 0 ? `${selector}{${properties.join(';')}}\n` : ''
}

/** The width of a letter of `fitClasses` in em, with a margin: capitals are wider, and so are letters with tracking. */
function letterWidth(meanWidth: number, { casing, tracking = 0 }: UnnamedStyle): number {
  const letter = meanWidth * (casing === 'uppercase' || casing === 'small-caps' ? 1.65 : 1.3)
  return Math.round((letter + Math.max(0, tracking)) * 100) / 100
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
 * The reply with the subset of a font of the theme or of sample letters, which is made when it is first needed. If it
 * cannot be made, the reply is the whole font. Undefined for an address that no page of this revision has.
 */
export async function subsetReply(
  downloads: Pick<Downloads, 'reply'>,
  guide: Guide,
  below: string,
  request: Request,
): Promise<Reply | undefined> {
  const { publication } = guide
  const faces = [await frameFaces(guide, await themeOf(publication)), await letterFaces(guide)]
  const fontSubset = faces.flatMap(({ subsets }) => subsets).find(each => each.below === below)
  if (!fontSubset) return undefined
  const bytes = await makeSubset(guide, fontSubset)
  if (!bytes) return downloads.reply(publication, fontSubset.face.file, request)
  const { record, published } = publication
  const visibility = published.visibility === 'public' ? 'public' : 'private'
  // The addresses of a draft or a managed revision end with the access to it.
  const isTemporary = record.draftOf !== undefined || record.managedRevision !== undefined
  const caching = isTemporary ? 'private, no-cache' : `${visibility}, max-age=31536000, immutable`
  const etag = `"${below.split('/')[2]}"` // The key in `-/fonts/{key}/{name}`, which changes with the bytes.
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
  const { fonts, facesOf, subsets, keptMs } = await frameFaces(guide, theme)
  if (fonts.length === 0) return page
  const text = Buffer.from(page.bytes).toString()
  const scripts = new Set(scriptsIn(text))
  const links = stylesAtStart(theme, EMPHASIS.test(text)).flatMap(style => {
    const faces = style ? facesOf(style) : []
    const isUsed = ({ face, isItalic, script }: FontSubset) =>
      faces.includes(face) && scripts.has(script) && (!isItalic || style?.style === 'italic')
    const usedSubsets = subsets.filter(isUsed)
    if (usedSubsets.length > 0) return usedSubsets.map(({ address }) => linkTo(address, 'font/woff2'))
    // A font in several files is not preloaded, since a page may need any of them.
    const [wholeFont, ...otherParts] = faces
    return wholeFont && otherParts.length === 0
      ? [linkTo(site.paths.file(publication.record, wholeFont.file), wholeFont.file.contentType)]
      : []
  })
  if (links.length === 0) return page
  const type = [...page.type, 'Link', [...new Set(links)].join(', ')]
  return { ...page, type, ...(keptMs !== undefined && { keptMs: Math.min(keptMs, page.keptMs ?? keptMs) }) }
}

/** The styles of text, titles, headings, bold labels and emphasis, as `frameFaces` requests their fonts. */
function stylesAtStart({ heading, body, scale }: GuideTheme, hasEmphasis: boolean): (UnnamedStyle | undefined)[] {
  const title = scale?.title ?? scale?.h1 ?? (heading && withWeight(heading))
  return [
    body,
    title && stepStyle(title),
    scale?.h2 && stepStyle(scale.h2),
    body && { ...body, weight: boldFor(body.weight ?? 400) },
    body && hasEmphasis ? { ...body, style: 'italic' } : undefined,
  ]
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
