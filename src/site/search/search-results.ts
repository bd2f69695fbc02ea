import { inSteps } from '../../base/steps.ts'
import type { Color } from '../../brand/color.ts'
import { type BrandFile, filename, isPicture } from '../../brand/file.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import { type Library, libraryOf } from '../../serving/library.ts'
import { type Guide, pathBelow, treeOf } from '../guide/guide.ts'
import { type Branch, trailTo } from '../guide/page-tree.ts'
import { type ColorList, colorList, colorPath } from '../library/colors/color-list.ts'
import { typeName } from '../library/files/file-kind.ts'
import { fileListPath } from '../library/files/file-list.ts'
import { typePath } from '../library/type/type-list.ts'
import { type Marked, marked, snippet } from './marked-text.ts'
import { type SearchIndex, type Target, thingsOf } from './search-index.ts'
import type { Found } from './word-index.ts'

/** How many things were found, and the best of them. */
export type SearchResults = { count: number; hasAll: boolean; results: readonly SearchResult[] }

/** A result as it is shown; `where` says what it is and what it belongs to. */
export type SearchResult = { path: string; title: Marked; where: string; text: Marked; hex?: string }

/** Looks for the words of a text in a guide. A page is given once, at the part of it that fits best. */
export async function searchResults(
  guide: Guide,
  index: SearchIndex,
  text: string,
  max: number,
): Promise<SearchResults> {
  const [tree, colors, types] = [await treeOf(guide), await colorList(guide), await guide.publication.content.types()]
  const found = await index.words.find(text)
  const { count, best } = bestOf(index, found, max)
  const things = await thingsOf(guide.publication.content)
  const library = await libraryOf(guide.publication.content)
  const results = await inSteps(best, RESULTS_AT_ONCE, ({ entry }) => {
    const target = index.targetOf(entry, things)
    return target ? [shown({ guide, tree, colors, types, library }, target, found.isWanted)] : []
  })
  return { count, hasAll: found.hasAll, results: results.flat() }
}

const RESULTS_AT_ONCE = 2

/** An entry, and the thing that it is a part of. */
type Hit = { entry: number; owner: number; score: number }

/** Parts of a page stand one after the other. */
function bestOf({ ownerOf }: SearchIndex, { scores }: Found, max: number): { count: number; best: Hit[] } {
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
    if (open) keep(best, open, max)
    open = { entry, owner, score }
    count++
  }
  if (open) keep(best, open, max)
  return { count, best }
}

/** Inserts a hit among the best so far, best first. */
function keep(best: Hit[], hit: Hit, max: number): void {
  if (best.length === max && hit.score <= (best.at(-1)?.score ?? 0)) return
  const at = best.findIndex(({ score }) => score < hit.score)
  best.splice(at === -1 ? best.length : at, 0, hit)
  if (best.length > max) best.pop()
}

type IsWanted = Found['isWanted']

/** What a result is shown with. */
type Shown = {
  guide: Guide
  tree: readonly Branch[]
  colors: ColorList
  types: readonly TypeStyle[]
  library: Library
}

function shown({ guide, tree, colors, types, library }: Shown, target: Target, isWanted: IsWanted): SearchResult {
  switch (target.kind) {
    case 'page':
      return shownPage(guide, tree, target, isWanted)
    case 'color':
      return shownColor(guide, colorPath(guide, colors, target.of.id), target.of, isWanted)
    case 'type':
      return shownType(guide, typePath(guide, types, target.of), target.of, isWanted)
    case 'file':
      return shownFile(guide, pathBelow(guide, fileListPath(library, target.of.path)), target.of, isWanted)
  }
}

function shownPage(
  { publication, paths, words }: Guide,
  tree: readonly Branch[],
  { of, heading, anchor, text }: Extract<Target, { kind: 'page' }>,
  isWanted: IsWanted,
): SearchResult {
  const path = paths.page(publication.record, of.id)
  const names = trailTo(tree, of.id).map(({ name }) => name)
  const trail = heading === '' ? names.slice(0, -1) : names
  return {
    path: anchor === '' ? path : `${path}#${encodeURIComponent(anchor)}`,
    title: marked(heading || of.name, isWanted),
    where: [words.search.page, trail.join(' / ')].filter(Boolean).join(' · '),
    text: snippet(heading === '' && of.description !== undefined ? `${of.description} ${text}` : text, isWanted),
  }
}

function shownColor({ words }: Guide, path: string, color: Color, isWanted: IsWanted): SearchResult {
  const { name, rgb, cmyk, hex, pms, pms2, ral } = color
  const values = [
    hex,
    `RGB ${rgb}`,
    cmyk && `CMYK ${cmyk}`,
    pms && `Pantone ${pms}`,
    pms2 && `Pantone ${pms2}`,
    ral && `RAL ${ral}`,
  ]
  return {
    path,
    title: marked(name, isWanted),
    where: words.search.color,
    text: marked(values.filter(Boolean).join(' · '), isWanted),
    hex,
  }
}

function shownType(
  { words }: Guide,
  path: string,
  { name, family, size }: TypeStyle,
  isWanted: IsWanted,
): SearchResult {
  return {
    path,
    title: marked(name, isWanted),
    where: words.search.typeStyle,
    text: marked([family, size && `${size} px`].filter(Boolean).join(' · '), isWanted),
  }
}

function shownFile({ words }: Guide, path: string, of: BrandFile, isWanted: IsWanted): SearchResult {
  const description = isPicture(of) ? of.metadata?.description : undefined
  return {
    path,
    title: marked(of.title ?? filename(of.path), isWanted),
    where: [words.search.file, typeName(of)].filter(Boolean).join(' · '),
    text: snippet(description || of.path, isWanted),
  }
}
