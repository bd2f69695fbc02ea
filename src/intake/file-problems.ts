import type { EDITED_FILES } from '#brand/edit-link.ts'
import { type Problem, RULES } from '#brand/finding.ts'
import { type ReferenceTargets, resolveAppearance } from './appearance.ts'
import { readFilesFile } from './files/files-file.ts'
import { problemsOfPage } from './pages/pages.ts'
import { readProjectFile } from './project/project-file.ts'
import { readColors } from './styles/colors.ts'
import { readTypes } from './styles/types.ts'

type Reader = (text: string, targets: ReferenceTargets) => readonly Problem[]

const READERS: Readonly<Record<'page' | keyof typeof EDITED_FILES, Reader>> = {
  page: problemsOfPage,
  colors: text => readColors(text).problems,
  types: text => readTypes(text).problems,
  files: text => readFilesFile(text).problems,
  project: (text, targets) => {
    const { project: file, problems } = readProjectFile(text)
    resolveAppearance({ project: { file }, report: (_, ...found) => problems.push(...found) }, targets)
    return problems
  },
}

/**
 * The errors in the text of one file, for example before it is saved. `targets` are the parts that project.yaml may refer
 * to; only an import checks other references.
 */
export function errorsIn(kind: keyof typeof READERS, text: string, targets: ReferenceTargets): readonly Problem[] {
  return READERS[kind](text, targets).filter(({ rule }) => RULES[rule].severity === 'error')
}
