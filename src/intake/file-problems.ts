import type { EDITED_FILES } from '#brand/edit-link.ts'
import { type Problem, RULES } from '#brand/finding.ts'
import { readFilesFile } from './files/files-file.ts'
import { problemsOfPage } from './pages/pages.ts'
import { readProjectFile } from './project/project-file.ts'
import { readColors } from './styles/colors.ts'
import { readTypes } from './styles/types.ts'

const READERS: Readonly<Record<'page' | keyof typeof EDITED_FILES, (text: string) => readonly Problem[]>> = {
  page: problemsOfPage,
  colors: text => readColors(text).problems,
  types: text => readTypes(text).problems,
  files: text => readFilesFile(text).problems,
  project: text => readProjectFile(text).problems,
}

/** The errors of a file by itself; what depends on other files is found by an import. */
export function errorsIn(kind: keyof typeof READERS, text: string): readonly Problem[] {
  return READERS[kind](text).filter(({ rule }) => RULES[rule].severity === 'error')
}
