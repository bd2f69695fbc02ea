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

/** Reads the pinned id of a workspace. */
export const readWorkspaceId: Reader<WorkspaceId> = pinnedId(isWorkspaceId, SHORT)

/** Reads the pinned id of a project. */
export const readProjectId: Reader<ProjectId> = pinnedId(isProjectId, SHORT)

/** Reads the id of a page. */
export const readPageId: Reader<PageId> = pinnedId(isPageId, 'slugs with "/" between them, 255 characters at most')

/** Reads the pinned id of a style. */
export const readStyleId: Reader<StyleId> = pinnedId(
  isStyleId,
  'lower-case letters, digits and single hyphens, 200 characters at most',
)

/** A pinned id is never changed to make it valid. The problem suggests the id that was probably meant. */
function pinnedId<Id extends string>(isId: (text: string) => text is Id, form: string): Reader<Id> {
  return node => {
    const name = readName(node)
    if (!name.ok) return name
    const { value } = name
    if (isId(value)) return ok(value)
    const slugs = value
      .split('/')
      .map(slug)
      .filter(segment => segment !== '')
      .join('/')
    const fix = RESERVED_WORKSPACE_IDS.includes(value)
      ? 'the service keeps this one for itself, write another'
      : `write ${isId(slugs) ? quote(slugs) : form}`
    return failed({ rule: 'id-invalid', line: node.line, message: `is ${quote(value)}; ${fix}` })
  }
}
