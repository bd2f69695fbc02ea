import { inSteps } from '../../../base/steps.ts'
import type { Color } from '../../../brand/color.ts'
import { element, treeHtml } from '../../cards/element.ts'
import { proportionStrip } from '../../cards/proportion-strip.ts'
import type { Guide } from '../../guide/guide.ts'
import type { Html } from '../../html.ts'
import { type ColorList, colorPath } from './color-list.ts'

/** The share of the brand's surface for each colour; undefined if the project gives none. */
export async function colorProportions(
  guide: Guide,
  colors: readonly Color[],
  list: ColorList,
): Promise<Html | undefined> {
  const { words } = guide
  const given = colors.filter(({ proportion }) => proportion !== undefined).slice(0, MAX_SHARES)
  if (given.length === 0) return undefined
  const shares = await inSteps(given, ({ id, name, hex, proportion = 0 }) => {
    const link = element('a', { href: colorPath(guide, list, id) }, name)
    return { hex, proportion, line: [link, { type: 'text', value: ` ${words.share(proportion)}` } as const] }
  })
  return treeHtml(proportionStrip(words, shares))
}

/** More colours would not be useful as proportions. */
const MAX_SHARES = 100
