import type { MaybePromise } from '../base/promise.ts'
import { HOME_PAGE } from '../brand/page.ts'
import type { Representation } from '../serving/replies/response-cache.ts'
import { exportView } from './exports/export-view.ts'
import type { Guide } from './guide/guide.ts'
import { colorsView } from './library/colors/colors-view.ts'
import { contrastView } from './library/colors/contrast-view.ts'
import { pairSheet, pairView } from './library/colors/pair-view.ts'
import { fileFaces } from './library/files/file-faces.ts'
import { filesView } from './library/files/files-view.ts'
import type { UseFilter } from './library/files/use-filter.ts'
import { themeSheet } from './library/theme-sheet.ts'
import { withFontPreloads } from './library/type/faces/font-preloads.ts'
import { typeSheet } from './library/type/type-sheet.ts'
import { typeView } from './library/type/type-view.ts'
import { changesView } from './pages/changes/changes-view.ts'
import { overview, pagesView } from './pages/overview.ts'
import { pageView } from './pages/page-view.ts'
import { agentIndex, agentText } from './texts/agent-texts.ts'
import { markdownSource } from './texts/guide-text.ts'
import { sitemap } from './texts/root-texts.ts'

type View = (guide: Guide, number: number) => MaybePromise<Representation | undefined>

/** The views at fixed paths below the address of a project. */
const VIEWS: Readonly<Record<string, View>> = {
  '': async guide => (await pageView(guide, HOME_PAGE)) ?? overview(guide),
  '-/pages': pagesView,
  '-/changes': changesView,
  '-/colors': colorsView,
  '-/type': typeView,
  '-/type.css': typeSheet,
  '-/theme.css': themeSheet,
  'llms.txt': agentIndex,
  'llms-full.txt': agentText,
  'sitemap.xml': sitemap,
}

/**
 * The page of two colours, which the query after `//` chooses; no path has an empty segment. Below it, each colour has a
 * page, and each pair a style sheet.
 */
const CONTRAST = '-/contrast'
/** Each export of the brand is below this path, named by its file. */
const EXPORTS = '-/exports/'

/**
 * The view at a path below the address of a project, such as `logo/misuse`, `logo.md` or `-/colors`; undefined if none
 * exists. `number` is the page of a paged list, and `filter` selects files.
 */
export async function viewAt(
  guide: Guide,
  below: string,
  number: number,
  filter?: UseFilter,
): Promise<Representation | undefined> {
  const made = await madeAt(guide, below, number, filter)
  return made?.type.some(value => value.startsWith('text/html')) ? withFontPreloads(guide, made) : made
}

function madeAt(
  guide: Guide,
  below: string,
  number: number,
  filter: UseFilter | undefined,
): MaybePromise<Representation | undefined> {
  const view = Object.hasOwn(VIEWS, below) ? VIEWS[below] : undefined
  if (view) return view(guide, number)
  if (below.startsWith(CONTRAST)) return contrastAt(guide, below.slice(CONTRAST.length), number)
  if (below.startsWith(EXPORTS)) return exportView(guide, below.slice(EXPORTS.length))
  if (below.startsWith('-/files')) return files(guide, below.slice(2), filter)
  return below.endsWith('.md') ? markdownSource(guide, below.slice(0, -3)) : pageView(guide, below)
}

function contrastAt(guide: Guide, rest: string, number: number): MaybePromise<Representation | undefined> {
  if (rest.startsWith('//')) return pairView(guide, rest.slice(2))
  if (!rest.startsWith('/')) return undefined
  return rest.endsWith('.css') ? pairSheet(guide, rest.slice(1, -4)) : contrastView(guide, rest.slice(1), number)
}

function files(guide: Guide, name: string, filter?: UseFilter): MaybePromise<Representation | undefined> {
  return name.endsWith('.css') ? fileFaces(guide, name.slice(0, -4), filter) : filesView(guide, name, filter)
}
