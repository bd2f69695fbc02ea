/** The path of a draft below the address of its project. No page has it, because page ids begin with a letter or digit. */
export const DRAFT_PATH = '/-/draft'

/** The path of the same content in the published guide, for a path at or below a draft; undefined for any other path. */
export function publishedPath(path: string): string | undefined {
  const [, project, below = ''] = BELOW_DRAFT.exec(path) ?? []
  return project === undefined ? undefined : project + below
}

const BELOW_DRAFT = /^(\/[^/]+\/[^/]+)\/-\/draft((?:\/|\.md$).*)?$/s
