import { foldersAbove } from '#brand/portable-paths.ts'
import type { AdoptOptions } from './options.ts'
import type { SourceContent } from './read-source.ts'
import { withoutInner } from './report/report.ts'
import { withBasePaths } from './site/base-path.ts'
import { byLanguage, type Languages } from './site/by-language.ts'
import { withoutCopies } from './site/copies.ts'
import { publishedPages } from './site/hidden-pages.ts'
import { withoutRunning } from './site/running-blocks.ts'
import { withShownOrder } from './site/shown-order.ts'
import { titlePages, withoutSharedDescriptions } from './site/titles.ts'
import { markUnlinked } from './site/unlinked-pages.ts'
import type { Entry } from './sources/source.ts'

/** The content of sources with the pages that become the guide and its translations. */
export type Selection = SourceContent & { languages: Languages; copies: ReadonlyMap<Entry, Entry> }

/** Selects the pages that readers of the sources see; each other one is left out with its reason. */
export function selectPages(source: SourceContent, options: AdoptOptions): Selection {
  const documents = withBasePaths(source.documents)
  const { published, leftOut: hidden } = publishedPages(documents, { ...options, kept: pathsOf(source.entries) })
  const { pages, copies, leftOut: unseen } = withoutCopies(published, options.withHidden)
  const named = withoutSharedDescriptions(titlePages(pages))
  const ordered = markUnlinked(withShownOrder(named, source.menus))
  const languages = byLanguage(withoutRunning(ordered), source.facts.named.lang)
  return { ...source, documents, languages, copies, leftOut: withoutInner([...source.leftOut, ...hidden, ...unseen]) }
}

/** The paths of files and of the folders above them, which end in `/`. */
function pathsOf(entries: readonly Entry[]): Set<string> {
  return new Set(
    entries.flatMap(({ label, path }) => [label + path, ...foldersAbove(path).map(each => `${label}${each}/`)]),
  )
}
