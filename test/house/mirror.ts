import { basename } from 'node:path/posix'
import type { Source } from './rooms.ts'

/** Tests in the folder of a room that test no file of that room; `x.corpus.test.ts` is a second test of `x.ts`. */
export function strayTests(tests: readonly string[], sources: readonly string[]): string[] {
  const ideas = new Set(sources.map(path => ideaOf(path)))
  const rooms = new Set(sources.map(path => path.split('/')[1]))
  return tests
    .filter(path => rooms.has(path.split('/')[1]) && !ideas.has(ideaOf(path)))
    .map(path => `${path} tests no file of src: give it the name of the file that it tests`)
}

/** Files of src with code in them that neither have a test of their name nor are in the list of what covers them. */
export function untested(
  sources: readonly Source[],
  tests: readonly string[],
  coveredBy: Readonly<Record<string, string>>,
): string[] {
  const ideas = new Set(tests.map(ideaOf))
  return sources
    .filter(source => hasCode(source) && !ideas.has(ideaOf(source.path)) && !Object.hasOwn(coveredBy, source.path))
    .map(({ path }) => `${path} has no test of its name: write one, or name the test that covers it in COVERED_BY`)
}

/** Entries of that list that are of no use: the file or the test is gone, or the file needs no entry. */
export function idleEntries(
  sources: readonly Source[],
  tests: readonly string[],
  coveredBy: Readonly<Record<string, string>>,
): string[] {
  const ideas = new Set(tests.map(ideaOf))
  return Object.entries(coveredBy).flatMap(([path, test]) => {
    const source = sources.find(source => source.path === path)
    if (!source) return [`COVERED_BY names ${path}, which is gone`]
    if (!tests.includes(test)) return [`COVERED_BY names ${test}, which is gone, for ${path}`]
    if (hasCode(source) && !ideas.has(ideaOf(path))) return []
    return [`COVERED_BY names ${path}, which needs no entry: it has a test of its name, or types alone`]
  })
}

/** The path of a file within src or test, without its extensions. */
function ideaOf(path: string): string {
  const place = path.replace(/^(?:src|test)\//, '')
  const name = basename(place)
  return place.slice(0, place.length - name.length) + name.split('.')[0]
}

/** Whether something of a file is left when its types are gone. */
function hasCode({ path, text }: Source): boolean {
  return (
    path.endsWith('.ts') &&
    !path.endsWith('.d.ts') &&
    /^(?:export )?(?:async )?(?:function|const|let|class)\b/m.test(text)
  )
}
