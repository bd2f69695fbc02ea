import type { MaybePromise } from '../base/promise.ts'
import { HOME_PAGE } from '../brand/page.ts'
import type { Representation } from '../serving/response-cache.ts'
import type { Guide } from './guide/guide.ts'
import { colorsView } from './library/colors-view.ts'
import { contrastView } from './library/contrast-view.ts'
import { fileFaces } from './library/file-faces.ts'
import { filesView } from './library/files.ts'
import { typeSheet } from './library/type-sheet.ts'
import { typeView } from './library/type-view.ts'
import { overview, pagesView } from './pages/overview.ts'
import { pageView } from './pages/page-view.ts'
import { agentIndex, agentText } from './texts/agent-texts.ts'
import { markdownSource } from './texts/markdown-source.ts'
import { sitemap } from './texts/root-texts.ts'

type View = (guide: Guide, number: number) => MaybePromise<Representation | undefined>

/** What stands at fixed places below the address of a project. */
const VIEWS: Readonly<Record<string, View>> = {
  '': async guide => (await pageView(guide, HOME_PAGE)) ?? overview(guide),
  '-/pages': pagesView,
  '-/colors': colorsView,
  '-/type': typeView,
  '-/type.css': typeSheet,
  'llms.txt': agentIndex,
  'llms-full.txt': agentText,
  'sitemap.xml': sitemap,
}

/** Below this each colour has a page, by its id. */
const CONTRAST = '-/contrast/'

/**
 * What stands at a place below the address of a project: `logo/misuse`, `logo.md`, `-/colors`, of a list in pages that of
 * this number; undefined for nothing.
 */
export function viewAt(guide: Guide, below: string, number: number): MaybePromise<Representation | undefined> {
  const view = Object.hasOwn(VIEWS, below) ? VIEWS[below] : undefined
  if (view) return view(guide, number)
  if (below.startsWith(CONTRAST)) return contrastView(guide, below.slice(CONTRAST.length), number)
  if (below.startsWith('-/files')) return files(guide, below.slice(2))
  return below.endsWith('.md') ? markdownSource(guide, below.slice(0, -3)) : pageView(guide, below)
}

function files(guide: Guide, name: string): MaybePromise<Representation | undefined> {
  return name.endsWith('.css') ? fileFaces(guide, name.slice(0, -4)) : filesView(guide, name)
}
