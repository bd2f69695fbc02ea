import type { Color } from '#brand/color.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { treeHtml } from '../../cards/element.ts'
import { paletteStage } from '../../cards/palette-stage.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { html } from '../../html.ts'
import { guidePage } from '../../layout/layout.ts'
import { themeOf } from '../../theme/guide-theme.ts'
import { colorList, colorPath, groupName, groupNamed, groupPath } from './color-list.ts'

/** The stage of a group of colours, found by its name in addresses or the id of a colour; undefined if there is none. */
export async function paletteView(guide: Guide, name: string): Promise<Representation | undefined> {
  const { words, site, publication } = guide
  const list = await colorList(guide)
  const group = groupNamed(list, name)
  if (!group) return undefined
  const { letterClass, lettersOn } = await themeOf(publication)
  const stageColor = (color: Color) => ({
    kind: 'color' as const,
    color,
    letters: letterClass(color),
    lettersHex: lettersOn(color),
    href: colorPath(guide, list, color.id),
    contrastPath: pathBelow(guide, `contrast/${encodeURIComponent(color.id)}`),
  })
  const [title, below] = [`${groupName(words, list, group)}`, groupPath(guide, list, group)]
  const inRow = Map.groupBy(list.inRow, ({ row }) => row.group === group)
  const colorsOf = (isOwn: boolean) =>
    (inRow.get(isOwn) ?? []).slice(0, MAX_COLORS).map(({ color }) => stageColor(color))
  const main = html`<nav class="trail" aria-label="${words.frame.breadcrumb}"><ol><li><a href="${pathBelow(guide, 'colors')}">${words.sections.colors}</a></li></ol></nav>
<h1>${groupName(words, list, group)}</h1>
${paletteStage(words, { colors: colorsOf(true), others: colorsOf(false) }).map(treeHtml)}<p class="quiet color-note">${words.colors.wcag}</p>`
  return guidePage(guide, {
    title,
    kind: 'colors',
    below: below.slice(site.paths.project(publication.record).length),
    main,
    isWide: true,
  })
}

const MAX_COLORS = 300
