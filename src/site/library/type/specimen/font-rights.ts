import type { Embedding, FontFacts } from '../../../../fonts/font-facts.ts'
import { type Html, html, joinWords, type Word } from '../../../html.ts'
import type { Words } from '../../../words/words.ts'

/** The licence and embedding rights in a font's metadata; undefined if it has none. */
export function fontRights(
  { specimen }: Words,
  { license, licenseUrl, copyright, embedding }: FontFacts,
): Html | undefined {
  const address =
    licenseUrl !== undefined && WEB.test(licenseUrl) ? html`<a href="${licenseUrl}">${licenseUrl}</a>` : licenseUrl
  const texts = [
    [specimen.license, license !== undefined || address !== undefined ? html`${license} ${address}` : undefined],
    [specimen.embedding, embedding && embeddingText(specimen, embedding)],
    [specimen.copyright, copyright],
  ] as const
  const rows = texts.flatMap(([name, text]) => (text === undefined ? [] : [html`<dt>${name}</dt><dd>${text}</dd>\n`]))
  return rows.length === 0 ? undefined : html`<h4>${specimen.license}</h4>\n<dl>${rows}</dl>\n`
}

const WEB = /^https?:\/\/[^\s]+$/

/** OS/2 fsType in OpenType as a sentence. */
function embeddingText(
  { rights, noSubsets, bitmapsAlone }: Words['specimen'],
  { rights: right, maySubset, onlyBitmaps }: Embedding,
): Word {
  return joinWords([rights[right], maySubset ? '' : noSubsets, onlyBitmaps ? bitmapsAlone : ''], ' ')
}
