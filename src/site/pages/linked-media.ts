import type { BrandFile } from '#brand/file.ts'
import { isObject, parsedJson, pick, withoutUndefined } from '#platform/base/object.ts'
import type { Media } from '../cards/link-target.ts'
import { previewOf } from '../guide/file-kind.ts'
import type { Guide } from '../guide/guide.ts'
import { posterOf, sameName } from '../guide/poster.ts'
import { type Picture, shownPicture } from '../theme/guide-theme.ts'
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
  const drawing = shownPicture(sameName(files, file, ['svg']))
  if (!(film ?? drawing) || !(await isLottie(guide, file))) return undefined
  const media = film ? await playerOf(guide, 'video', film) : drawing && drawingMedia(guide, drawing)
  return media && { ...media, isLottie: true }
}

const FILMS = ['webm', 'mp4']

function drawingMedia({ site, publication }: Guide, { file, width, height }: Picture): Media {
  const src = site.paths.file(publication.record, file)
  return { kind: 'drawing', src, poster: { src, width, height } }
}

async function playerOf(guide: Guide, kind: 'audio' | 'video', file: BrandFile): Promise<Media> {
  const src = guide.site.paths.file(guide.publication.record, file)
  return { kind, src, ...(kind === 'video' && (await filmParts(guide, file))) }
}

/** The size of a film, and the poster and captions of the same name. */
async function filmParts(guide: Guide, film: BrandFile): Promise<Partial<Media>> {
  const { site, publication } = guide
  const { record, content } = publication
  const files = await content.files()
  const captions = sameName(files, film, ['vtt'])
  const picture = shownPicture(posterOf(files, film))
  return withoutUndefined({
    size: await filmSize(guide, film),
    poster: picture && { ...pick(picture, ['width', 'height']), src: shownAddress(record, picture.file, site.paths) },
    captions: captions && { src: site.paths.file(record, captions), lang: (await content.lang()) ?? 'en' },
  })
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
