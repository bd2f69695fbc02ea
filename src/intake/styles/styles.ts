import type { Dirent } from 'node:fs'
import type { Color } from '../../brand/color.ts'
import type { Problem, StyleList } from '../../brand/finding.ts'
import { breakingFindings, problem } from '../folder/findings.ts'
import { unreadStyleFiles } from '../folder/near-misses.ts'
import { readEntries } from '../folder/open-folder.ts'
import { readTextFile } from '../folder/text-file.ts'
import { hasFile, hasPart, inFolder } from '../project/project-folder.ts'
import type { ProjectReading } from '../reading.ts'
import { readColors } from './colors.ts'
import { readTypes, type WrittenTypeStyle } from './types.ts'

/** The styles of a project, in the order of their files, and the line of each colour. */
export type WrittenStyles = { colors: Color[]; colorLines: readonly number[]; types: WrittenTypeStyle[] }

/** Reads the styles of a project, and reports everything else in `styles/`. */
export async function readStyles(reading: ProjectReading): Promise<WrittenStyles> {
  const { root, project, findings } = reading
  if (!hasPart(project.folder, 'styles')) return NONE
  const entries = await readEntries(root, inFolder(project.folder, 'styles'), project.id, findings)
  if (!entries) return NONE
  const names = entries.map(({ name }) => name)
  for (const [name, each] of unreadStyleFiles(names))
    findings.add(project.id, inFolder(project.folder, `styles/${name}`), each)
  const colors = readList(reading, 'styles/colors.yaml', entries, text => {
    const { colors, lines, problems } = readColors(text)
    return { styles: colors.map((color, at) => ({ color, line: lines[at] ?? 1 })), problems }
  })
  const types = readList(reading, 'styles/types.yaml', entries, text => {
    const { types, problems } = readTypes(text)
    return { styles: types, problems }
  })
  return { colors: colors.map(({ color }) => color), colorLines: colors.map(({ line }) => line), types }
}

const NONE: WrittenStyles = { colors: [], colorLines: [], types: [] }

function readList<Style>(
  { root, project, findings, options }: ProjectReading,
  list: StyleList,
  entries: readonly Dirent[],
  read: (text: string) => { styles: Style[]; problems: Problem[] },
): Style[] {
  const path = inFolder(project.folder, list)
  const broken = breakingFindings(findings, list)
  const isListed = hasFile(entries, list.slice('styles/'.length))
  const text = readTextFile(root, path, project.id, broken, isListed)
  if (text === undefined) return []
  const { styles, problems } = read(text)
  findings.add(project.id, path, ...problems)
  if (styles.length + problems.length === 0) broken.add(project.id, path, problem('styles-empty', EMPTY))
  const { maxItems } = options.caps
  if (styles.length <= maxItems) return styles
  const message = `the file has ${styles.length} styles, more than the limit of ${maxItems}: split the project, or raise --max-items`
  broken.add(project.id, path, problem('too-many', message))
  return []
}

const EMPTY =
  'the list is empty, but other files of the project refer to it: add the styles that they name, or remove those references'
