import { withoutUndefined } from '../base/object.ts'
import type { Problem } from '../brand/finding.ts'
import type { BrandWord } from '../brand/lint-rules.ts'
import { resolvePath } from './pages/link-target.ts'
import type { PageSource } from './pages/pages.ts'
import type { WrittenWord } from './project/lint-keys.ts'
import { missingReference, suggester } from './yaml/references.ts'

/** Resolves the pages of words, which are ids or paths from project.yaml. Reports and omits missing ones. */
export function resolveWords(
  words: readonly WrittenWord[],
  pages: readonly PageSource[],
  problems: Problem[],
): BrandWord[] {
  const index = new Map(pages.map(({ id, source }) => [source.normalize('NFC'), id]))
  for (const { id } of pages) index.set(id, id)
  const suggest = suggester(index.keys())
  return words.map(({ page: reference, ...word }) => {
    if (!reference) return word
    const path = resolvePath('', reference.text.normalize('NFC')) ?? ''
    const page = index.get(path)
    if (page === undefined) {
      const why = 'is neither the id of a page nor its path from project.yaml'
      const missing = { path: path.endsWith('.md') ? path : `pages/${path}.md` }
      problems.push({ ...missingReference('"page"', reference, why, suggest(path)), missing })
    }
    return withoutUndefined({ ...word, page })
  })
}
