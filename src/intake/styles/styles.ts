import type { Dirent } from 'node:fs'
import type { Color } from '#brand/color.ts'
import { filename } from '#brand/file.ts'
import type { Problem, StyleList } from '#brand/finding.ts'
import { breakingFindings, collectFindings, problem } from '../folder/findings.ts'
import { listMeant, misplacedList, unreadStyleFiles } from '../folder/near-misses.ts'
import { readEntries } from '../folder/open-folder.ts'
import { readTextFile } from '../folder/text-file.ts'
import type { WalkedFile } from '../folder/walk.ts'
import { hasFile, hasPart, inFolder } from '../project/project-folder.ts'
import type { ProjectReading } from '../reading.ts'
import { readColors } from './colors.ts'
import { readTypes, type WrittenTypeStyle } from './types.ts'

/** The styles of a project, in the order of their files, and the line of each colour. */
export type WrittenStyles = { colors: Color[]; colorLines: readonly number[]; types: WrittenTypeStyle[] }

/** Reads the styles of a project, and reports everything else in `styles/`, and lists of styles elsewhere. */
export async function readStyles(reading: ProjectReading, files: readonly WalkedFile[]): Promise<WrittenStyles> {
  const { root, project, findings, report } = reading
  const hasStyles = hasPart(project.folder, 'styles')
  const path = inFolder(project.folder, 'styles')
  // Undefined if the folder cannot be read.
  const entries = hasStyles ? await readEntries(root, path, project.id, findings) : []
  if (!entries) return { colors: [], colorLines: [], types: [] }
  const names = entries.map(({ name }) => name)
  for (const [name, each] of unreadStyleFiles(names)) report(`styles/${name}`, each)
  reportMisplaced(reading, names, files)
  const colors = hasStyles ? readList(reading, 'styles/colors.yaml', entries, colorsIn) : []
  const types = hasStyles ? readList(reading, 'styles/types.yaml', entries, typesIn) : []
  return { colors: colors.map(({ color }) => color), colorLines: colors.map(({ line }) => line), types }
}

/** Reports lists of styles in the folder of the project; and under files/ and pages/ instead of a missing list. */
function reportMisplaced(
  { root, project, report }: ProjectReading,
  names: readonly string[],
  files: readonly WalkedFile[],
): void {
  const { folder } = project
  const exists = (list: StyleList) => names.includes(list.slice('styles/'.length))
  for (const { name } of folder.entries.filter(entry => entry.isFile())) {
    const list = listMeant(name)
    if (list) report(name, misplacedList(name, list, exists(list)))
  }
  for (const { path } of files) {
    const list = listMeant(filename(path))
    if (!list || exists(list)) continue
    // Only a file that has styles is meant as their list. Other problems with it do not matter.
    const text = readTextFile(root, path, project.id, collectFindings(), true) ?? ''
    const { styles } = list === 'styles/colors.yaml' ? colorsIn(text) : typesIn(text)
    const projectPath = path.slice(inFolder(folder, '').length)
    if (styles.length > 0) report(projectPath, misplacedList(projectPath, list, false))
  }
}

type ReadStyles<Style> = { styles: Style[]; problems: Problem[] }

function colorsIn(text: string): ReadStyles<{ color: Color; line: number }> {
  const { colors, lines, problems } = readColors(text)
  return { styles: colors.map((color, at) => ({ color, line: lines[at] ?? 1 })), problems }
}

function typesIn(text: string): ReadStyles<WrittenTypeStyle> {
  const { types, problems } = readTypes(text)
  return { styles: types, problems }
}

/** Reads one list of styles, and reports an empty or too long one. Empty, with a finding, if it cannot be read. */
function readList<Style>(
  { root, project, findings, report, options }: ProjectReading,
  list: StyleList,
  entries: readonly Dirent[],
  read: (text: string) => ReadStyles<Style>,
): Style[] {
  const breaks = { paths: [list] }
  const isListed = hasFile(entries, list.slice('styles/'.length))
  const broken = breakingFindings(findings, list)
  const text = readTextFile(root, inFolder(project.folder, list), project.id, broken, isListed)
  if (text === undefined) return []
  const { styles, problems } = read(text)
  report(list, ...problems)
  if (styles.length + problems.length === 0) report(list, { ...problem('styles-empty', EMPTY), breaks })
  const { maxItems } = options.caps
  if (styles.length <= maxItems) return styles
  const message = `the file has ${styles.length} styles, more than the limit of ${maxItems}: split the project, or raise --max-items`
  report(list, { ...problem('too-many', message), breaks })
  return []
}

const EMPTY =
  'the list is empty, but other files of the project refer to it: add the styles that they name, or remove those references'
