import type { Color } from '#brand/color.ts'
import { contrastOf } from '#brand/styles/contrast.ts'
import { type ColorPair, colorPair, pairSample } from '../../cards/color-pairs.ts'
import { treeHtml } from '../../cards/element.ts'
import { type Html, html, type Word } from '../../html.ts'
import type { Words } from '../../words/words.ts'

/** The other colours on a ground, in descending order of contrast. */
export function compareColors(colors: readonly Color[], ground: Color): ColorPair[] {
  return byContrast(colors.filter(color => color !== ground).map(color => colorPair(color, ground)))
}

export function byContrast(pairs: readonly ColorPair[]): ColorPair[] {
  return pairs.toSorted((one, other) => other.ratio - one.ratio)
}

/** The contrast of every two colours: rows are text colours, columns are backgrounds. `id` is its anchor. */
export function contrastTable(words: Words, colors: readonly Color[], note: Html, { id, title }: Titled): Html {
  const columns = colors.map(
    ({ name, hex }) => html`<th scope="col">${treeHtml(pairSample(hex, hex))}<span>${name}</span></th>`,
  )
  return html`<h2 id="${id}">${title}</h2>
<p>${words.colors.contrastTable}</p>
${note}<div class="table matrix" role="region" aria-labelledby="${id}" tabindex="0"><table class="contrast">
<thead><tr><td></td>${columns}</tr></thead>
<tbody>
${colors.map(color => row(words, color, colors))}</tbody>
</table></div>`
}

type Titled = { id: string; title: Word }

function row(words: Words, letters: Color, grounds: readonly Color[]): Html {
  const cells = grounds.map(ground => {
    if (ground === letters) return html`<td></td>`
    const { text, level } = contrastOf(letters.hex, ground.hex)
    return html`<td>${treeHtml(pairSample(letters.hex, ground.hex))}${words.number(Number(text), 2)}<br>${words.colors.levels[level]}</td>`
  })
  return html`<tr><th scope="row">${letters.name}</th>${cells}</tr>
`
}
