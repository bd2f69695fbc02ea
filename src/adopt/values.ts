import { OperationalError } from '#base/error.ts'
import { quote } from '#base/text.ts'
import { slug } from '#brand/ids.ts'
import { parseHex } from '#brand/styles/screen-color.ts'
import { type FoundStyle, type FoundStyles, isInGroup, noteLines, type TokenPlace } from '#conversion/found-styles.ts'
import { type GuideStyles, guideStyles } from '#conversion/guide-styles.ts'
import { jsonText } from '#conversion/json.ts'
import { readValueTable } from '#conversion/palettes/value-table.ts'
import { isOtherScheme } from '#conversion/scheme.ts'
import { readSources, type Source } from '#conversion/source.ts'
import type { ValueTable } from './pages/page.ts'
import { addNotes, type Notes, noNotes } from './report/report.ts'
import { isPage } from './sources/leave-out.ts'
import { type Entry, shownPath } from './sources/source.ts'

/** The styles of a source, the files that they come from, the reasons of readers to leave one out that is not merged, and notes. */
export type AdoptedValues = {
  styles: GuideStyles
  merged: { entry: Entry; into: string }[]
  leftOut: ReadonlyMap<Entry, string>
  notes: Notes
}

/** Whether a file may have styles, by its path and size. */
export function mayHaveStyles({ path, size }: Entry): boolean {
  return size <= MAX_BYTES && (STYLES.test(path) || (/\.ya?ml$/i.test(path) && /brand|token|colou?r/i.test(path)))
}

const STYLES = /\.(?:json5?|ase|aco|gpl|csv|css|scss)$|(?:^|\/)DESIGN\.md$/i
const MAX_BYTES = 16 << 20

/** Reads the styles of files together, so that references cross them, and those of tables on pages. */
export async function adoptValues(
  entries: readonly Entry[],
  tables: readonly { shownPath: string; table: ValueTable }[],
  { groups }: { groups: readonly string[] },
): Promise<AdoptedValues> {
  const files = await readAll(entries)
  const notes = noNotes()
  keepChosen(files, groups, notes)
  const onPages = tables.flatMap(each => stylesOfTable(each, notes))
  const found = [...files.flatMap(({ styles, shown }) => (styles ? [{ styles, shown, line: 1 }] : [])), ...onPages]
  const styles = guideStyles(found.map(each => each.styles))
  if (!styles.ok) throw new OperationalError('source_unreadable', styles.problem)
  for (const { styles, shown, line } of found) addNotes(notes, rowsOf(styles, shown, line))
  for (const { others, shown } of files) if (others) addNotes(notes, valuesOf(others, shown))
  const merged = files.flatMap(({ entry, styles: own, shown }) => {
    if (own === undefined || !hasStyles(own, styles.value)) return []
    const into = own.colors.length > 0 || own.role === 'default' ? 'styles/colors.yaml' : 'styles/types.yaml'
    if (isPage(entry.path)) notes.converted.push({ path: shown, line: 1, what: 'front matter', became: into })
    return [{ entry, into }]
  })
  const leftOut = new Map(files.flatMap(({ entry, reason }) => (reason === undefined ? [] : [[entry, reason]])))
  return { styles: styles.value, merged, leftOut, notes }
}

/** Whether a guide has a style of a file, which may only add print values to a colour of another. */
function hasStyles({ colors, types, role }: FoundStyles, styles: GuideStyles): boolean {
  const names = new Set(styles.colors.map(({ name }) => slug(name)))
  return role === 'default' || types.length > 0 || colors.some(({ name }) => names.has(slug(name)))
}

/** A file with its styles, those `others` that a guide has no place for, and the reason why a file without any is left out. */
type StyleFile = {
  entry: Entry
  shown: string
  styles?: FoundStyles
  others?: FoundStyles
  reason?: string | undefined
}

/** A file whose path says that it is for another scheme counts only if no other has colours. */
async function readAll(entries: readonly Entry[]): Promise<StyleFile[]> {
  const sources: Source[] = []
  for (const entry of entries)
    sources.push({ path: shownPath(entry), bytes: await entry.read(MAX_BYTES), isApart: isOtherScheme(entry.path) })
  const first = readSources(sources)
  const isUsual = first.some(read => read.ok && read.value.role !== 'other' && read.value.colors.length > 0)
  const reads = isUsual ? first : readSources(sources.map(source => ({ ...source, isApart: false })))
  const roles = reads.map(read => (read.ok ? read.value.role : undefined))
  // A resolver document would take the values of the files that it names.
  const whole = sources.map(({ path, bytes }, at) => ({ path, bytes: roles[at] === 'resolver' ? NOTHING : bytes }))
  const others = roles.some(role => role !== undefined) ? readSources(whole) : []
  return entries.map((entry, at): StyleFile => {
    const [read, other] = [reads[at], others[at]]
    const file = { entry, shown: shownPath(entry) }
    if (roles[at] === 'other' && other?.ok) return { ...file, others: other.value, reason: OTHERS }
    if (roles[at] === 'default' && other?.ok && other.value.colors.length + other.value.types.length === 0)
      return { ...file, reason: noteLines(other.value.notes)[0] }
    if (read?.ok) return { ...file, styles: read.value, reason: noteLines(read.value.notes)[0] }
    return { ...file, reason: read?.problem.kind === 'damaged' ? read.problem.message : undefined }
  })
}

const NOTHING = new Uint8Array()
const OTHERS = 'values of another scheme or context, which a guide has no place for; each is among what is lost'

/** Keeps the colours of tokens in the chosen groups, or those that others refer to if there are too many. */
function keepChosen(files: readonly StyleFile[], groups: readonly string[], notes: Notes): void {
  const all = files.flatMap(({ styles }) => styles?.colors ?? [])
  const tokens = all.flatMap(({ token }) => token ?? [])
  const missing = groups.find(group => !tokens.some(token => isInGroup(token, group)))
  if (missing !== undefined)
    throw new OperationalError('source_unreadable', `no colour is in the group ${quote(missing)} of --tokens`)
  const isFull = groups.length === 0 && all.length > MAX_COLORS && tokens.some(({ isUsed }) => isUsed)
  if (groups.length === 0 && !isFull) return
  const isKept = ({ token }: FoundStyle) =>
    token === undefined || (isFull ? token.isUsed : groups.some(group => isInGroup(token, group)))
  const what = isFull
    ? `colours that no other value refers to, of ${all.length}: choose groups with --tokens GROUP`
    : 'colours in groups that --tokens does not name'
  for (const file of files) {
    const { colors = [] } = file.styles ?? {}
    const left = Map.groupBy(
      colors.filter(color => !isKept(color)),
      ({ token }) => groupOf(token),
    )
    for (const [group, styles] of left) {
      const text = `${group}: ${styles.map(({ name, fields }) => `${name} ${fields.get('hex')}`).join(', ')}`
      notes.lost.push({ path: file.shown, line: 1, what, text })
    }
    if (file.styles && left.size > 0) {
      file.styles = { ...file.styles, colors: colors.filter(isKept) }
      file.reason = what
    }
  }
}

const MAX_COLORS = 200

/** The groups of a token, or the first words of a variable: `color.blue`. */
function groupOf(token: TokenPlace | undefined): string {
  const path = [token?.set, token?.path].filter(Boolean).join('.')
  return path.replace(/(?:\.|(?<!\..*)-)[^.]*?$/, '')
}

/** The colours of a table, each told as decided, since a table may have another meaning. */
function stylesOfTable({ shownPath: path, table }: { shownPath: string; table: ValueTable }, notes: Notes) {
  const colors = readValueTable(table)
  for (const { name, fields } of colors.filter(
    ({ fields }) => fields.has('rgb') || parseHex(String(fields.get('hex'))).ok,
  )) {
    const values = Array.from(fields, ([key, value]) => `${key} ${jsonText(value)}`)
    const why = `taken from the table on line ${table.line}, which stays on the page`
    notes.guessed.push({ path, key: name, value: values.join('; '), why })
  }
  const styles: FoundStyles = { colors, types: [], notes: new Map() }
  return colors.length > 0 ? [{ styles, shown: path, line: table.line }] : []
}

/** The notes of a reader: what it left out is lost, what it changed is decided. */
function rowsOf({ notes: found }: FoundStyles, path: string, firstLine: number): Notes {
  const notes = noNotes()
  for (const [message, { subjects, count, listed }] of found) {
    const texts = subjects.map(({ name, value }) => (value === undefined ? name : `${name}: ${value}`))
    const what = message.replace(/; (?:left out|ignored)$/, '')
    const isLost = /left out|ignored/.test(message)
    if (!isLost)
      for (const { name, value = name } of subjects) notes.guessed.push({ path, key: name, value, why: message })
    else if (listed === Number.POSITIVE_INFINITY)
      for (const [at, text] of texts.entries())
        notes.lost.push({ path, line: subjects[at]?.line ?? firstLine, what, text })
    else {
      const more = count > subjects.length ? [`${count - subjects.length} more`] : []
      notes.lost.push({ path, line: subjects[0]?.line ?? firstLine, what, text: [...texts, ...more].join('; ') })
    }
  }
  return notes
}

/** Each style as lost, with the notes of its reader. */
function valuesOf(styles: FoundStyles, path: string): Notes {
  const notes = rowsOf(styles, path, 1)
  for (const { name, fields, token } of [...styles.colors, ...styles.types]) {
    const values = Array.from(fields, ([key, value]) => `${key} ${jsonText(value)}`)
    const text = `${token?.path ?? name}: ${values.join('; ')}`
    const what = isOtherScheme(path) ? 'a value of a second scheme, such as dark' : 'a value of another context'
    notes.lost.push({ path, line: 1, what, text })
  }
  return { ...notes, guessed: [] }
}
