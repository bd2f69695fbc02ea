import { filename } from '../../../brand/file.ts'
import { type Html, html } from '../../html.ts'
import type { Words } from '../../words/words.ts'
import type { FontFace } from './font-faces.ts'

/** A font family: its letters in its regular font, above the lines of its fonts. */
export function specimen(family: string, fontLines: readonly Html[], regular: FontFace | undefined): Html {
  return html`<section class="specimen"><h3>${family}</h3>
<p class="letters face-${regular?.number}" translate="no">${LETTERS.map(line => html`<span>${line}</span> `)}</p>
<ul>
${fontLines}</ul>
</section>
`
}

const LETTERS = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abcdefghijklmnopqrstuvwxyz',
  'ÄÅÆÇÉÑØÖŠÜŽ äåæçéñøößšüž',
  '0123456789 $€£ % & @ # § ( ) [ ] { } / \\ * + − = . , : ; ! ? ‘ ’ “ ” « » – — …',
]

/** A font of a family, with a link to its file at this address. */
export function fontLine({ type }: Words, face: FontFace, address: string): Html {
  const { number, file, family, weight, metadata } = face
  const name = metadata.subFamily === undefined ? family : `${family} ${metadata.subFamily}`
  const format = file.contentType.slice('font/'.length).toUpperCase()
  const about = [type.weight(weight), type.slants[metadata.style ?? 'normal'], format]
  return html`<li><span class="face-${number}">${name}</span>
<span class="quiet">${about.join(', ')}</span> <a href="${address}" download>${filename(file.path)}</a></li>
`
}
