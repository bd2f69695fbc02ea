import { yieldIfDue } from '../../base/steps.ts'
import { type BrandFile, folderOf } from '../../brand/file.ts'
import type { Page } from '../../brand/page.ts'
import { libraryOf } from '../../serving/publications/library.ts'
import type { FileTarget, FolderTarget, Preview } from '../cards/link-target.ts'
import type { Guide } from '../guide/guide.ts'
import { colorOf } from '../library/colors/color-list.ts'
import { previewOf, typeName } from '../library/files/file-kind.ts'
import { hasThumbnail, pictureAddresses } from '../thumbnails/thumbnail.ts'
import { mediaOf } from './linked-media.ts'

/** A file as its card shows it. */
export async function fileTarget(guide: Guide, file: BrandFile): Promise<FileTarget> {
  const media = await mediaOf(guide, file)
  const type = media?.isLottie ? 'Lottie' : (typeName(file) ?? `${guide.words.files.file}`)
  const facts = [type, ...sidesOf(file), guide.words.bytes(file.size)].join(', ')
  if (media) return { kind: 'file', type, facts, media }
  return { kind: 'file', type, facts, preview: await picturePreview(guide, file) }
}

/** A picture that browsers show, by default on the colour that its author chose; undefined for other files. */
export async function picturePreview(
  guide: Guide,
  file: BrandFile,
  ground = file.ground,
): Promise<Preview | undefined> {
  const shown = previewOf(file)
  if (shown?.kind !== 'picture') return undefined
  const { width, height } = shown
  const hex = (await colorOf(guide, ground))?.hex
  return { ...pictureAddresses(guide, file, 320), width, height, alt: '', ground: hex }
}

/** The dimensions of a bitmap; vector drawings have none. */
function sidesOf(file: BrandFile): string[] {
  const shown = previewOf(file)
  if (shown?.kind !== 'picture' || file.contentType === 'image/svg+xml') return []
  return [`${shown.width}\u00a0×\u00a0${shown.height}`]
}

/** The folders that a page links to, keyed by path: the size of each archive, and some of its pictures. */
export async function linkedFolders(guide: Guide, { links }: Page): Promise<ReadonlyMap<string, FolderTarget>> {
  const folders = new Map<string, Contents>()
  for (const { to } of links) if (to.folder !== undefined) folders.set(to.folder, { count: 0, size: 0, pictures: [] })
  if (folders.size === 0) return new Map()
  const { content } = guide.publication
  for (const file of (await libraryOf(content)).files.values()) {
    await yieldIfDue()
    for (const path of foldersAbove(file)) addTo(folders.get(path), file)
  }
  // A folder without library files includes all its files, as its archive does.
  const empty = new Map([...folders].filter(([, { count }]) => count === 0))
  for (const file of empty.size > 0 ? (await content.files()).values() : []) {
    await yieldIfDue()
    for (const path of foldersAbove(file)) addTo(empty.get(path), file)
  }
  const targets = new Map<string, FolderTarget>()
  for (const [path, { count, size, pictures }] of folders) {
    const previews = await Promise.all(pictures.map(file => picturePreview(guide, file)))
    const facts = ['ZIP', guide.words.files.count(count), guide.words.bytes(size)].join(', ')
    targets.set(path, { kind: 'folder', facts, pictures: previews.flatMap(preview => preview ?? []) })
  }
  return targets
}

/** The folders that a file is in; everything in the library is in the archive of `files`. */
function* foldersAbove({ path }: BrandFile): Generator<string> {
  for (let folder = folderOf(path); folder.includes('/'); folder = folderOf(folder)) yield folder
  yield 'files'
}

type Contents = { count: number; size: number; pictures: BrandFile[] }

function addTo(contents: Contents | undefined, file: BrandFile): void {
  if (!contents) return
  contents.count++
  contents.size += file.size
  if (contents.pictures.length < MAX_PICTURES && isSmallPicture(file)) contents.pictures.push(file)
}

/** The maximum number of distinguishable pictures on a card. */
const MAX_PICTURES = 4
/** Bytes. */
const MAX_SMALL = 100_000

function isSmallPicture(file: BrandFile): boolean {
  return (file.size <= MAX_SMALL || hasThumbnail(file)) && previewOf(file)?.kind === 'picture'
}
