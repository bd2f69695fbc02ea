import { type BrandFile, folderOf, fontMetadata, isExpired, isFont } from '#brand/file.ts'
import type { StyleId } from '#brand/ids.ts'
import { pathWithoutFormat } from '#brand/library.ts'
import type { Page, Target } from '#brand/page.ts'
import { libraryOf, usableFiles } from '#serving/publications/library.ts'
import type { FileTarget, FolderTarget, LinkTarget, Media, Preview, StageTarget } from '../cards/link-target.ts'
import { previewOf, typeWord } from '../guide/file-kind.ts'
import type { Guide } from '../guide/guide.ts'
import { isPhotograph, plateOf } from '../guide/picture-look.ts'
import { posterOf } from '../guide/poster.ts'
import { paletteTarget } from '../library/colors/palette-view.ts'
import { lastDay, pixelsOf } from '../library/files/file-card.ts'
import { filePath, shownGroup } from '../library/files/file-list.ts'
import { libraryItem } from '../library/files/library-item.ts'
import { familyStage } from '../library/type/family-view.ts'
import { fontSamples } from '../library/type/font-sample.ts'
import { hasThumbnail, pictureAddresses } from '../thumbnails/thumbnail.ts'
import { mediaOf } from './linked-media.ts'
import { logoStage } from './logo-stage.ts'

/** A file as its card shows it. */
export async function fileTarget(guide: Guide, file: BrandFile): Promise<FileTarget> {
  const media = await mediaOf(guide, file)
  const type = media?.isLottie ? 'Lottie' : `${typeWord(guide.words, file)}`
  const facts = `${guide.words.list([type, pixelsOf(file), guide.words.bytes(file.size)])}`
  const rights = lastDay(guide, file)?.toString()
  const preview = media?.isLottie ? filmPreview(guide, file, media) : filePreview(guide, file)
  const { content } = guide.publication
  const library = await libraryOf(content)
  const page = shownGroup(guide, library, file) && filePath(guide, library, file)
  const isOver = isExpired(file, content.today())
  return { kind: 'file', title: file.title, type, facts, rights, page, isOver, media, preview: await preview }
}

/** The stage of a picture, colours or type; undefined for other targets, whose link looks as without `?stage`. */
export async function stageTarget(guide: Guide, to: Target): Promise<StageTarget | undefined> {
  if (to.list === 'colors') return paletteTarget(guide, to)
  if (to.list === 'types') return familyStage(guide, to)
  const file = (await guide.publication.content.files()).get(to.file ?? '')
  if (file && isFont(file)) return familyStage(guide, { family: fontMetadata(file).family })
  return file && logoStage(guide, file)
}

/** The face of a file's card; undefined for a file that is only named. */
async function filePreview(guide: Guide, file: BrandFile): Promise<Preview | undefined> {
  const kind = previewOf(file)?.kind
  if (kind === 'audio') return { sign: 'sound' }
  if (kind === 'font') return fontPreview(guide, file)
  if (kind !== 'video') return picturePreview(guide, file)
  return filmPreview(guide, file, { kind, src: guide.site.paths.file(guide.publication.record, file) })
}

/** The picture with the name of a film or an animation, else the first frame of a film; a film also has a sign. */
async function filmPreview(
  guide: Guide,
  file: BrandFile,
  { kind, src }: Pick<Media, 'kind' | 'src'>,
): Promise<Preview> {
  const poster = posterOf(await guide.publication.content.files(), file)
  const preview = poster && (await picturePreview(guide, poster))
  if (preview) return { ...preview, isFilm: kind === 'video' }
  return kind === 'video' ? { film: src } : { sign: 'film' }
}

/** The path below `/-/` of the style sheet for cards with letters of a font; undefined if there is none. */
export function cardFontSheet(targets: ReadonlyMap<string, LinkTarget>): string | undefined {
  const hasFace = (preview: Preview | undefined) => preview !== undefined && 'face' in preview
  const isWithFace = (to: LinkTarget) =>
    (to.kind === 'file' && hasFace(to.preview)) || (to.kind === 'folder' && to.pictures.some(hasFace))
  return targets.values().some(isWithFace) ? 'files/fonts.css' : undefined
}

/** The letters of a font that the list of fonts shows, too, because its style sheet has them. */
async function fontPreview(guide: Guide, file: BrandFile): Promise<Preview | undefined> {
  const shown = previewOf(file)
  if (shown?.kind !== 'font' || !(await libraryOf(guide.publication.content)).files.has(file.path)) return undefined
  const { sampleOf } = await fontSamples(guide, [file])
  return { face: shown.face, letters: sampleOf(file).short }
}

/** A picture for browsers, by default on the colour of its item, or on a plate that shows it. */
export async function picturePreview(
  guide: Guide,
  file: BrandFile,
  ownGround?: StyleId,
): Promise<PicturePreview | undefined> {
  const shown = previewOf(file)
  if (shown?.kind !== 'picture') return undefined
  const { width, height } = shown
  const { groupWith } = await libraryOf(guide.publication.content)
  const formatWithGround = groupWith.get(file.path)?.find(({ ground }) => ground !== undefined)
  const ground = ownGround ?? file.ground ?? formatWithGround?.ground ?? (await plateOf(guide, file))
  const isFilling = await isPhotograph(guide, file)
  return { ...pictureAddresses(guide, file, 320), width, height, alt: '', ground, isFilling }
}

export type PicturePreview = Extract<Preview, { src: string }>

/** The folders that a page links to, keyed by path: the size of each archive, and some of its pictures. */
export async function linkedFolders(guide: Guide, { links }: Page): Promise<ReadonlyMap<string, FolderTarget>> {
  const folders = new Map<string, BrandFile[]>()
  for (const { to } of links) if (to.folder !== undefined) folders.set(to.folder, [])
  if (folders.size === 0) return new Map()
  const { content } = guide.publication
  const { groupWith } = await libraryOf(content)
  addFiles(folders, await usableFiles(content, 'library'))
  // A folder without library files includes all its files, as its archive does.
  const emptyFolders = new Map([...folders].filter(([, { length }]) => length === 0))
  if (emptyFolders.size > 0) addFiles(emptyFolders, await usableFiles(content))
  const targets = new Map<string, FolderTarget>()
  for (const [path, files] of folders) {
    // All formats of an item count as one: files of the same group in the library, else with the same name.
    const items = Map.groupBy(files, file => groupWith.get(file.path) ?? pathWithoutFormat(file.path))
    const previews = await Promise.all(facesOf(items.values()).map(file => filePreview(guide, file)))
    const size = files.reduce((sum, { size }) => sum + size, 0)
    const { words } = guide
    const facts = `${words.list(['ZIP', words.files.count({ count: items.size }), words.bytes(size)])}`
    targets.set(path, { kind: 'folder', facts, pictures: previews.flatMap(preview => preview ?? []) })
  }
  return targets
}

/** Adds files to the folders above them; everything in the library is in the archive of `files`. */
function addFiles(folders: ReadonlyMap<string, BrandFile[]>, files: ReadonlyMap<string, BrandFile>): void {
  for (const file of files.values()) {
    folders.get('files')?.push(file)
    for (let folder = folderOf(file.path); folder.includes('/'); folder = folderOf(folder))
      folders.get(folder)?.push(file)
  }
}

/** The first films and pictures among some items, otherwise fonts, otherwise sounds. */
function facesOf(items: Iterator<BrandFile[]>): BrandFile[] {
  const ranked = Iterator.from(items)
    .take(MAX_READ)
    .flatMap(([first, ...formats]) => (first ? [libraryItem([first, ...formats])] : []))
    .filter(
      ({ shown, preview }) => preview && (preview.kind !== 'picture' || shown.size <= MAX_SMALL || hasThumbnail(shown)),
    )
    .map(({ shown, preview }) => ({ shown, rank: KINDS.indexOf(preview?.kind ?? 'audio') }))
    .toArray()
    .sort((one, other) => one.rank - other.rank)
  // Films and pictures may be together; fonts and sounds are shown only if nothing comes before them.
  const lastRank = Math.max(KINDS.indexOf('picture'), ranked[0]?.rank ?? 0)
  return ranked
    .filter(({ rank }) => rank <= lastRank)
    .slice(0, MAX_PICTURES)
    .map(({ shown }) => shown)
}

/** The kinds of previews, the best for a card first. */
const KINDS = ['video', 'picture', 'font', 'audio'] as const
/** The number of items in which a folder looks for faces. */
const MAX_READ = 100

/** The maximum number of distinguishable pictures on a card. */
const MAX_PICTURES = 4
/** In bytes: larger pictures are shown only as thumbnails. */
const MAX_SMALL = 100_000
