import { withoutUndefined } from '../../base/object.ts'
import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import type { PageId, ProjectId } from '../../brand/ids.ts'
import { type Fields, optional, readRootMapping } from '../yaml/fields.ts'
import { readPageId, readProjectId } from '../yaml/ids.ts'
import { about, refuse } from '../yaml/reader.ts'
import { readLanguage, readName, readOneOf } from '../yaml/texts.ts'

const KEYS = ['id', 'name', 'visibility', 'pages', 'revisions', 'lang'] as const

/** What `project.yaml` says; fields that it does not give are absent, `pages` is then empty. */
export type ProjectFile = {
  id?: ProjectId
  name?: string
  visibility?: 'private' | 'public'
  /** The pages that come first, in this order. */
  pages: ListedPage[]
  /** Whether earlier revisions are served beside the published one. */
  revisions?: 'private' | 'served'
  /** The language of its texts, as a BCP 47 tag. */
  lang?: string
}

/** A page id that `pages:` lists, and its line. */
type ListedPage = { id: PageId; line: number }

/** Reads `project.yaml`. */
export function readProjectFile(text: string): { project: ProjectFile; problems: Problem[] } {
  const { fields, problems } = readRootMapping(text, 'project.yaml', KEYS)
  if (fields === undefined) return { project: { pages: [] }, problems }
  const pages = readPages(fields)
  const rest = withoutUndefined({
    id: optional(fields, 'id', readProjectId),
    name: optional(fields, 'name', readName),
    visibility: optional(fields, 'visibility', readOneOf(['private', 'public'])),
    revisions: optional(fields, 'revisions', readOneOf(['private', 'served'])),
    lang: optional(fields, 'lang', readLanguage),
  })
  return { project: { ...rest, pages }, problems }
}

function readPages({ entries, problems }: Fields<(typeof KEYS)[number]>): ListedPage[] {
  const node = entries.get('pages')?.value
  if (node === undefined) return []
  if (node.kind !== 'list') {
    problems.push(about('"pages"', refuse(node, 'write a list of page ids, as in [index, logo]')))
    return []
  }
  const pages = new Map<PageId, number>()
  for (const item of node.items) {
    const id = readPageId(item)
    if (!id.ok) {
      problems.push(about('an entry of "pages"', id))
      continue
    }
    const first = pages.get(id.value)
    if (first === undefined) {
      pages.set(id.value, item.line)
    } else {
      const message = `"pages" lists ${quote(id.value)} here and on line ${first}; keep one of the two`
      problems.push({ rule: 'value-invalid', line: item.line, message })
    }
  }
  return Array.from(pages, ([id, line]) => ({ id, line }))
}
