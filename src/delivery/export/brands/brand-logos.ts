import type { Theme } from '#brand/appearance.ts'
import { TOKEN_EXTENSION } from '#brand/fields.ts'
import { type BrandFile, FILE_NOTE_KEYS, isLight, pictureMetadata } from '#brand/file.ts'
import { textColorOn } from '#brand/styles/contrast.ts'
import { pick, withoutUndefined } from '#platform/base/object.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { describeOmission } from '../format.ts'
import { logosOf } from '../logos.ts'
import { plainKeys } from './plain-keys.ts'

/** A logo of a brand file with its key, and whether it is for dark backgrounds, if that is known. */
export type KeyedLogo = { file: BrandFile; key: string; isForDark: boolean | undefined }

/** The logos that a brand file lists, and sentences about the other files in their folders. */
export async function listedLogos(content: Publication['content']): Promise<{ logos: KeyedLogo[]; leftOut: string[] }> {
  const { theme } = await content.appearance()
  const { logos, others } = await logosOf(content)
  const hexes: ReadonlyMap<string, string> = new Map((await content.colors()).map(({ id, hex }) => [id, hex]))
  const keys = plainKeys(logos.map(logoPlace))
  const listed = logos.map(file => {
    const ground = hexes.get(file.ground ?? '')
    const isCalledDark = file.path === theme?.logoDark || isLight(file)
    // Without a ground or such a name, nothing says which background it is for.
    const isForDark = ground ? textColorOn(ground) === 'white' : isCalledDark || undefined
    return { file, key: keys.get(logoPlace(file)) ?? '', isForDark }
  })
  return { logos: listed, leftOut: describeOmission('file', others.map(logoPlace), 'a logo is a picture here') }
}

/** The path of a logo without the folder of all files. */
function logoPlace({ path }: BrandFile): string {
  return path.replace(/^files\//, '')
}

/** A logo with the values of the format, and the others under `housestyle`. */
export function logoEntry({ file, key, isForDark }: KeyedLogo, theme: Theme, url: string): object {
  const { path, contentType } = file
  const { width = 0, height = 0, description } = pictureMetadata(file)
  const shape = width > height * NEARLY_SQUARE ? 'horizontal' : height > width * NEARLY_SQUARE ? 'vertical' : 'square'
  // 0 if the size of the picture is not known.
  const size = width && height && { orientation: shape, width: Math.round(width), height: Math.round(height) }
  const variant = path === theme.logo ? 'primary' : path === theme.icon ? 'icon' : undefined
  const background = isForDark ? 'dark-bg' : 'light-bg'
  return {
    id: key,
    url,
    ...withoutUndefined({ background: isForDark === undefined ? undefined : background, variant }),
    ...(size || {}),
    [TOKEN_EXTENSION]: withoutUndefined({ path, contentType, description, ...pick(file, FILE_NOTE_KEYS) }),
  }
}

/** How many times as long as the other a side of a square logo may be. */
const NEARLY_SQUARE = 1.1

/** The rule for the use of a logo; none without any facts. */
export function logoRule({ file, key }: KeyedLogo): object[] {
  const { minWidth, clearSpace, clearSpaceOf, ground, medium } = file
  const space = [clearSpace && `${clearSpace} × the height of the logo`, clearSpaceOf].filter(Boolean).join(': ')
  const rule = {
    ...(minWidth && { minimum_size: { width: `${minWidth}px` } }),
    ...(space && { clear_space: space }),
    ...(ground && { allowed_backgrounds: [{ kind: 'name', name: ground }] }),
    ...(medium && { contexts: medium }),
  }
  return Object.keys(rule).length > 0 ? [{ logo_id: key, ...rule }] : []
}
