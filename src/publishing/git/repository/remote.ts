import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { GitCredentials } from '../program/credentials.ts'
import { explainFailure, type GitProblem, type GitResult, protocolOf } from '../program/git-problem.ts'
import { type GitRunner, runGit } from '../program/run-git.ts'

/** The head of a source in its repository: the full name of the ref, and the hash of its commit or tag. */
export type RemoteRef = {
  name: string
  hash: string
  branch?: string
}

/** Asks the remote for the current head of a source, without fetching anything (decisions/0580). */
export async function remoteRef(
  runner: GitRunner,
  { url, ref }: GitSource,
  credentials: GitCredentials,
): Promise<GitResult<RemoteRef>> {
  const wanted = candidates(ref)
  const listed = await runGit(runner, ['ls-remote', '--quiet', '--symref', '--', url, ...wanted])
  if (!listed.ok) return failed(explainFailure(`read ${url}`, url, listed.problem, credentials))
  const refs = new Map(
    listed.value
      .split('\n')
      .filter(line => LINE.test(line))
      .map(line => pairOf(line)),
  )
  const name = wanted.find(each => refs.has(each))
  const hash = name === undefined ? undefined : refs.get(name)
  if (name === undefined || hash === undefined) return failed(missing(url, ref))
  const branch = groupsOf(BRANCH, name === 'HEAD' ? (groupsOf(SYMREF, listed.value)[1] ?? '') : name)[1]
  return ok({ name, hash, ...withoutUndefined({ branch }) })
}

/**
 * The full names that a ref may have, in the order in which they count: a branch before a tag of the same name. A new
 * repository may have `main`, but no default branch.
 */
function candidates(ref: string | undefined): string[] {
  if (ref === undefined || ref === 'HEAD') return ['HEAD', 'refs/heads/main']
  return ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`]
}

/* Lines of `git ls-remote --symref`: `ref: refs/heads/main<tab>HEAD`, and `45b983…<tab>refs/heads/main`. */
const BRANCH = /^refs\/heads\/(.+)$/
const SYMREF = /^ref: (\S+)\tHEAD$/m
const LINE = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\t\S+$/

function pairOf(line: string): [name: string, hash: string] {
  const [hash = '', name = ''] = line.split('\t')
  return [name, hash]
}

function missing(url: string, ref: string | undefined): GitProblem {
  // A web page is an answer without branches, too.
  const [what, fix] =
    ref === undefined
      ? ['it has no default branch', 'correct the address, or push a branch and name it with --ref']
      : [`it has no branch or tag ${ref}`, 'push it, or name another one with --ref']
  return { code: 'git_ref_missing', message: `cannot pull ${url}: ${what}; ${fix}` }
}

/** The address for editing files on a known host: `https://github.com/acme/brand/edit/main/guide/{path}`. */
export function editTemplate(url: string, branch: string | undefined, folder = ''): string | undefined {
  const { host, path } = webPlace(url)
  const edit = EDIT_PATHS.find(([names]) => names.test(host))?.[1]
  if (edit === undefined || branch === undefined) return undefined
  const parts = [path, edit, encodePath(branch), encodePath(folder), '{path}'].filter(part => part !== '')
  return `https://${host}/${parts.join('/')}`
}

/** The path at which each kind of host edits files, by the first part of its name. */
const EDIT_PATHS = [
  [/^github\./, 'edit'],
  [/^gitlab\./, '-/edit'],
  [/^(?:gitea|forgejo)\.|^codeberg\.org$/, '_edit'],
] as const

/**
 * The host and the path of a repository on the web: `github.com` and `acme/brand` for `git@github.com:acme/brand.git`. A
 * port for ssh is left out.
 */
export function webPlace(url: string): { host: string; path: string } {
  const [, shortHost, shortPath] = (protocolOf(url) === 'ssh' && /^[^/@]+@([^:/]+):(.*)$/.exec(url)) || []
  const { hostname, host, protocol, pathname } = new URL(
    shortHost === undefined ? url : `ssh://${shortHost}/${shortPath}`,
  )
  const path = pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  return { host: (protocol === 'ssh:' ? hostname : host).toLowerCase(), path }
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
