import { type BrandFile, isFont, isLight } from '../../../brand/file.ts'
import { treeHtml } from '../../cards/element.ts'
import type { Media } from '../../cards/link-target.ts'
import { mediaPlayer } from '../../cards/player.ts'
import type { Guide } from '../../guide/guide.ts'
import { type Html, html, joinWords } from '../../html.ts'
import { colorOf } from '../../library/colors/color-list.ts'
import { type Preview, previewOf, typeName } from '../../library/files/file-kind.ts'
import type { LibraryItem } from '../../library/files/library-item.ts'
import { fontSamples } from '../../library/type/font-sample.ts'
import { SIZE, slider } from '../../library/type/specimen/weight-list.ts'
import { pictureLook } from '../../thumbnails/photograph.ts'
import { PDF, pictureAddresses, shownAddress, widthsOf } from '../../thumbnails/thumbnail.ts'
import { mediaOf } from '../linked-media.ts'

/** A preview, and how long to cache it if a part of it could not be read. */
type LargePreview = { shown: Html; keptMs?: number | undefined }

/**
 * A file as large as the page allows: a picture on its colour, a player, letters of a font, or else its type. Nothing
 * plays or opens a file that may no longer be used.
 */
export async function largePreview(
  guide: Guide,
  item: LibraryItem,
  { file, isOver }: { file: BrandFile; isOver: boolean },
): Promise<LargePreview> {
  const media = isOver ? undefined : await mediaOf(guide, file)
  if (media) return { shown: player(guide, item, media) }
  // The style sheet of fonts has only the format that browsers show best.
  const own = isFont(file) ? undefined : previewOf(file)
  const [shown, preview] = own ? [file, own] : [item.shown, item.preview]
  if (preview?.kind === 'font') return specimen(guide, item, shown, preview.face)
  if (preview?.kind === 'picture') return { shown: await picture(guide, item, { shown, preview, isOver }) }
  const types = new Set(item.formats.map(format => typeName(format) ?? guide.words.files.file))
  return { shown: html`<p class="tile stage" aria-hidden="true">${joinWords([...types].slice(0, 3), ' ')}</p>\n` }
}

function player({ words }: Guide, { name }: LibraryItem, media: Media): Html {
  const { width, height } = media.size ?? media.poster ?? { width: 1, height: 0 }
  const form = media.kind === 'audio' ? ' sound' : height > width ? ' tall' : ''
  const shown = treeHtml(mediaPlayer(media, { label: name, captions: `${words.pages.captions}` }))
  return html`<figure class="film${form}">${shown}</figure>\n`
}

type ShownPicture = { shown: BrandFile; preview: Extract<Preview, { kind: 'picture' }>; isOver: boolean }

/** A photograph in its own shape, or a drawing with space around it on its colour. */
async function picture(guide: Guide, item: LibraryItem, { shown, preview, isOver }: ShownPicture): Promise<Html> {
  const { width, height, description } = preview
  const ground = (await colorOf(guide, shown.ground ?? item.ground))?.hex
  const look = await pictureLook(guide, shown)
  const behind =
    ground !== undefined && html`<svg aria-hidden="true"><rect width="100%" height="100%" fill="${ground}"/></svg>`
  const plate = look === 'transparent' ? (isLight(shown) ? 'ground light' : 'ground') : look
  const classes = `tile stage ${behind ? 'own' : plate}${['image/svg+xml', PDF].includes(shown.contentType) ? ' grows' : ''}`
  const image = html`${behind}<img ${largeSource(guide, shown)} width="${width}" height="${height}" alt="${description || item.name}" fetchpriority="high">`
  return isOver
    ? html`<p class="${classes} over">${image}</p>\n`
    : html`<a class="${classes}" href="${guide.paths.file(guide.publication.record, shown)}">${image}</a>\n`
}

function largeSource(guide: Guide, file: BrandFile): Html {
  if (file.contentType === PDF) {
    const { src, srcset } = pictureAddresses(guide, file, 640)
    return html`src="${src}"${srcset !== undefined && html` srcset="${srcset}"`}`
  }
  const srcset = widthsOf(guide, file)
  return html`src="${shownAddress(guide.publication.record, file, guide.paths)}"${srcset !== undefined && html` srcset="${srcset}" sizes="(min-width: 60rem) 60vw, 100vw"`}`
}

/** The letters of a font, a line to write in, and its alphabet. */
async function specimen(guide: Guide, { name }: LibraryItem, file: BrandFile, face: string): Promise<LargePreview> {
  const { type, specimen } = guide.words
  const { sampleOf, keptMs } = await fontSamples(guide, [file])
  const { short, lines } = sampleOf(file)
  const size = slider(TRY, html`data-sets="fontSize" data-unit="px"`, type.size, [12, 160, 1, SIZE])
  const shown = html`<div class="specimen stage">
<p class="letter-pair ${face}" aria-hidden="true">${short}</p>
<div class="try"><p class="${face}" id="${TRY}" dir="auto" contenteditable="plaintext-only" role="textbox" aria-label="${specimen.write({ family: name })}" spellcheck="false" translate="no">${name}</p>
<p class="rail">${size}</p></div>
<p class="letters ${face}" translate="no">${lines.map(line => html`<span>${line}</span> `)}</p></div>
`
  return { shown, keptMs }
}

/** The id of the line to write in. */
const TRY = 'try'
