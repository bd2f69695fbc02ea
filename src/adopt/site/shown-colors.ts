import type { Color } from '#brand/color.ts'
import { slug } from '#brand/ids.ts'
import { isOnlyLabels, MAX_VALUES_LENGTH, valuesIn } from '#brand/styles/notation.ts'
import { readCssColor } from '#formats/css/css-color.ts'
import { readBlocks, shownText } from '#formats/markdown/page-blocks.ts'
import { valuesAt } from '#platform/base/object.ts'
import { applyEdits, lineCounter } from '#platform/base/text.ts'
import { textsBetween } from '../pages/color-name.ts'
import { sourceLine } from '../pages/html-tree.ts'
import { lineBefore, PALETTE_LINK, paletteLink } from '../pages/markup.ts'
import { type Entry, shownPath } from '../sources/source.ts'
import type { PagePlan } from './page-paths.ts'

/**
 * Pages that show the colours of the guide as the guide does: those in their front matter at their end, and lists of nothing
 * but colours in the place of the list.
 */
export function withColors(
  plans: readonly PagePlan[],
  merged: readonly { entry: Entry; names: readonly string[] }[],
  colors: readonly Color[],
): PagePlan[] {
  const byId = new Map(colors.map(color => [slug(color.name), color]))
  const namesOf = new Map(merged.map(({ entry, names }) => [entry, names]))
  return plans.map(plan => {
    const page = withPalettes(plan, colors)
    const names = namesOf.get(page.entry)
    if (!names || page.text.includes(PALETTE_LINK)) return page
    return { ...page, text: `${page.text.trimEnd()}\n\n${linksTo(names, byId)}\n` }
  })
}

type Colors = ReadonlyMap<string, Color>

/** A list of colours with these names, or a link to the whole palette if the guide has no others. */
function linksTo(names: readonly string[], byId: Colors): string {
  const own = [...new Set(valuesAt(byId, names.map(slug)))]
  const isPart = own.length > 0 && own.length < byId.size
  return isPart ? own.map(color => `- ${linkTo(color)}`).join('\n') : PALETTE_LINK
}

function linkTo({ id, name }: Color): string {
  return paletteLink(id, name)
}

/** A page with links in place of the lists that only have colours of the guide; what these say beside values is lost. */
function withPalettes(page: PagePlan, colors: readonly Color[]): PagePlan {
  const { text, lines, entry, notes } = page
  const items = valuesIn(text).size === 0 ? [] : itemsIn(text)
  const shown = listsOf(items, text).flatMap(list => {
    const known = list.flatMap(item => colorsOf(item, colors).map(color => ({ ...item, color })))
    const named = known.filter(hasName)
    return known.length === list.length && named.length * 2 > list.length ? known : []
  })
  const edits = shown.map(({ mark, end, color }) => ({ start: mark, end, text: `- ${linkTo(color)}` }))
  const lineAt = lineCounter(text)
  const lost = shown.map(({ start, words, color }) => ({
    path: shownPath(entry),
    line: sourceLine(lines, lineAt(start)),
    what: BESIDE,
    text: words.filter(each => slug(each) !== slug(color.name) && !isOnlyLabels(each)).join(' '),
  }))
  return {
    ...page,
    text: applyEdits(text, edits),
    notes: { ...notes, lost: [...notes.lost, ...lost.filter(row => row.text !== '')] },
  }
}

const BESIDE = 'text beside a colour in a list, which is shown as a palette'

/** An item of a list: its offsets and that of its mark, its words, the first of which name a colour, and its hex. */
type Item = { mark: number; start: number; end: number; words: string[]; hex: string | undefined }

function itemsIn(text: string): Item[] {
  const paragraphs = readBlocks(text).filter(
    ({ kind, start }) => kind === 'paragraph' && ITEM.test(lineBefore(text, start)),
  )
  return paragraphs.map(block => {
    const { start } = block
    const end = start + block.text.length
    const values = valuesIn(text.slice(start, end).slice(0, MAX_VALUES_LENGTH))
    const isOfScreens = values.keys().every(column => SCREEN.has(column))
    const hex = isOfScreens ? readCssColor(values.get('Hex') ?? '')?.hex : undefined
    return { mark: start - lineBefore(text, start).length, start, end, words: textsBetween(shownText(block)), hex }
  })
}

/** The mark of an item that is in no other list. */
const ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}$/
/** The columns of values that a guide computes of each other. */
const SCREEN: ReadonlySet<string> = new Set(['Hex', 'RGB', 'HSL'])

/** The lists of two items or more. */
function listsOf(items: readonly Item[], text: string): Item[][] {
  const lists: Item[][] = []
  for (const item of items) {
    const last = lists.at(-1)
    const between = text.slice(last?.at(-1)?.end, item.start)
    if (last && BETWEEN.test(between)) last.push(item)
    else lists.push([item])
  }
  return lists.filter(list => list.length > 1)
}

/** What is between items without empty lines. */
const BETWEEN = /^\n\S{1,10}[ \t]{1,4}$/

/** The colour of the guide with the value of an item, and with its name if one has that; none for another item. */
function colorsOf(item: Item, colors: readonly Color[]): Color[] {
  const equal = colors.filter(({ hex }) => hex === item.hex)
  return [...equal.filter(color => hasName({ ...item, color })), ...equal].slice(0, 1)
}

/** Whether an item has the name of its colour. */
function hasName({ words: [name = ''], color }: Item & { color: Color }): boolean {
  return slug(name) === slug(color.name)
}
