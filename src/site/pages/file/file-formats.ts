import { type BrandFile, filename, isExpired, isLight, isPicture, isVideo } from '../../../brand/file.ts'
import type { Guide } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { colorOf, previewColors } from '../../library/colors/color-list.ts'
import { isOnGround, itemPictures } from '../../library/files/item-pictures.ts'
import { formatName, type LibraryItem } from '../../library/files/library-item.ts'
import { filmSize } from '../../thumbnails/film-size.ts'
import { hasPng, jpgSizes, PNG_SIZES } from '../../thumbnails/pngs.ts'

/** A button that downloads a file, and a list of all formats of its item; undefined without one that may be used. */
export async function fileDownloads(guide: Guide, item: LibraryItem, file: BrandFile): Promise<Html | undefined> {
  const today = guide.publication.content.today()
  const usable = item.formats.filter(format => !isExpired(format, today))
  if (usable.length === 0) return undefined
  const { paths, publication, words } = guide
  const main = usable.includes(file) ? file : usable[0]
  const button =
    main &&
    html`<p class="archive"><a href="${paths.file(publication.record, main)}" download="${filename(main.path)}">${words.files.download({ format: formatName(words, main, item) })}</a></p>\n`
  const formats = await Promise.all(usable.map(format => formatRow(guide, item, format)))
  return html`${button}<ul class="formats">
${formats}${guide.copy ? undefined : await conversions(guide, item, usable)}</ul>
`
}

/** Links to PNGs and JPEGs of a picture in formats that it does not have, and the code of an SVG. */
async function conversions(guide: Guide, item: LibraryItem, usable: readonly BrandFile[]): Promise<readonly Html[]> {
  const { paths, publication, words } = guide
  const { record } = publication
  const pictures = await itemPictures(guide, [item])
  const svg = usable.find(format => pictures.drawn.has(format))
  const bitmap = usable.find(format => !hasPng(format) && jpgSizes(format).length > 0)
  const source =
    item.kind === 'pictures' && !usable.some(({ contentType }) => contentType === 'image/jpeg') && (svg ?? bitmap)
  const ground = (await colorOf(guide, item.ground))?.hex.slice(1) ?? (isLight(item.shown) ? '000000' : 'ffffff')
  const behind = (await previewColors(guide)).find(({ hex }) => hex === `#${ground}`)
  const row = (
    type: string,
    address: string,
    file: BrandFile,
    sizes: readonly number[],
    on?: { hex: string; name: string },
  ) =>
    html`<li class="made">${type} ${sizes.map(size => {
      const label = words.files.downloadFormat({ name: filename(file.path), format: `${type}, ${size} px` })
      return html`<a href="${address}?width=${size}${on && `&ground=${on.hex.slice(1)}`}" download aria-label="${label}">${size}</a> `
    })}${on && isOnGround(item, pictures) && html`<bdi>${on.name}</bdi>`}</li>\n`
  return [
    ...(svg ? [row('PNG', paths.png(record, svg), svg, PNG_SIZES)] : []),
    ...(source ? [row('JPG', paths.jpg(record, source), source, jpgSizes(source), behind)] : []),
  ]
}

/** A format with its size in pixels and bytes, and a button that copies its address. */
async function formatRow(guide: Guide, item: LibraryItem, file: BrandFile): Promise<Html> {
  const { publication, paths, urls, words, copy } = guide
  const { record } = publication
  const [name, called] = [filename(file.path), formatName(words, file, item)]
  const facts = words.list([await pixelsOf(guide, file), words.bytes(file.size)])
  const label = words.files.downloadFormat({ name, format: `${called} ${facts}` })
  return html`<li><a href="${paths.file(record, file)}" download="${name}" aria-label="${label}">${called} <span>${facts}</span></a>${!copy && html`<button type="button" class="copy" data-copy="${urls.file(record, file)}" aria-label="${words.files.copyAddressOf({ name })}"></button>`}</li>
`
}

/** The size of a film or of a picture, except an SVG, which scales to any size. */
async function pixelsOf(guide: Guide, file: BrandFile): Promise<string | undefined> {
  const isScalable = !isPicture(file) || file.contentType === 'image/svg+xml'
  const { width, height } = (isVideo(file) ? await filmSize(guide, file) : isScalable ? undefined : file.metadata) ?? {}
  return width && height ? `${width}\u00a0×\u00a0${height}` : undefined
}
