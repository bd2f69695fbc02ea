import type { Color } from '#brand/color.ts'
import { contrastOf } from '#brand/styles/contrast.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type ColorPair, colorPair, pairSample, pairsByLevel } from '../../cards/color-pairs.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { treeHtml } from '../../cards/element.ts'
import { heading } from '../../cards/long-words.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { guidePage, listEnd, MAX_ENTRIES } from '../../layout/layout.ts'
import { themeOf } from '../../theme/guide-theme.ts'
import type { Words } from '../../words/words.ts'
import { colorList, colorPath } from './color-list.ts'

/** One colour with its contrast to the others, in descending order. Undefined if the colour does not exist. */
export async function contrastView(guide: Guide, id: string): Promise<Representation | undefined> {
  const { words } = guide
  const colors = await guide.publication.content.colors()
  const ground = colors.find(color => color.id === id)
  if (!ground) return undefined
  const list = await colorList(guide)
  const pathOf = (color: Color) => colorPath(guide, list, color.id)
  const pairs = compareColors(colors, ground)
  const shown = pairs.slice(0, MAX_ENTRIES).map(pair => ({ ...pair, href: pathOf(pair.letters) }))
  const letters = (await themeOf(guide.publication)).letterClass(ground)
  const name = `contrast/${encodeURIComponent(id)}`
  const main = html`<nav class="trail" aria-label="${words.frame.breadcrumb}"><ol><li><a href="${pathOf(ground)}">${words.sections.colors}</a></li></ol></nav>
<header class="prose">${heading(1, words.colors.contrastWith({ color: ground.name }))}
<p>${words.colors.contrastOn({ color: ground.name, hex: ground.hex })}</p></header>
<ul class="tiles">${treeHtml(colorTile({ words, color: ground, letters, href: pathBelow(guide, name) }))}</ul>
${pairsByLevel(words, shown, 'h2').map(treeHtml)}${listEnd(words, pairs.length, pathBelow(guide, 'exports/colors.csv'))}`
  return guidePage(guide, {
    title: `${words.colors.contrastWith({ color: ground.name })}`,
    kind: 'colors',
    below: `/-/${name}`,
    main,
  })
}

/** The other colours on a ground, in descending order of contrast. */
export function compareColors(colors: readonly Color[], ground: Color): ColorPair[] {
  const pairs = colors.filter(color => color !== ground).map(color => colorPair(color, ground))
  return pairs.sort((one, other) => other.ratio - one.ratio)
}

/** The contrast of every two colours: rows are text colours, columns are backgrounds. */
export function contrastTable(words: Words, colors: readonly Color[], note: Html): Html {
  const columns = colors.map(({ name, hex }) => html`<th scope="col">${pair(hex, hex)}<span>${name}</span></th>`)
  return html`<h2 id="contrast">${words.colors.contrast}</h2>
<p>${words.colors.contrastTable}</p>
${note}<div class="table matrix" role="region" aria-labelledby="contrast" tabindex="0"><table class="contrast">
<thead><tr><td></td>${columns}</tr></thead>
<tbody>
${colors.map(color => row(words, color, colors))}</tbody>
</table></div>`
}

function row(words: Words, letters: Color, grounds: readonly Color[]): Html {
  const cells = grounds.map(ground => {
    if (ground === letters) return html`<td></td>`
    const { text, level } = contrastOf(letters.hex, ground.hex)
    return html`<td>${pair(letters.hex, ground.hex)}${words.number(Number(text), 2)}<br>${words.colors.levels[level]}</td>`
  })
  return html`<tr><th scope="row">${letters.name}</th>${cells}</tr>
`
}

function pair(letters: string, ground: string): Html {
  return treeHtml(pairSample(letters, ground))
}
