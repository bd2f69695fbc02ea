import type { Element } from 'hast'
import type { Color } from '#brand/color.ts'
import type { StyleTarget } from '#brand/page.ts'
import type { ColorGroup } from '#brand/styles/color-groups.ts'
import { MIN_CONTRAST } from '#brand/styles/contrast.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type ColorPair, colorPair, pairsByLevel } from '../../cards/color-pairs.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { element, treeHtml } from '../../cards/element.ts'
import type { StageTarget } from '../../cards/link-target.ts'
import { heading } from '../../cards/long-words.ts'
import { colorArea } from '../../cards/proportions.ts'
import {
  type ColorList,
  colorList,
  colorPath,
  groupName,
  groupNamed,
  groupPath,
  groupWith,
  shareOf,
} from '../../guide/color-list.ts'
import { type Guide, partInGuide, pathBelow } from '../../guide/guide.ts'
import { html } from '../../html.ts'
import { sectionTrail } from '../../layout/head.ts'
import { guidePage } from '../../layout/layout.ts'
import { themeOf } from '../../theme/guide-theme.ts'
import { byContrast } from './contrast-view.ts'

/** The stage of a group of colours, found by its name in addresses; undefined if there is none. */
export async function paletteView(guide: Guide, name: string): Promise<Representation | undefined> {
  const { words } = guide
  const list = await colorList(guide)
  const group = groupNamed(list, name)
  if (!group) return undefined
  const title = groupName(words, list, group)
  const path = groupPath(guide, list, group)
  const stage = await stageOf(guide, list, { group, level: 'h2' })
  const main = html`${stage.map(treeHtml)}<p class="quiet color-note">${words.colors.wcag}</p>`
  return guidePage(guide, {
    title: `${title}`,
    kind: 'colors',
    below: partInGuide(guide, path),
    head: html`${sectionTrail(guide, 'colors')}${heading(1, title)}
`,
    main,
    isWide: true,
  })
}

/** The stage of a group of colours, or of all colours, in a page; undefined if there is no such group. */
export async function paletteTarget(guide: Guide, { id, group: slug }: StyleTarget): Promise<StageTarget | undefined> {
  const list = await colorList(guide)
  const name = slug ?? id
  const onlyGroup = list.groups.length === 1 ? list.groups[0] : undefined
  const group = name === undefined ? onlyGroup : (groupNamed(list, name) ?? groupWith(list, name))
  if (list.groups.length === 0 || (name !== undefined && !group)) return undefined
  const href = group ? groupPath(guide, list, group) : pathBelow(guide, 'colors')
  const title = group ? groupName(guide.words, list, group) : guide.words.sections.colors
  const link = element('p', { className: ['stages'] }, element('a', { className: ['to-stage'], href }, title))
  return { kind: 'stage', href, view: element('div', {}, link, await stageOf(guide, list, { group, level: 'p' })) }
}

/** The proportions of colours as an area, each colour with its values, and the pairs with enough contrast for text. */
async function stageOf(
  guide: Guide,
  list: ColorList,
  { group, level }: { group: ColorGroup | undefined; level: 'h2' | 'p' },
): Promise<Element[]> {
  const { words } = guide
  const { letterClass, lettersOn } = await themeOf(guide.publication)
  const isInGroup = ({ row }: ColorList['inRow'][number]) => group === undefined || row.group === group
  const otherColors = list.inRow.filter(entry => !isInGroup(entry)).map(({ color }) => color)
  const groupColors = list.inRow
    .filter(isInGroup)
    .map(({ color }) => color)
    .slice(0, MAX_COLORS)
  const tiles = groupColors.map(color =>
    colorTile({
      words,
      color,
      letters: letterClass(color),
      href: colorPath(guide, color.id),
      note: shareOf(words, color),
    }),
  )
  const shares = groupColors.map(color => ({ ...color, letters: lettersOn(color) }))
  return [
    colorArea(words, shares),
    element('ul', { className: ['tiles', 'stage-tiles'] }, tiles),
    ...pairsByLevel(words, legiblePairs(groupColors, otherColors), level),
  ]
}

const MAX_COLORS = 300

/** Pairs that pass AA for text, of colours with each other and with other colours, in descending order of contrast. */
function legiblePairs(colors: readonly Color[], others: readonly Color[]): ColorPair[] {
  const compared = [...colors, ...others].slice(0, MAX_COMPARED)
  // The group comes first, so a pair has a colour of it if its first colour is below `colors.length`.
  const pairs = colors.flatMap((ground, at) => compared.slice(at + 1).map(letters => colorPair(letters, ground)))
  return byContrast(pairs.filter(({ ratio }) => ratio >= MIN_CONTRAST)).slice(0, MAX_PAIRS)
}

const MAX_COMPARED = 60
const MAX_PAIRS = 24
