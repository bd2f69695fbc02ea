declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** The id of a workspace: 1 to 63 characters of `a-z 0-9 -`, not starting with a hyphen, and not a reserved word. */
export type WorkspaceId = Branded<'WorkspaceId'>
/** The id of a project within its workspace: 1 to 63 characters of `a-z 0-9 -`, not starting with a hyphen. */
export type ProjectId = Branded<'ProjectId'>
/** The id of a page within its project: slugs joined by `/`, at most 255 characters. */
export type PageId = Branded<'PageId'>
/** The id of a colour or a type style within its list: a slug of at most 200 characters. */
export type StyleId = Branded<'StyleId'>
/** The SHA-256 of some bytes, as 64 lower-case hex digits. */
export type Hash = Branded<'Hash'>

/** The ids of a project, which may not exist. */
export type ProjectRef = { workspace: string; project: string }

/** Only the ids of something that names a project. */
export function refOf({ workspace, project }: ProjectRef): ProjectRef {
  return { workspace, project }
}

/** A workspace, or one of its projects. */
export type PlaceRef = { workspace: string; project?: string | undefined }

/** `acme/guidelines`, or `acme`. */
export function placeText({ workspace, project }: PlaceRef): string {
  return project === undefined ? workspace : `${workspace}/${project}`
}

/** Ids reserved after the first release; some stores already have such workspaces. */
const RESERVED_LATER: readonly string[] = ['mcp', 'events', 'hooks', 'schemas']
const RESERVED_FIRST = ['beta', 'docs', 'oauth', 'metrics', 'healthz', 'readyz', 'revision', 'assets']

/** Ids that a new workspace must not have: the service uses, or will use, these names in addresses. */
export const RESERVED_WORKSPACE_IDS: readonly string[] = [...RESERVED_FIRST, ...RESERVED_LATER]

/** Whether a string is valid as the id of a new workspace. */
export function isWorkspaceId(text: string): text is WorkspaceId {
  return isShortId(text) && !RESERVED_WORKSPACE_IDS.includes(text)
}

/** Whether a string is valid as the id of a stored workspace, which may be older than the reservation of its id. */
export function isStoredWorkspaceId(text: string): text is WorkspaceId {
  return isWorkspaceId(text) || RESERVED_LATER.includes(text)
}

export function isProjectId(text: string): text is ProjectId {
  return isShortId(text)
}

export function isPageId(text: string): text is PageId {
  return text.length <= 255 && text.split('/').every(isSlug)
}

export function isStyleId(text: string): text is StyleId {
  return text.length <= 200 && isSlug(text)
}

export function isHash(text: string): text is Hash {
  return /^[0-9a-f]{64}$/.test(text)
}

function isShortId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(text) && isSlug(text)
}

/** The regular expression is a fast path for common slugs. */
function isSlug(text: string): boolean {
  return PLAIN_SLUG.test(text) || (text !== '' && slug(text) === text)
}

const PLAIN_SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/**
 * Makes an address segment from a name: NFKD, without combining marks, `ß` as `ss`, in lower case, one `-` for each run
 * of other characters than letters and digits, no `-` at the ends, NFC. Empty if the name has no letter or digit.
 */
export function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßẞ]/g, 'ss')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{Nd}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .normalize('NFC')
}
