import { parse } from 'node:path/posix'
import { openPathAllocator, safeName, visibleName } from '#brand/portable-paths.ts'
import { settleAll } from '#platform/base/promise.ts'
import type { Document } from './document.ts'
import { placeParts } from './pages/includes.ts'
import { noNotes, type Reason } from './report/report.ts'
import type { Selection } from './select-pages.ts'
import type { FilePlan } from './site/links.ts'
import type { PagePlan } from './site/page-paths.ts'
import { withoutExportIds } from './sources/generators/generator.ts'
import { belowRoot } from './sources/languages.ts'
import { noDownload, pageKind } from './sources/leave-out.ts'
import { originalsOf } from './sources/renditions.ts'
import { bytesEntry, type Entry, renditionOf, shownPath as shown } from './sources/source.ts'
import type { AdoptedValues } from './values.ts'

/** The places of files that are not pages, and why others have none. */
export type FilePlaces = {
  /** Files whose content is on a page or in the styles, with the file of the project that has it. */
  merged: ReadonlyMap<Entry, string>
  /** The places of all files that may be downloads, also of spare ones: merged files and code, which a page may offer. */
  places: FilePlan[]
  /** The pictures inside pages, such as a Word document's. */
  media: ReadonlySet<Entry>
  leftOut: ({ entry: Entry } & Reason)[]
  /** Files that readers saw, with the places of the originals in their sources; empty for those without a place. */
  aliases: FilePlan[]
  /** All of these for links. */
  targets: FilePlan[]
}

/** Gives each file a place that a guide may have as a download. */
export async function planFiles(
  { entries, documents, includes, facts }: Selection,
  plans: readonly PagePlan[],
  values: Pick<AdoptedValues, 'merged' | 'leftOut'>,
): Promise<FilePlaces> {
  const files = entries.filter(entry => !pageKind(entry))
  const inPages = placeParts(includes, plans, entries)
  const inStyles = values.merged.filter(({ entry }) => files.includes(entry))
  const merged = new Map([...inPages.merged, ...inStyles.map(({ entry, into }) => [entry, into] as const)])
  const copies = await originalsOf(files, facts)
  const others = files.filter(entry => !merged.has(entry) && !copies.has(entry))
  const judged = await settleAll(
    others.map(async entry => ({ entry, ...(await judgeFile(entry)), ...values.leftOut.get(entry) })),
  )
  const { free = [], spare = [] } = Object.groupBy(judged, ({ reason }) => (reason === '' ? 'free' : 'spare'))
  const picturesOf = ({ entry: { path, label }, pictures }: Document) =>
    pictures.map(({ name, bytes }) => bytesEntry({ path: `${path}/@media/${name}`, label }, bytes))
  const media = new Set(documents.flatMap(picturesOf))
  const mergedFiles = [...merged.keys()].filter(entry => !pageKind(entry))
  const first = [...free.map(({ entry }) => entry), ...media]
  const last = new Set([...mergedFiles, ...spare.filter(isPossible).map(({ entry }) => entry)])
  const places = placeFiles([...first, ...last]).map(plan => ({ ...plan, isSpare: last.has(plan.entry) }))
  const placeOf = new Map(places.map(({ entry, to }) => [entry, to]))
  const aliases = Array.from(copies, ([entry, original]) => ({ entry, to: placeOf.get(original) ?? '', isSpare: true }))
  return { merged, media, places, aliases, targets: [...places, ...aliases], leftOut: [...inPages.unused, ...spare] }
}

/** The files of the project. A spare file is one of them only if a page offers it as a download; the report has merged ones. */
export function keptFiles({ places, aliases, merged, leftOut }: FilePlaces, used: ReadonlySet<string>) {
  const files = places.filter(({ isSpare, to }) => !isSpare || used.has(to))
  const keptEntries = new Set(files.map(({ entry }) => entry))
  const { offered = [], gone = [] } = Object.groupBy(merged, ([entry]) => (keptEntries.has(entry) ? 'offered' : 'gone'))
  const what = 'styles of a download'
  const converted = offered.map(([entry, became]) => ({ path: shown(entry), line: 1, what, became }))
  const written = new Set(files.map(({ to }) => to))
  const { same = [], other = [] } = Object.groupBy(aliases, ({ to }) => (written.has(to) ? 'same' : 'other'))
  const copies = same.map(({ entry, to }) => [entry, to] as const)
  const absent = [
    ...leftOut.filter(({ entry }) => !keptEntries.has(entry)),
    ...other.map(({ entry }) => ({ entry, reason: 'a copy of a file without a place' })),
  ]
  const rows = absent.map(({ entry, ...why }) => ({ path: shown(entry), ...why }))
  return { files, merged: [...gone, ...copies], leftOut: rows, notes: { ...noNotes(), converted } }
}

/** Why a file is no download of its own; empty if it is one. */
async function judgeFile(entry: Entry): Promise<Reason> {
  if (!isPossible({ entry })) return { reason: 'larger than 1 GiB, which a guide may not have' }
  return { reason: renditionOf(entry).kind === 'build' ? 'build output' : await noDownload(entry.path) }
}

function isPossible({ entry }: { entry: Entry }): boolean {
  return entry.size <= MAX_FILE_BYTES
}

const MAX_FILE_BYTES = 1 << 30

/** Gives each file its place below `files/`, without names that a brand folder ignores. */
function placeFiles(entries: readonly Entry[]): FilePlan[] {
  const paths = openPathAllocator()
  return entries.map(entry => {
    const path = belowRoot(withoutExportIds(entry.path), 'files').replace(/\.\w+\/@media\//, '/')
    return { entry, to: paths.take(['files', ...path.split('/').map(placeName)].join('/')) }
  })
}

/** A name that works on any disk, and that a brand folder does not ignore. */
function placeName(name: string): string {
  const { name: stem, ext } = parse(safeName(name.replaceAll('\ufffd', '_')))
  return (visibleName(stem) || 'file') + ext
}
