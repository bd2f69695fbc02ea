import { inSteps } from '../../base/steps.ts'
import type { Color } from '../../brand/color.ts'
import { filename, isPicture } from '../../brand/file.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import { type Guide, pathBelow, treeOf } from '../guide/guide.ts'
import { type Branch, trailTo } from '../guide/page-tree.ts'
import { type ColorList, colorList, colorPath } from '../library/color-list.ts'
import { typeName } from '../library/file-kind.ts'
import { filePlace } from '../library/file-list.ts'
import { typePath } from '../library/type-list.ts'
import { type Marked, marked, snippet } from './marked-text.ts'
import { type Place, type SearchIndex, thingsOf } from './search-index.ts'
import type { Found } from './word-index.ts'

/** What a search gives: how many things were found, and the best of them. */
export type Results = { count: number; hasAll: boolean; results: readonly Result[] }

/** Something that was found, as it is shown: `where` says what it is and what it belongs to. */
export type Result = { path: string; title: Marked; where: string; text: Marked; hex?: string }

/** Looks for the words of a text in a guide. A page is given once, at the part of it that fits best. */
export async function searchResults(guide: Guide, index: SearchIndex, text: string, most: number): Promise<Results> {
  const [tree, colors, types] = [await treeOf(guide), await colorList(guide), await guide.publication.content.types()]
  const found = await index.words.find(text)
  const { count, best } = bestOf(index, found, most)
  const things = await thingsOf(guide.publication.content)
  const results = await inSteps(best, RESULTS_AT_ONCE, ({ entry }) => {
    const place = index.placeOf(entry, things)
    return place ? [shown({ guide, tree, colors, types }, place, found.isWanted)] : []
  })
  return { count, hasAll: found.hasAll, results: results.flat() }
}

const RESULTS_AT_ONCE = 2

/** An entry, and what it is a part of. */
type Hit = { entry: number; owner: number; score: number }

/** Parts of a page stand one after the other. */
function bestOf({ ownerOf }: SearchIndex, { scores }: Found, most: number): { count: number; best: Hit[] } {
  const best: Hit[] = []
  let count = 0
  let open: Hit | undefined
  for (let entry = 0; entry < scores.length; entry++) {
    const score = scores[entry] ?? 0
    if (score === 0) continue
    const owner = ownerOf(entry)
    if (open?.owner === owner) {
      if (score > open.score) Object.assign(open, { entry, score })
      continue
    }
    if (open) keep(best, open, most)
    open = { entry, owner, score }
    count++
  }
  if (open) keep(best, open, most)
  return { count, best }
}

/** Puts a hit in its place among the best so far. */
function keep(best: Hit[], hit: Hit, most: number): void {
  if (best.length === most && hit.score <= (best.at(-1)?.score ?? 0)) return
  const at = best.findIndex(({ score }) => score < hit.score)
  best.splice(at === -1 ? best.length : at, 0, hit)
  if (best.length > most) best.pop()
}

type IsWanted = Found['isWanted']

/** What a result is shown with. */
type Shown = { guide: Guide; tree: readonly Branch[]; colors: ColorList; types: readonly TypeStyle[] }

function shown({ guide, tree, colors, types }: Shown, place: Place, isWanted: IsWanted): Result {
  switch (place.kind) {
    case 'page':
      return shownPage(guide, tree, place, isWanted)
    case 'color':
      return shownColor(colorPath(guide, colors, place.of.id), place.of, isWanted)
    case 'type':
      return shownType(typePath(guide, types, place.of), place.of, isWanted)
    case 'file':
      return shownFile(guide, place, isWanted)
  }
}

function shownPage(
  { publication, paths }: Guide,
  tree: readonly Branch[],
  { of, heading, anchor, text }: Extract<Place, { kind: 'page' }>,
  isWanted: IsWanted,
): Result {
  const path = paths.page(publication.record, of.id)
  const names = trailTo(tree, of.id).map(({ name }) => name)
  const trail = heading === '' ? names.slice(0, -1) : names
  return {
    path: anchor === '' ? path : `${path}#${encodeURIComponent(anchor)}`,
    title: marked(heading || of.name, isWanted),
    where: ['Page', trail.join(' / ')].filter(Boolean).join(' · '),
    text: snippet(heading === '' && of.description !== undefined ? `${of.description} ${text}` : text, isWanted),
  }
}

function shownColor(path: string, { name, rgb, cmyk, hex, pms, pms2, ral }: Color, isWanted: IsWanted): Result {
  const values = [
    ...[hex, `RGB ${rgb}`, cmyk && `CMYK ${cmyk}`, pms && `Pantone ${pms}`, pms2 && `Pantone ${pms2}`],
    ...[ral && `RAL ${ral}`],
  ]
  return {
    path,
    title: marked(name, isWanted),
    where: 'Colour',
    text: marked(values.filter(Boolean).join(' · '), isWanted),
    hex,
  }
}

function shownType(path: string, { name, family, size }: TypeStyle, isWanted: IsWanted): Result {
  return {
    path,
    title: marked(name, isWanted),
    where: 'Type style',
    text: marked([family, size && `${size} px`].filter(Boolean).join(' · '), isWanted),
  }
}

function shownFile(guide: Guide, { of, at }: Extract<Place, { kind: 'file' }>, isWanted: IsWanted): Result {
  const description = isPicture(of) ? of.metadata?.description : undefined
  return {
    path: pathBelow(guide, filePlace(of.path, at)),
    title: marked(filename(of.path), isWanted),
    where: `File · ${typeName(of)}`,
    text: snippet(description || of.path, isWanted),
  }
}
