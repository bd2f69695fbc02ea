import { type BrandFile, filename } from '../../brand/file.ts'
import { type Html, html } from '../html.ts'
import type { FontFace } from './font-faces.ts'

/** A font family: its letters in its regular font, and each of these fonts of it in a line of its own with a link to it. */
export function specimen(
  family: string,
  faces: readonly FontFace[],
  regular: FontFace | undefined,
  address: (file: BrandFile) => string,
): Html {
  return html`<section class="specimen"><h3>${family}</h3>
<p class="letters face-${regular?.number}" translate="no">${LETTERS.map(line => html`<span>${line}</span> `)}</p>
<ul>
${faces.map(face => fontLine(face, address(face.file)))}</ul>
</section>
`
}

const LETTERS = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abcdefghijklmnopqrstuvwxyz',
  'ÄÅÆÇÉÑØÖŠÜŽ äåæçéñøößšüž',
  '0123456789 $€£ % & @ # § ( ) [ ] { } / \\ * + − = . , : ; ! ? ‘ ’ “ ” « » – — …',
]

function fontLine({ number, file, family, weight, metadata }: FontFace, address: string): Html {
  const name = metadata.subFamily === undefined ? family : `${family} ${metadata.subFamily}`
  const format = file.contentType.slice('font/'.length).toUpperCase()
  const about = [`weight ${weight}`, metadata.style ?? 'normal', format]
  return html`<li><span class="face-${number}">${name}</span>
<span class="quiet">${about.join(', ')}</span> <a href="${address}" download>${filename(file.path)}</a></li>
`
}
