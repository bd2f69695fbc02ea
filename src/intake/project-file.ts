import type { Remark } from '../brand/finding.ts'
import type { PageId, ProjectId } from '../brand/ids.ts'
import { present } from '../brand/present.ts'
import { quote } from '../brand/quote.ts'
import { type Fields, take } from './fields.ts'
import { readPageId, readProjectId } from './pinned-id.ts'
import { about, refuse } from './reading.ts'
import { readRootMapping } from './root-mapping.ts'
import { readLanguage, readName, readOneOf } from './texts.ts'

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
export function readProjectFile(text: string): { project: ProjectFile; remarks: Remark[] } {
  const { fields, remarks } = readRootMapping(text, 'project.yaml', KEYS)
  if (fields === undefined) return { project: { pages: [] }, remarks }
  const pages = readPages(fields)
  const rest = present({
    id: take(fields, 'id', readProjectId),
    name: take(fields, 'name', readName),
    visibility: take(fields, 'visibility', readOneOf(['private', 'public'])),
    revisions: take(fields, 'revisions', readOneOf(['private', 'served'])),
    lang: take(fields, 'lang', readLanguage),
  })
  return { project: { ...rest, pages }, remarks }
}

function readPages({ entries, remarks }: Fields<(typeof KEYS)[number]>): ListedPage[] {
  const node = entries.get('pages')?.value
  if (node === undefined) return []
  if (node.kind !== 'list') {
    remarks.push(about('"pages"', refuse(node, 'write a list of page ids, as in [index, logo]')))
    return []
  }
  const pages = new Map<PageId, number>()
  for (const item of node.items) {
    const reading = readPageId(item)
    const first = 'value' in reading ? pages.get(reading.value) : undefined
    if ('remark' in reading) {
      remarks.push(about('an entry of "pages"', reading))
    } else if (first !== undefined) {
      const message = `"pages" lists ${quote(reading.value)} here and on line ${first}; keep one of the two`
      remarks.push({ rule: 'value-invalid', line: item.line, message })
    } else {
      pages.set(reading.value, item.line)
    }
  }
  return Array.from(pages, ([id, line]) => ({ id, line }))
}
