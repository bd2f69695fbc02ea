import { filename, fileStem, folderOf } from '#brand/file.ts'
import { slug } from '#brand/ids.ts'
import { parseHex } from '#brand/styles/screen-color.ts'
import {
  type FontFace,
  type FoundStyle,
  type FoundStyles,
  firstReason,
  isLoss,
  isTechnical,
  kindText,
  type Subject,
} from '#brand/tokens/found-styles.ts'
import { isOtherScheme } from '#brand/tokens/scheme.ts'
import { OperationalError } from '#platform/base/error.ts'
import { lazy } from '#platform/base/object.ts'
import { failed } from '#platform/base/result.ts'
import { inFormats, lineCounter, wordSet } from '#platform/base/text.ts'
import {
  joinEqual,
  keepChosen,
  type LineOf,
  leaveOutFamilies,
  leaveOutParts,
  leaveOutSwatches,
  type StyleFile,
  valuesText,
} from './chosen-colors.ts'
import { type GuideStyles, guideStyles } from './conversion/guide-styles.ts'
import { readTypeTable } from './conversion/palettes/type-table.ts'
import { readValueTable } from './conversion/palettes/value-table.ts'
import type { Source } from './conversion/source.ts'
import type { Document, ValueTable } from './document.ts'
import { readConfined, withSass } from './documents/converter.ts'
import { addNotes, isAddress, type Notes, noNotes, type Reason } from './report/report.ts'
import { joinSchemes } from './schemes.ts'
import { isData, isPackageList, isPage } from './sources/leave-out.ts'
import { type Entry, shownPath } from './sources/source.ts'
import { isPalette, isStyleFile, namesStyles } from './sources/style-names.ts'

/**
 * The styles of a source, the files that they come from with the names of their colours, the reasons of readers to leave
 * one out that is not merged, and notes.
 */
export type AdoptedValues = {
  styles: GuideStyles
  merged: { entry: Entry; into: string; names: string[] }[]
  leftOut: ReadonlyMap<Entry, Reason>
  faces: readonly FontFace[]
  /** The colours of links and buttons of the website, as hex. */
  links: readonly string[]
  notes: Notes
}

/** Whether a file may have styles, by its path and size, or because the user named it. */
export function mayHaveStyles({ path, size, named }: Entry): boolean {
  return named !== undefined || (!isPackageList(path) && STYLED.some(([maxSize, is]) => size <= maxSize && is(path)))
}

/**
 * What pages name of the data with colours: its files, as loops have them (`colours` for `site.data.colours`), and the ids
 * of its groups.
 */
export async function readPalettes(
  entries: readonly Entry[],
  signal: AbortSignal,
): Promise<{ palettes: string[]; groups: string[] }> {
  const isOfData = (path: string) =>
    folderOf(path)
      .split('/')
      .some(folder => DATA_FOLDERS.has(folder))
  const files = entries.filter(entry => isOfData(entry.path) && !isPage(entry.path) && mayHaveStyles(entry))
  const reads = await readConfined(await sourcesOf(files), signal)
  const colors = files.map((_, at) => stylesIn(reads[at]).colors)
  const groups = colors.flat().map(({ fields }) => slug(`${fields.get('group') ?? ''}`))
  return {
    palettes: files.filter((_, at) => colors[at]?.length).map(({ path }) => fileStem(path)),
    groups: [...new Set(groups)].filter(Boolean),
  }
}

const DATA_FOLDERS = wordSet('data _data')

/** The styles in a file that was read; none of another file. */
function stylesIn(read: Awaited<ReturnType<typeof readConfined>>[number] | undefined): FoundStyles {
  return read?.ok ? read.value : noStyles()
}

/** The style sheets inside pages, each once, as files of these pages. */
export function sheetsOf(pages: readonly Pick<Document, 'entry' | 'sheet'>[]): Entry[] {
  const sheets = Map.groupBy(pages, ({ sheet = '' }) => sheet)
  sheets.delete('')
  return [...sheets].flatMap(([sheet, same]) => {
    const bytes = Buffer.from(sheet)
    return same
      .slice(0, 1)
      .map(({ entry }) => ({ ...entry, path: entry.path + SHEET, size: bytes.length, read: async () => bytes }))
  })
}

/** What is added to the path of a page for its style sheet. */
const SHEET = '#style.css'

const MAX_DATA = 1 << 20
const MAX_BYTES = 16 << 20
const STYLE_NAMES = wordSet('design.md types.yaml types.yml')
/** Pages that may have data above their text. */
const PAGES = inFormats('md, mdx, markdown, htm, html')

/** The largest size of files that may have styles, and whether one is of the kind, by its path. */
const STYLED: readonly (readonly [maxSize: number, is: (path: string) => boolean])[] = [
  [MAX_BYTES, isStyleFile],
  [MAX_BYTES, namesStyles],
  [MAX_BYTES, path => STYLE_NAMES.has(filename(path).toLowerCase())],
  [MAX_DATA, isData],
  [MAX_DATA, path => PAGES.test(path)],
]

/** A table of a page, and the path that the report names. */
type PageTable = { shownPath: string; table: ValueTable }

/** Reads the styles of files together, so that references cross them, and those of tables on pages. */
export async function adoptValues(
  entries: readonly Entry[],
  tables: readonly PageTable[],
  { groups, signal }: { groups: readonly string[]; signal?: AbortSignal },
): Promise<AdoptedValues> {
  const notes = noNotes()
  const files = await readAll(entries, notes, signal)
  const colorTables = tables.flatMap(each => stylesOfTable(each, 'colors', notes))
  joinEqual(files)
  joinSchemes(files)
  leaveOutSwatches(files, colorTables, notes)
  leaveOutParts(files, colorTables, notes)
  keepChosen(files, groups, notes)
  const { sheets: ofSheets = [], lists = [] } = Object.groupBy(files, ({ styles }) =>
    styles.sheet ? 'sheets' : 'lists',
  )
  const hasTypes = lists.some(({ styles }) => styles.types.length > 0)
  const typeTables = hasTypes ? [] : tables.flatMap(each => stylesOfTable(each, 'types', notes))
  const statedTypes = typeTables.flatMap(({ styles }) => styles.types)
  leaveOutFamilies(ofSheets, statedTypes, notes)
  const found = [...lists, ...colorTables, ...typeTables, ...ofSheets]
  const styles = guideStyles(found.map(each => each.styles))
  if (!styles.ok) throw new OperationalError('source_unreadable', styles.problem)
  for (const { styles, shown, lineOf } of found) addNotes(notes, rowsOf(styles, shown, lineOf))
  for (const { others, shown, lineOf } of files) if (others) notes.lost.push(...valuesOf(others, shown, lineOf))
  const merged = files
    .filter(file => file.isJoined || hasStyles(file.styles, styles.value))
    .map(({ entry, shown, styles: { colors, types } }) => {
      const into = colors.length === 0 && types.length > 0 ? 'styles/types.yaml' : 'styles/colors.yaml'
      const what = entry.path.endsWith(SHEET) ? 'style sheet of the page' : isPage(entry.path) && 'front matter'
      if (what) notes.converted.push({ path: shown, line: 1, what, became: into })
      return { entry, into, names: colors.map(({ name }) => name) }
    })
  const leftOut = new Map(files.flatMap(({ entry, reason }) => (reason === undefined ? [] : [[entry, reason]])))
  const sheets = files.flatMap(({ styles }) => styles.sheet ?? [])
  const [faces, links] = [sheets.flatMap(sheet => sheet.faces), sheets.flatMap(sheet => sheet.links)]
  return { styles: styles.value, merged, leftOut, faces, links, notes: { ...notes, lost: withJoined(notes.lost) } }
}

/** Rows in which those of each kind of technical values are one, at the place of the first: a theme has hundreds. */
function withJoined(lost: Notes['lost']): Notes['lost'] {
  const technical = Map.groupBy(
    lost.filter(row => row.isTechnical),
    ({ what }) => what,
  )
  const rows = [...technical].flatMap(([what, same]) => {
    const files = [...Map.groupBy(same, ({ path }) => path)]
    return same.slice(0, 1).map(({ path: first, line }) => {
      const texts = files.map(([path, rows]) => {
        const text = rows.map(({ text }) => text).join(', ')
        return path === first ? text : `${path}: ${text}`
      })
      return { path: first, line, what, text: texts.join('; ') }
    })
  })
  return [...lost.filter(row => !row.isTechnical), ...rows]
}

/** Whether a guide has a style of a file, which may only add print values to a colour of another. */
function hasStyles({ colors, types, role }: FoundStyles, styles: GuideStyles): boolean {
  const names = new Set(styles.colors.map(({ name }) => slug(name)))
  return role === 'default' || types.length > 0 || colors.some(({ name }) => names.has(slug(name)))
}

/** A file whose path says that it is for another scheme counts only if no other has colours. */
async function readAll(entries: readonly Entry[], notes: Notes, signal?: AbortSignal): Promise<StyleFile[]> {
  const readSources = (files: readonly Source[]) => readConfined(files, signal)
  const sources = await withSass(await sourcesOf(entries), signal)
  const first = await readSources(sources)
  const isUsual = first.map(stylesIn).some(({ role, colors }) => role !== 'other' && colors.length > 0)
  const reads = isUsual ? first : await readSources(sources.map(source => ({ ...source, isApart: false })))
  const roles = reads.map(read => stylesIn(read).role)
  // A resolver document would take the values of the files that it names.
  const whole = sources.map(({ path, bytes }, at) => ({ path, bytes: roles[at] === 'resolver' ? NOTHING : bytes }))
  const others = roles.some(role => role !== undefined) ? await readSources(whole) : []
  return entries.map((entry, at): StyleFile => {
    const [read = NO_READ, other = NO_READ] = [reads[at], others[at]]
    const shown = shownPath(entry).replace(SHEET, '')
    const isSite = entry.path.endsWith(SHEET) || isAddress(shown)
    const file = { entry, shown, isSite, lineOf: lineFinder(sources[at]?.bytes), styles: noStyles() }
    if (roles[at] === 'other' && other.ok) return { ...file, others: other.value, reason: OTHERS }
    if (read.ok) return { ...file, styles: read.value, reason: firstReason(read.value.notes) }
    const { kind, message: text } = read.problem
    if (entry.named?.isOnly) throw new OperationalError(CODES[kind], `${file.shown} ${text}`)
    if (kind !== 'damaged' && (isPalette(entry.path) || entry.named))
      notes.lost.push({ path: file.shown, line: 1, what: 'a file without known styles', text })
    return { ...file, reason: kind === 'damaged' ? { reason: 'cannot be read', detail: text } : undefined }
  })
}

const NO_READ = failed({ kind: 'empty' as const, message: '' })
/** The codes of a failure if there is no other source. */
const CODES = { unknown: 'source_unknown', empty: 'source_empty', damaged: 'source_unreadable' } as const

async function sourcesOf(entries: readonly Entry[]): Promise<Source[]> {
  const sources: Source[] = []
  for (const entry of entries) {
    // Other files are found by paths beside the one that the user gave.
    const { path, rank } = entry.named ?? { path: shownPath(entry) }
    sources.push({ path, rank, isApart: isOtherScheme(entry.path), bytes: await entry.read(MAX_BYTES) })
  }
  return sources
}

function noStyles(): FoundStyles {
  return { colors: [], types: [], notes: new Map() }
}

const NOTHING = new Uint8Array()
const OTHERS = {
  reason: 'values of another scheme or context, which a guide has no place for; each is among what is lost',
}

/** The styles of a table, each told as decided, since a table may have another meaning. */
function stylesOfTable({ shownPath: path, table }: PageTable, kind: 'colors' | 'types', notes: Notes) {
  const { key, read, isTold } = TABLES[kind]
  const tableNotes: FoundStyles['notes'] = new Map()
  const found = read(table, tableNotes)
  const row = { path, key, why: 'taken from a table, which stays on the page', detail: `line ${table.line}` }
  for (const { name, fields } of found.filter(isTold))
    notes.guessed.push({ ...row, value: `${name}: ${valuesText(fields)}` })
  const styles: FoundStyles = { colors: [], types: [], notes: tableNotes, [kind]: found }
  return found.length > 0 ? [{ styles, shown: path, lineOf: () => table.line }] : []
}

const TABLES = {
  colors: {
    key: 'color',
    read: readValueTable,
    isTold: ({ fields }: FoundStyle) => fields.has('rgb') || parseHex(String(fields.get('hex'))).ok,
  },
  types: { key: 'type style', read: readTypeTable, isTold: () => true },
}

/** The notes of a reader: what it left out is lost, what it changed is decided. */
function rowsOf({ notes: found }: FoundStyles, path: string, lineOf: LineOf): Notes {
  const notes = noNotes()
  for (const { kind, detail, subjects, count } of found.values()) {
    const [what, own] = [kindText(kind), detail === '' ? {} : { detail }]
    const more: Subject[] = count > subjects.length ? [{ name: `${count - subjects.length} more` }] : []
    for (const { name, value, line = lineOf(name) } of [...subjects, ...more])
      if (isLoss(kind)) {
        const text = value === undefined ? name : `${name}: ${value}`
        notes.lost.push({ path, line, what, text, ...own, isTechnical: isTechnical(kind) })
      } else notes.guessed.push({ path, key: name, value: value ?? name, why: what, ...own })
  }
  return notes
}

/** Each style as lost, with the notes of its reader. */
function valuesOf(styles: FoundStyles, path: string, lineOf: LineOf): Notes['lost'] {
  const what = isOtherScheme(path) ? 'a value of a second scheme, such as dark' : 'a value of another context'
  const values = [...styles.colors, ...styles.types].map(({ name, fields, token }) => {
    const own = token?.path ?? name
    return { path, line: lineOf(own), what, text: `${own}: ${valuesText(fields)}` }
  })
  return [...rowsOf(styles, path, lineOf).lost, ...values]
}

function lineFinder(bytes: Uint8Array | undefined): LineOf {
  const places = lazy(() => {
    const text = String(bytes)
    const lineAt = lineCounter(text)
    const keys = Array.from(
      text.matchAll(KEY),
      ({ 1: quoted, 2: word = quoted, 3: key = word, index }) => [key, index] as const,
    )
    return Map.groupBy(
      keys.map(([key, index]) => ({ key, index, line: lineAt(index) })),
      ({ key }) => key,
    )
  })
  return name => {
    let place = { index: -1, line: 1 }
    for (const part of name.split(' (', 1).join().split('.'))
      place =
        places()
          .get(part)
          ?.find(({ index }) => index > place.index) ?? place
    return place.line
  }
}

/** A key of data, a variable, or a name in XML. */
const KEY = /(?:["']([^"'\n]+)["']|(?<![\w-])(?:--|\$)?([\w-]+))\s*:|(?<=\sname=")([^"\n]+)/gi
