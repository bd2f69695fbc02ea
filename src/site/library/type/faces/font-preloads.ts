import type { TypeStyle } from '../../../../brand/type-style.ts'
import type { FontFace } from '../../../../export/fonts/font-faces.ts'
import type { Representation } from '../../../../serving/replies/response-cache.ts'
import type { Guide } from '../../../guide/guide.ts'
import { themeOf } from '../../../theme/guide-theme.ts'
import { fontRequestOf } from './font-matching.ts'
import { guideFonts } from './guide-fonts.ts'

/**
 * A page that has its browser load the fonts of the theme at once (RFC 8288, preload): they are shown from the start if
 * they are there before anything else is painted.
 */
export async function withFontPreloads(
  guide: Pick<Guide, 'publication' | 'paths'>,
  page: Representation,
): Promise<Representation> {
  const { publication, paths } = guide
  const { heading, body } = await themeOf(publication)
  const { matching } = await guideFonts(guide)
  const isEmphatic = EMPHASIS.some(tag => hasText(page.bytes, tag))
  const emphasis: TypeStyle | undefined = body && isEmphatic ? { ...body, style: 'italic' } : undefined
  const faces = [body, heading, emphasis].flatMap(style =>
    style?.family === undefined ? [] : inOnePart(matching(style.family, fontRequestOf(style))),
  )
  const links = [...new Set(faces)].map(
    ({ file }) =>
      `<${paths.file(publication.record, file)}>; rel=preload; as=font; type="${file.contentType}"; crossorigin`,
  )
  return links.length === 0 ? page : { ...page, type: [...page.type, 'Link', links.join(', ')] }
}

/** What is set in the italic of running text: words of another font would stand out. */
const EMPHASIS = ['<em>', '<i>']

function hasText({ buffer, byteOffset, byteLength }: Uint8Array, text: string): boolean {
  return Buffer.from(buffer, byteOffset, byteLength).includes(text)
}

/** The first font, which a browser takes; none if it comes in parts, of which a page may need any. */
function inOnePart([first, ...others]: readonly FontFace[]): FontFace[] {
  const isPart = others.some(({ file }) => file.contentType === first?.file.contentType)
  return first && !isPart ? [first] : []
}
