import { quote } from '../base/text.ts'
import type { BrandFile } from '../brand/file.ts'
import type { Problem } from '../brand/finding.ts'
import type { ReadFile } from './files/files.ts'
import { type Findings, problem } from './folder/findings.ts'
import type { PageSource } from './pages/pages.ts'
import { type IdentifiedProject, inFolder } from './project/project-folder.ts'
import type { WrittenStyles } from './styles/styles.ts'
import { advice } from './yaml/nearest.ts'
import { type Reference, suggester } from './yaml/references.ts'

/** What a translation has from its original, and compares with it. */
export type Original = {
  styles: WrittenStyles
  /** The paths of all files, including unreadable ones. */
  paths: readonly string[]
  read: readonly ReadFile[]
  files: readonly BrandFile[]
  sources: readonly PageSource[]
}

const NO_STYLES: WrittenStyles = { colors: [], colorLines: [], types: [] }
export const NOTHING: Original = { styles: NO_STYLES, paths: [], read: [], files: [], sources: [] }

/** Reports each translation whose original is missing or wrong. */
export function checkOriginals(projects: readonly IdentifiedProject[], findings: Findings): void {
  const byId = new Map(projects.map(project => [project.id.toString(), project]))
  const suggest = suggester(byId.keys())
  for (const { id, folder, file } of projects) {
    const { translationOf: written, lang } = file
    if (!written) continue
    const original = byId.get(written.text)
    const found =
      original && original.id !== id
        ? originalProblem(file, written, original)
        : wrong(written, `is not another project of this folder; ${advice(suggest(written.text), 'correct it')}`)
    const unnamed = lang === undefined ? [wrong(written, 'needs the language of the translation: add "lang"')] : []
    findings.add(id, inFolder(folder, 'project.yaml'), ...[found ?? [], unnamed].flat())
  }
}

/** Each translation after its original, with which it is read and published. */
export function originalsFirst(projects: readonly IdentifiedProject[]): IdentifiedProject[] {
  const isTranslation = ({ file }: IdentifiedProject) => Number(file.translationOf !== undefined)
  return projects.toSorted((a, b) => isTranslation(a) - isTranslation(b))
}

function originalProblem(
  { visibility }: IdentifiedProject['file'],
  written: Reference,
  original: IdentifiedProject,
): Problem | undefined {
  const { translationOf, visibility: originalVisibility } = original.file
  if (translationOf) return wrong(written, `is itself a translation; name its original, ${quote(translationOf.text)}`)
  if (visibility !== 'public' || originalVisibility === 'public') return undefined
  const message = `the project is public, but its original ${original.id} is private: make both public, or both private`
  return problem('translation-public', message, written.line)
}

function wrong({ text, line }: Reference, why: string): Problem {
  return problem('translation-original', `"translationOf" is ${quote(text)}, which ${why}`, line)
}

/** Its own styles, and those of its original for each list that it leaves out. */
export function stylesWith(own: WrittenStyles, { styles }: Original): WrittenStyles {
  const { colors, colorLines } = own.colors.length > 0 ? own : styles
  return { colors, colorLines, types: own.types.length > 0 ? own.types : styles.types }
}
