import type { Ids } from '#brand/contract/route.ts'
import { HOME_PAGE } from '#brand/page.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { exportView } from './exports/export-view.ts'
import { useView } from './exports/use-panel.ts'
import { withDominantColors } from './guide/dominant-colors.ts'
import type { Guide } from './guide/guide.ts'
import { colorView } from './library/colors/color-view.ts'
import { colorsView } from './library/colors/colors-view.ts'
import { pairSheet, pairView } from './library/colors/pair-view.ts'
import { paletteView } from './library/colors/palette-view.ts'
import { fileFaces, filesView, folderView } from './library/files/files-view.ts'
import type { UseFilter } from './library/files/use-filter.ts'
import { versionsView } from './library/files/versions.ts'
import { themeSheet } from './library/theme-sheet.ts'
import { withFontPreloads } from './library/type/faces/frame-fonts.ts'
import { familyView } from './library/type/family-view.ts'
import { typeSheet } from './library/type/type-sheet.ts'
import { typeView } from './library/type/type-view.ts'
import { changesFeed } from './pages/changes/changes-feed.ts'
import { changesSheet, changesView, parseChangesQuery } from './pages/changes/changes-view.ts'
import { fileView } from './pages/file-view.ts'
import { overview, pagesView } from './pages/overview.ts'
import { pageView } from './pages/page-view.ts'
import { agentIndex, agentText, markdownSource } from './texts/agent-texts.ts'
import { sitemap } from './texts/root-texts.ts'

/** The ids of a path, and what its query chooses: the use of files, or a query such as two colours. */
type Asked = { ids: Ids; filter: UseFilter | undefined; chosen: string }

type View = (guide: Guide, asked: Asked) => MaybePromise<Representation | undefined>

/** The views of a guide; `guide-routes.ts` has their addresses. */
const VIEWS = {
  home: async guide => (await pageView(guide, HOME_PAGE)) ?? overview(guide),
  page: (guide, { ids }) => pageView(guide, ids.page),
  markdown: (guide, { ids }) => markdownSource(guide, ids.page),
  pages: pagesView,
  changes: (guide, { chosen }) => changesView(guide, parseChangesQuery(chosen)),
  changesSheet: (guide, { chosen }) => changesSheet(guide, parseChangesQuery(chosen)),
  changesFeed,
  colors: colorsView,
  palette: async (guide, { ids }) => (await paletteView(guide, ids.color)) ?? colorView(guide, ids.color),
  pair: (guide, { chosen }) => pairView(guide, chosen),
  pairSheet: (guide, { ids }) => pairSheet(guide, ids.pair),
  contrast: (guide, { ids }) => colorView(guide, ids.color),
  type: typeView,
  family: (guide, { ids }) => familyView(guide, ids.name),
  typeSheet,
  themeSheet,
  files: (guide, { ids, filter }) => filesView(guide, listName(ids), filter),
  folder: (guide, { ids }) => folderView(guide, ids.path),
  versions: versionsView,
  file: (guide, { ids }) => fileView(guide, ids.path),
  fileFaces: (guide, { ids, filter }) => fileFaces(guide, listName(ids), filter),
  use: useView,
  export: (guide, { ids }) => exportView(guide, ids.format),
  agentIndex,
  agentText,
  sitemap,
} as const satisfies Readonly<Record<string, View>>

export type ViewName = keyof typeof VIEWS

/** Makes a view; undefined if it does not exist in this guide. */
export async function viewAt(name: ViewName, guide: Guide, asked: Asked): Promise<Representation | undefined> {
  const make: View = VIEWS[name]
  const made = await make(guide, asked)
  if (!made?.type.some(value => value.startsWith('text/html'))) return made
  return withFontPreloads(guide, await withDominantColors([guide], made))
}

function listName({ list }: Ids): string {
  return list === '' ? 'files' : `files/${list}`
}
