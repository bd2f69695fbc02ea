import type { BrandFile } from '#brand/file.ts'
import { pathWithoutFormat } from '#brand/library.ts'
import { isObject, parsedJson } from '#platform/base/object.ts'
import type { Media } from '../cards/link-target.ts'
import type { Guide } from '../guide/guide.ts'
import { previewOf } from '../library/files/file-kind.ts'
import { filmSize } from '../thumbnails/film-size.ts'
import { fileText } from '../thumbnails/stored-files.ts'
import { shownAddress } from '../thumbnails/thumbnail.ts'

/**
 * The media that plays a file: a video or audio file itself, with the poster and captions of the same name; for a Lottie
 * animation, the video or SVG of the same name. Undefined for other files.
 */
export async function mediaOf(guide: Guide, file: BrandFile): Promise<Media | undefined> {
  const files = await guide.publication.content.files()
  const kind = previewOf(file)?.kind
  if (kind === 'audio' || kind === 'video') return playerOf(guide, kind, file)
  const film = sameName(files, file, FILMS)
  const drawing = film ? undefined : sameName(files, file, ['svg'])
  if ((!film && !drawing) || !(await isLottie(guide, file))) return undefined
  if (film) return { ...(await playerOf(guide, 'video', film)), isLottie: true }
  const address = drawing && guide.site.paths.file(guide.publication.record, drawing)
  const preview = drawing && previewOf(drawing)
  if (address === undefined || preview?.kind !== 'picture') return undefined
  const { width, height } = preview
  return { kind: 'drawing', src: address, poster: { src: address, width, height }, isLottie: true }
}

const FILMS = ['webm', 'mp4']
/** The formats of posters, in order of preference. */
const POSTERS = ['jpg', 'jpeg', 'webp', 'avif', 'png', 'svg']

/** The picture with the name of a video, such as `ident.jpg` for `ident.webm`. */
export function posterOf(files: ReadonlyMap<string, BrandFile>, film: BrandFile): BrandFile | undefined {
  const poster = sameName(files, film, POSTERS)
  return poster && previewOf(poster)?.kind === 'picture' ? poster : undefined
}

async function playerOf(guide: Guide, kind: 'audio' | 'video', file: BrandFile): Promise<Media> {
  const { site, publication } = guide
  const files = await publication.content.files()
  const lang = (await publication.content.lang()) ?? 'en'
  const address = (each: BrandFile) => site.paths.file(publication.record, each)
  const captions = kind === 'video' ? sameName(files, file, ['vtt']) : undefined
  const picture = kind === 'video' ? posterOf(files, file) : undefined
  const preview = picture && previewOf(picture)
  const size = kind === 'video' ? await filmSize(guide, file) : undefined
  const poster = picture &&
    preview?.kind === 'picture' && {
      src: shownAddress(publication.record, picture, site.paths),
      width: preview.width,
      height: preview.height,
    }
  return {
    kind,
    src: address(file),
    size,
    ...(poster && { poster }),
    ...(captions && { captions: { src: address(captions), lang } }),
  }
}

/** The file in the same folder that differs only in its extension. */
function sameName(
  files: ReadonlyMap<string, BrandFile>,
  { path }: BrandFile,
  extensions: readonly string[],
): BrandFile | undefined {
  const name = pathWithoutFormat(path)
  for (const extension of extensions) {
    const file = files.get(`${name}.${extension}`) ?? files.get(`${name}.${extension.toUpperCase()}`)
    if (file && file.path !== path) return file
  }
  return undefined
}

/** Whether a file is a Lottie animation: a `.lottie` archive, or JSON with the required keys of the format. */
async function isLottie(guide: Guide, file: BrandFile): Promise<boolean> {
  const { path, contentType, size } = file
  if (/\.lottie$/i.test(path)) return true
  if (contentType !== 'application/json' || size > MAX_BYTES) return false
  const value = parsedJson(await fileText(guide, file))
  return isObject(value) && Array.isArray(value.layers) && NUMBERS.every(name => typeof value[name] === 'number')
}

/** Parsing more would delay other requests. */
const MAX_BYTES = 1 << 20

/**
 * The required numbers of an animation (Lottie 1.0, "Animation"): size, frame rate, first and last frame. Older files may
 * lack a version.
 */
const NUMBERS = ['w', 'h', 'fr', 'ip', 'op']
