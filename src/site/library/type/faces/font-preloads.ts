import type { TypeStyle } from '../../../../brand/type-style.ts'
import type { FontFace } from '../../../../export/fonts/font-faces.ts'
import type { Representation } from '../../../../serving/replies/response-cache.ts'
import type { Guide } from '../../../guide/guide.ts'
import { themeOf } from '../../../theme/guide-theme.ts'
import { fontRequestOf } from './font-matching.ts'
import { guideFonts } from './guide-fonts.ts'

/**
 * A page that preloads the fonts of the theme (RFC 8288, preload), so that they are shown from the start if they load
 * before the first paint.
 */
export async function withFontPreloads(
  guide: Pick<Guide, 'publication' | 'paths'>,
  page: Representation,
): Promise<Representation> {
  const { publication, paths } = guide
  const { heading, body } = await themeOf(publication)
  const { matching } = await guideFonts(guide)
  const hasEmphasis = EMPHASIS.some(tag => includesText(page.bytes, tag))
  const emphasis: TypeStyle | undefined = body && hasEmphasis ? { ...body, style: 'italic' } : undefined
  const faces = [body, heading, emphasis].flatMap(style =>
    style?.family === undefined ? [] : onlyWholeFont(matching(style.family, fontRequestOf(style))),
  )
  const links = [...new Set(faces)].map(
    ({ file }) =>
      `<${paths.file(publication.record, file)}>; rel=preload; as=font; type="${file.contentType}"; crossorigin`,
  )
  return links.length === 0 ? page : { ...page, type: [...page.type, 'Link', links.join(', ')] }
}

/** Tags for italic words in running text, where a substitute font would be conspicuous. */
const EMPHASIS = ['<em>', '<i>']

function includesText({ buffer, byteOffset, byteLength }: Uint8Array, text: string): boolean {
  return Buffer.from(buffer, byteOffset, byteLength).includes(text)
}

/** The first font, which a browser selects; empty if it is split into parts, since a page may need any of them. */
function onlyWholeFont([first, ...others]: readonly FontFace[]): FontFace[] {
  const isPart = others.some(({ file }) => file.contentType === first?.file.contentType)
  return first && !isPart ? [first] : []
}
