import { inSteps, yieldIfDue } from '../../../base/steps.ts'
import type { Color } from '../../../brand/color.ts'
import { contrastOf } from '../../../brand/styles/contrast.ts'
import type { Guide } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { type ColorList, colorPath } from './color-list.ts'
import { pair } from './contrast-table.ts'

/** The colour pairs of text and background that the project recommends; undefined if there are none. */
export async function colorPairs(guide: Guide, colors: readonly Color[], list: ColorList): Promise<Html | undefined> {
  const { words } = guide
  const pairs: { letters: Color; ground: Color }[] = []
  for (const letters of colors) {
    await yieldIfDue()
    if (pairs.length >= MAX_PAIRS) break
    for (const id of letters.on ?? []) {
      const ground = list.inRow[list.places.get(id) ?? -1]?.color
      if (ground && ground !== letters) pairs.push({ letters, ground })
    }
  }
  if (pairs.length === 0) return undefined
  const items = await inSteps(pairs.slice(0, MAX_PAIRS), ({ letters, ground }) => {
    const { text, level } = contrastOf(letters.hex, ground.hex)
    const link = ({ id, name }: Color) => html`<a href="${colorPath(guide, list, id)}">${name}</a>`
    const [contrast, rating] = [words.number(Number(text), 2), words.colors.levels[level]]
    return html`<li>${pair(letters.hex, ground.hex)}<p>${words.colors.pair({ letters: link(letters), ground: link(ground) })}<br>${contrast} <b>${rating}</b></p></li>\n`
  })
  return html`<ul class="pairs">\n${items}</ul>\n`
}

/** No one would read a longer list. */
const MAX_PAIRS = 200
