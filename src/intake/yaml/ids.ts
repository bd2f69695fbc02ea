import { failed, ok } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import {
  isPageId,
  isProjectId,
  isStyleId,
  isWorkspaceId,
  type PageId,
  type ProjectId,
  RESERVED_WORKSPACE_IDS,
  type StyleId,
  type WorkspaceId,
} from '../../brand/ids.ts'
import { slug } from '../../brand/slug.ts'
import type { Reader } from './reader.ts'
import { readName } from './texts.ts'

const SHORT = 'a letter from a to z or a digit, then such letters, digits and single hyphens, 63 characters at most'

export const readWorkspaceId: Reader<WorkspaceId> = pinnedId(isWorkspaceId, SHORT)

export const readProjectId: Reader<ProjectId> = pinnedId(isProjectId, SHORT)

export const readPageId: Reader<PageId> = pinnedId(
  isPageId,
  'lower-case letters, digits and single hyphens, with "/" between parts, at most 255 characters',
)

export const readStyleId: Reader<StyleId> = pinnedId(
  isStyleId,
  'lower-case letters, digits and single hyphens, 200 characters at most',
)

/** Reads a pinned id, which is never changed to make it valid. The problem suggests the intended id, also for the path of a page. */
function pinnedId<Id extends string>(isId: (text: string) => text is Id, form: string): Reader<Id> {
  return node => {
    const name = readName(node)
    if (!name.ok) return name
    const { value } = name
    if (isId(value)) return ok(value)
    const slugs = value
      .replace(/^(?:\.\/)?(?:pages\/)?(.*?)(?:\/index)?\.md$/i, '$1')
      .split('/')
      .map(slug)
      .filter(segment => segment !== '')
      .join('/')
    const fix = RESERVED_WORKSPACE_IDS.includes(value)
      ? 'this id is reserved, so write another'
      : /^-\S/.test(value)
        ? 'write a space after its dash'
        : `write ${isId(slugs) ? quote(slugs) : form}`
    return failed({ rule: 'id-invalid', line: node.line, message: `is ${quote(value)}; ${fix}` })
  }
}
