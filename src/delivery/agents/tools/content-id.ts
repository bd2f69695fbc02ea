import { groupsOf } from '#platform/base/text.ts'
export const KINDS = ['page', 'color', 'type', 'file'] as const
export type Kind = (typeof KINDS)[number]

/** An id such as `color:guidelines/ink`, `page:guidelines/logo#clear-space` or `page:guidelines/logo@21000`. */
export type ContentId = { kind: Kind | undefined; project: string; name: string; anchor: string; offset: number }

/** Writes an id. It names its project, so that it is valid in every call of one server. */
export function contentId(kind: Kind, project: string, name: string, { anchor = '', offset = 0 } = {}): string {
  return `${kind}:${project}/${name}${anchor && `#${anchor}`}${offset === 0 ? '' : `@${offset}`}`
}

/** Reads an id, also without its kind. Undefined if it has no project and name. */
export function parseContentId(id: string): ContentId | undefined {
  const [, name, project, rest] = groupsOf(/^(?:([a-z]+):)?\/?([^/#@]+)\/(.+)$/s, id)
  if (project === undefined || rest === undefined) return undefined
  const kind = KINDS.find(each => each === name)
  if (name !== undefined && kind === undefined) return undefined
  if (kind !== undefined && kind !== 'page') return { kind, project, name: rest, anchor: '', offset: 0 }
  const [, page = '', anchor = '', offset = '0'] = groupsOf(/^([^#]*?)(?:#(.*?))?(?:@(\d{1,9}))?$/s, rest)
  return { kind, project, name: page, anchor, offset: Number(offset) }
}
