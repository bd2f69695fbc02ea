import { formatBytes } from '../../../base/bytes.ts'
import {
  type BrandFile,
  type FontMetadata,
  filename,
  type ImageMetadata,
  isFont,
  isPicture,
} from '../../../brand/file.ts'
import type { Guide } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { kindOf, type Preview, previewOf, typeName } from './file-kind.ts'
import { fileAnchor } from './file-list.ts'

/** A file in a list: its preview, what is known about it, and links to download it and copy its address. */
export function fileCard({ publication, paths, urls }: Guide, file: BrandFile): Html {
  const { record } = publication
  const [name, address, preview] = [filename(file.path), paths.file(record, file), previewOf(file)]
  const label = html`<span class="file-name">${name}</span>`
  const isPlayed = preview?.kind === 'audio' || preview?.kind === 'video'
  const head = isPlayed
    ? html`${player(preview.kind, address, name)}<a href="${address}">${label}</a>`
    : html`<a href="${address}">${tile(file, preview, address)}${label}</a>`
  return html`<li id="${fileAnchor(file.path)}" data-kind="${kindOf(file)}">
${head}
<p class="quiet">${facts(file).join(', ')}</p>
${isPicture(file) && preview === undefined && file.metadata?.description && html`<p>${file.metadata.description}</p>\n`}<p class="actions"><a href="${address}" download aria-label="Download ${name}">Download</a>
<button type="button" data-copy="${urls.file(record, file)}" aria-label="Copy address of ${name}">Copy address</button></p>
</li>
`
}

function player(kind: 'audio' | 'video', address: string, name: string): Html {
  return kind === 'audio'
    ? html`<span class="tile"><audio controls preload="none" src="${address}" aria-label="${name}"></audio></span>`
    : html`<span class="tile"><video controls preload="none" src="${address}" aria-label="${name}"></video></span>`
}

function tile(file: BrandFile, preview: Preview | undefined, address: string): Html {
  if (preview?.kind === 'picture') {
    const { width, height, description } = preview
    const grows = file.contentType === 'image/svg+xml' ? ' grows' : ''
    return html`<span class="tile ground${grows}"><img src="${address}" width="${width}" height="${height}" alt="${description}" loading="lazy" decoding="async"></span>`
  }
  if (preview?.kind === 'font') return specimen(preview.face)
  return html`<span class="tile" aria-hidden="true">${typeName(file)}</span>`
}

/** As a drawing, so that nothing on the page moves when the font arrives. */
function specimen(face: string): Html {
  const lines = ALPHABET.map((line, at) => html`<text x="16" y="${92 + at * 19}" font-size="16">${line}</text>`)
  return html`<svg class="tile ${face}" viewBox="0 0 240 180" fill="currentColor" aria-hidden="true"><text x="16" y="64" font-size="60">Aa</text>${lines}</svg>`
}

const ALPHABET = ['ABCDEFGHIJKLM', 'NOPQRSTUVWXYZ', 'abcdefghijklm', 'nopqrstuvwxyz', '0123456789&!?']

function facts(file: BrandFile): string[] {
  return [...(isFont(file) ? fontFacts(file) : []), typeName(file), ...sides(file), formatBytes(file.size)]
}

function fontFacts({ metadata = {} }: { metadata?: FontMetadata }): string[] {
  const { family, subFamily, weight } = metadata
  const name = [family, subFamily].filter(part => part !== undefined).join(' ')
  return [...(name === '' ? [] : [name]), ...(weight === undefined ? [] : [`weight\u00a0${weight}`])]
}

function sides(file: BrandFile & { metadata?: FontMetadata | ImageMetadata }): string[] {
  const { width, height } = (isPicture(file) && file.metadata) || {}
  return width === undefined || height === undefined ? [] : [`${width}\u00a0×\u00a0${height}`]
}
