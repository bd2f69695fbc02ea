import { percentDecode } from '#platform/base/text.ts'

/** A folder in a branch of a repository on GitHub, GitLab, Gitea or Forgejo. */
export type Forge = {
  name: 'github' | 'gitlab' | 'gitea'
  /** The address of the host: `https://github.com`. */
  origin: string
  /** The path of the repository: `acme/brand`. */
  repo: string
  branch: string
  /** The brand folder in the repository: `brand/guide`; empty for its root. */
  path: string
}

/**
 * The place that an edit address names: `https://github.com/acme/brand/edit/main/guide/{path}`, or with `/-/edit/` on
 * GitLab, and with `/_edit/` on Gitea and Forgejo. Undefined for other hosts and other forms. Nothing in the address tells a branch with slashes from the folder
 * after it, so the branch has one part.
 */
export function forgeOf(template: string): Forge | undefined {
  if (!URL.canParse(template)) return undefined
  const { origin, hostname, pathname } = new URL(template)
  const known = HOSTS.find(({ host }) => host.test(hostname))
  // A browser encodes the braces of `{path}`.
  const form = known && new RegExp(`^/([^/]+(?:/[^/]+)+?)/${known.edit}/(.+)/%7Bpath%7D$`)
  const [, repo, place] = form?.exec(pathname)?.map(part => percentDecode(part ?? '') ?? '') ?? []
  if (!known || !repo || !place) return undefined
  const [branch = '', ...path] = place.split('/')
  return { name: known.name, origin, repo, branch, path: path.join('/') }
}

/** The path at which a host edits files; undefined for other hosts. */
export function editPathOf(hostname: string): string | undefined {
  return HOSTS.find(({ host }) => host.test(hostname))?.edit
}

/** The hosts by the first part of their name, and the path at which each edits files. */
const HOSTS = [
  { name: 'github', host: /^github\./, edit: 'edit' },
  { name: 'gitlab', host: /^gitlab\./, edit: '-/edit' },
  { name: 'gitea', host: /^(?:gitea|forgejo)\.|^codeberg\.org$/, edit: '_edit' },
] as const
