import { openPathAllocator, safeName } from '#brand/portable-paths.ts'
import { placeParts } from './pages/includes.ts'
import { pageKind } from './read-source.ts'
import { noNotes, type Reason } from './report/report.ts'
import type { Selection } from './select-pages.ts'
import type { FilePlan } from './site/links.ts'
import type { PagePlan, SourcePage } from './site/page-paths.ts'
import { withoutExportIds } from './sources/generators/generator.ts'
import { withoutStyles } from './sources/leave-out.ts'
import { bytesEntry, type Entry, shownPath as shown } from './sources/source.ts'
import type { AdoptedValues } from './values.ts'

/** The places of files that are not pages, and why others have none. */
export type FilePlaces = {
  /** Files whose content is on a page or in the styles, with the file of the project that has it. */
  merged: ReadonlyMap<Entry, string>
  /** The places of all files that may be downloads, also of merged ones, since a page may offer them. */
  places: FilePlan[]
  /** The pictures inside pages, such as a Word document's. */
  media: ReadonlySet<Entry>
  leftOut: ({ entry: Entry } & Reason)[]
}

/** Gives each file a place that a guide may have as a download. */
export function planFiles(
  { entries, pages, includes }: Selection,
  plans: readonly PagePlan[],
  values: Pick<AdoptedValues, 'merged' | 'leftOut'>,
): FilePlaces {
  const files = entries.filter(entry => !pageKind(entry))
  const inPages = placeParts(includes, plans, entries)
  const inStyles = values.merged.filter(({ entry }) => files.includes(entry))
  const merged = new Map([...inPages.merged, ...inStyles.map(({ entry, into }) => [entry, into] as const)])
  const others = files
    .filter(entry => !merged.has(entry))
    .map(entry => ({ entry, reason: noFile(entry) ?? '', ...values.leftOut.get(entry) }))
  const { free = [], refused = [] } = Object.groupBy(others, ({ reason }) => (reason === '' ? 'free' : 'refused'))
  const picturesOf = ({ entry: { path, label }, page }: SourcePage) =>
    page.pictures.map(({ name, bytes }) => bytesEntry({ path: `${path}/@media/${name}`, label }, bytes))
  const media = new Set(pages.flatMap(picturesOf))
  const mergedFiles = [...merged.keys()].filter(entry => !pageKind(entry))
  const places = placeFiles([...free.map(({ entry }) => entry), ...media, ...mergedFiles])
  return { merged, media, places, leftOut: [...inPages.unused, ...refused] }
}

/** The files of the project. A merged file is one of them only if a page offers it as a download; the report has it. */
export function keptFiles({ places, merged }: FilePlaces, used: ReadonlySet<string>) {
  const files = places.filter(({ entry, to }) => !merged.has(entry) || used.has(to))
  const keptEntries = new Set(files.map(({ entry }) => entry))
  const { offered = [], gone = [] } = Object.groupBy(merged, ([entry]) => (keptEntries.has(entry) ? 'offered' : 'gone'))
  const what = 'styles of a download'
  const converted = offered.map(([entry, became]) => ({ path: shown(entry), line: 1, what, became }))
  return { files, merged: gone, notes: { ...noNotes(), converted } }
}

function noFile({ path, size }: Entry): string | undefined {
  return withoutStyles(path) ?? (size > MAX_FILE_BYTES ? 'larger than 1 GiB, which a guide may not have' : undefined)
}

const MAX_FILE_BYTES = 1 << 30

/** Gives each file its place below `files/`, without names that a brand folder ignores. */
function placeFiles(entries: readonly Entry[]): FilePlan[] {
  const paths = openPathAllocator()
  return entries.map(entry => {
    const names = withoutExportIds(entry.path)
      .replace(/^files\//, '')
      .replace(/\.\w+\/@media\//, '/')
      .replaceAll('\ufffd', '_')
      .split('/')
      .map(safeName)
    const name = names
      .pop()
      ?.replace(/^_+/, '')
      .replace(/^(?=\.|$)/, 'file')
    const folders = names.map(folder => folder.replace(/^[._]+/, '') || 'folder')
    return { entry, to: paths.take(['files', ...folders, name].join('/')) }
  })
}
