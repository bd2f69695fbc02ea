import { shellWord } from '../../base/text.ts'
import type { Finding } from '../../brand/finding.ts'
import type { ImportResult } from '../../publishing/import/import.ts'
import type { PublishResult } from '../../publishing/publish.ts'
import { visible } from './text.ts'

/* What to do next, as a line each. */

/** If a store holds no project; `place` is what people call its place. */
export function emptyStore(place: string): string {
  return `the store ${visible(place)} holds no project yet: housestyle import <folder>, or begin with housestyle init acme\n`
}

/** After a folder was checked. */
export function afterCheck(findings: readonly Finding[], folder: string): string {
  const name = shellWord(visible(folder))
  if (findings.some(({ rule }) => rule === 'no-project')) return BEGIN
  if (findings.some(({ severity }) => severity === 'error'))
    return `next: correct the errors, and run housestyle check ${name} again\n`
  return `next: housestyle dev ${name} shows it while you write, housestyle import ${name} takes it into the store\n`
}

/** After an import. */
export function afterImport({ workspace, projects, findings }: ImportResult, folder: string): string {
  const imported = projects.filter(project => project.imported)
  const hasError = findings.some(({ severity }) => severity === 'error')
  if (workspace === null || hasError || imported.length === 0) return afterCheck(findings, folder)
  if (!imported.some(({ changed }) => changed)) return 'next: housestyle status shows what is published\n'
  const refs = imported.map(({ project }) => `${workspace}/${project}`)
  return `next: housestyle publish ${refs.length > MAX_REFS ? '--all' : refs.join(' ')}\n`
}

/** After a publication. */
export function afterPublish(results: readonly PublishResult[]): string {
  const [first] = results
  return first ? `next: housestyle serve, and for readers housestyle share ${first.workspace}/${first.project}\n` : ''
}

const BEGIN = 'next: housestyle init acme writes a small brand folder to start from\n'
const MAX_REFS = 5
