import type { Color } from '../../brand/color.ts'
import type { Made } from '../../serving/prepared.ts'
import { guidePage } from '../frame.ts'
import { type Guide, pathBelow } from '../guide.ts'
import { type Html, html } from '../html.ts'
import { type Contrast, contrastOf, LEVELS, type Level } from './contrast.ts'
import { pair } from './contrast-table.ts'
import { styleAnchor } from './style-anchor.ts'

/** One colour with its contrast to all others, the strongest first; undefined where there is no colour of this id. */
export async function contrastView(guide: Guide, id: string): Promise<Made | undefined> {
  const colors = await guide.publication.content.colors()
  const ground = colors.find(color => color.id === id)
  if (!ground) return undefined
  const others = colors
    .filter(color => color !== ground)
    .map(color => ({ color, ...contrastOf(color.hex, ground.hex) }))
    .sort((a, b) => b.ratio - a.ratio)
  const byLevel = Map.groupBy(others, ({ level }) => level)
  const list = pathBelow(guide, 'colors')
  const main = html`<nav class="trail" aria-label="Breadcrumb"><ol><li><a href="${list}#${styleAnchor('color', ground.id)}">Colours</a></li></ol></nav>
<header class="prose"><h1>Contrast with ${ground.name}</h1>
<p>Letters of other colours on ${ground.name}, ${ground.hex}. The contrast is the same the other way round.</p></header>
${LEVELS.map(level => section(level, byLevel.get(level) ?? [], ground, list))}`
  const below = `/-/contrast/${encodeURIComponent(id)}`
  const sheets = [guide.assets.path('colors.css')]
  return guidePage(guide, { title: `Contrast with ${ground.name}`, below, main, sheets })
}

type Compared = Contrast & { color: Color }

const HEADINGS: Readonly<Record<Level, string>> = {
  AAA: 'AAA: 7 or more',
  AA: 'AA: 4.5 or more',
  'AA large': 'AA for large letters alone: 3 or more',
  fails: 'Fails: less than 3',
}

function section(level: Level, compared: readonly Compared[], ground: Color, list: string): Html | undefined {
  if (compared.length === 0) return undefined
  const items = compared.map(
    ({ color: { id, name, hex }, text }) =>
      html`<li>${pair(hex, ground.hex)}<span>${text} <a href="${list}#${styleAnchor('color', id)}">${name}</a></span></li>\n`,
  )
  return html`<h2>${HEADINGS[level]}</h2>
<ul class="pairs">
${items}</ul>
`
}
