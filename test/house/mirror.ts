import { basename } from 'node:path/posix'
import type { Source } from './modules.ts'

/** Tests in a module's folder without a source file of the same name; `x.corpus.test.ts` is a second test of `x.ts`. */
export function findStrayTests(tests: readonly string[], sources: readonly string[]): string[] {
  const subjects = new Set(sources.map(path => subjectOf(path)))
  const modules = new Set(sources.map(path => path.split('/')[1]))
  return tests
    .filter(path => modules.has(path.split('/')[1]) && !subjects.has(subjectOf(path)))
    .map(path => `${path} matches no file of src: name it after the file that it tests`)
}

/** Files of src that contain code and have neither a test of the same name nor an entry in `coveredBy`. */
export function findUntested(
  sources: readonly Source[],
  tests: readonly string[],
  coveredBy: Readonly<Record<string, string>>,
): string[] {
  const subjects = new Set(tests.map(subjectOf))
  return sources
    .filter(
      source => hasCode(source) && !subjects.has(subjectOf(source.path)) && !Object.hasOwn(coveredBy, source.path),
    )
    .map(({ path }) => `${path} has no test of the same name: write one, or list the test that covers it in COVERED_BY`)
}

/** Entries that name a missing file or test, or a file that needs no entry. */
export function findUnneededEntries(
  sources: readonly Source[],
  tests: readonly string[],
  coveredBy: Readonly<Record<string, string>>,
): string[] {
  const subjects = new Set(tests.map(subjectOf))
  return Object.entries(coveredBy).flatMap(([path, test]) => {
    const source = sources.find(source => source.path === path)
    if (!source) return [`COVERED_BY names ${path}, which does not exist`]
    if (!tests.includes(test)) return [`COVERED_BY names ${test} for ${path}, but the test does not exist`]
    if (hasCode(source) && !subjects.has(subjectOf(path))) return []
    return [`COVERED_BY names ${path}, which needs no entry: it has a test of the same name, or only types`]
  })
}

/** The path of a file within src or test, without its extensions. */
function subjectOf(path: string): string {
  const inner = path.replace(/^(?:src|test)\//, '')
  const name = basename(inner)
  return inner.slice(0, inner.length - name.length) + name.split('.')[0]
}

/** Whether a file contains more than types. */
function hasCode({ path, text }: Source): boolean {
  return (
    path.endsWith('.ts') &&
    !path.endsWith('.d.ts') &&
    /^(?:export )?(?:async )?(?:function|const|let|class)\b/m.test(text)
  )
}
