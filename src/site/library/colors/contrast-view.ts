import type { Color } from '../../../brand/color.ts'
import { CONTRAST_LEVELS, type Contrast, contrastOf } from '../../../brand/styles/contrast.ts'
import type { Representation } from '../../../serving/replies/response-cache.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { treeHtml } from '../../cards/element.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'
import { guidePage } from '../../layout/layout.ts'
import { listEnd, MAX_ENTRIES } from '../../layout/list-end.ts'
import type { Words } from '../../words/words.ts'
import { colorList, colorPath } from './color-list.ts'
import { pair } from './contrast-table.ts'

/** One colour with its contrast to the others, in descending order. Undefined if the colour does not exist. */
export async function contrastView(guide: Guide, id: string): Promise<Representation | undefined> {
  const { words } = guide
  const colors = await guide.publication.content.colors()
  const ground = colors.find(color => color.id === id)
  if (!ground) return undefined
  const list = await colorList(guide)
  const pathOf = (color: Color) => colorPath(guide, list, color.id)
  const compared = compareColors(colors, ground)
  const name = `contrast/${encodeURIComponent(id)}`
  const main = html`<nav class="trail" aria-label="${words.frame.breadcrumb}"><ol><li><a href="${pathOf(ground)}">${words.sections.colors}</a></li></ol></nav>
<header class="prose"><h1>${words.colors.contrastWith({ color: ground.name })}</h1>
<p>${words.colors.contrastOn({ color: ground.name, hex: ground.hex })}</p></header>
<ul class="tiles">${treeHtml(colorTile({ words, color: ground, href: pathBelow(guide, name) }))}</ul>
${sections(compared.slice(0, MAX_ENTRIES), { words, ground, pathOf })}${listEnd(words, compared.length, pathBelow(guide, 'exports/colors.csv'))}`
  return guidePage(guide, { title: `${words.colors.contrastWith({ color: ground.name })}`, below: `/-/${name}`, main })
}

type Compared = Contrast & { color: Color }

/** All other colours in display order. */
function compareColors(colors: readonly Color[], ground: Color): readonly Compared[] {
  const others = colors.filter(color => color !== ground)
  return others
    .map(color => ({ color, ...contrastOf(color.hex, ground.hex) }))
    .sort((one, other) => other.ratio - one.ratio)
}

type Context = { words: Words; ground: Color; pathOf: (color: Color) => string }

function sections(compared: readonly Compared[], context: Context): Html[] {
  const byLevel = Map.groupBy(compared, ({ level }) => level)
  return CONTRAST_LEVELS.flatMap(level => {
    const pairs = byLevel.get(level)
    return pairs ? [section(context.words.colors.levelHeadings[level], pairs, context)] : []
  })
}

function section(heading: Word, pairs: readonly Compared[], { words, ground, pathOf }: Context): Html {
  const items = pairs.map(
    ({ color, text }) =>
      html`<li>${pair(color.hex, ground.hex)}<span>${words.number(Number(text), 2)} <a href="${pathOf(color)}">${color.name}</a></span></li>\n`,
  )
  return html`<h2>${heading}</h2>
<ul class="pairs">
${items}</ul>
`
}
