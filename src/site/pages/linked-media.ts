import type { BrandFile } from '#brand/file.ts'
import { isObject, parsedJson } from '#platform/base/object.ts'
import type { Media } from '../cards/link-target.ts'
import { previewOf } from '../guide/file-kind.ts'
import type { Guide } from '../guide/guide.ts'
import { posterOf, sameName } from '../guide/poster.ts'
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
