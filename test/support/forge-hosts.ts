import { createHash } from 'node:crypto'
import type { Route } from 'playwright-core'
import type { Forge } from '#brand/forge.ts'

/** A branch of a repository at a host that an organisation runs itself, in memory. */
export type ForgeRepository = {
  forge: Forge
  files: Map<string, string>
  /** The files of the branches with proposals. */
  proposals: Map<string, Map<string, string>>
  /** The paths that each commit through the API changed. */
  commits: string[][]
  /** Changes a file as somebody else who pushes; undefined removes it. */
  push: (path: string, text: string | undefined) => void
  /** The tokens that the host takes, with the person of each. */
  tokens: Map<string, string>
  /** Answers requests of a browser as the host would; unknown addresses get 404. */
  answer: (route: Route) => Promise<void>
}

type Call = { method: string; path: string; query: URLSearchParams; body: unknown; login: string }
type Answer = { status?: number; json?: unknown }
type Host = (repository: Omit<ForgeRepository, 'answer'> & { head: () => string }, call: Call) => Answer | undefined

/** Starts a host with the addresses of GitHub Enterprise Server, GitLab or Gitea. */
export function forgeRepository(name: Forge['name'], files: Readonly<Record<string, string>>): ForgeRepository {
  let revision = 0
  const commits: string[][] = []
  const repository = {
    forge: { name, origin: `https://${name}.example.com`, repo: 'acme/brand', branch: 'main', path: '' },
    files: new Map(Object.entries(files)),
    proposals: new Map<string, Map<string, string>>(),
    commits,
    tokens: new Map([
      ['token-ada', 'Ada'],
      ['token-bob', 'Bob'],
    ]),
    push: (path: string, text: string | undefined) => {
      revision++
      if (text === undefined) repository.files.delete(path)
      else repository.files.set(path, text)
    },
    head: () => shaOf(`commit ${revision}`),
  }
  const answer = async (route: Route) => {
    const request = route.request()
    const { pathname, searchParams } = new URL(request.url())
    const token = (request.headers().authorization ?? '').split(' ')[1] ?? ''
    const login = repository.tokens.get(token)
    const method = request.method()
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-allow-methods': '*',
    }
    if (method === 'OPTIONS') return route.fulfill({ status: 204, headers })
    if (!login) return route.fulfill({ status: 401, headers, json: { message: 'Bad credentials' } })
    const body: unknown = JSON.parse(request.postData() ?? 'null')
    const call = { method, path: pathname, query: searchParams, body, login }
    const { status = 200, json } = HOSTS[name](repository, call) ?? { status: 404, json: { message: 'Not Found' } }
    return route.fulfill({ status, headers, ...(json !== undefined && { json }) })
  }
  return { ...repository, answer }
}

const DATE = '2026-01-02T12:03:00Z'
const shaOf = (text: string) => createHash('sha1').update(text).digest('hex')
const decode = (base64: string) => Buffer.from(base64, 'base64').toString()

// biome-ignore lint/suspicious/noExplicitAny: the body of a request is whatever the library sends
type Body = any

const personOf = (login: string) => ({
  id: 7,
  login,
  username: login,
  name: login,
  email: `${login}@acme.test`,
  full_name: login,
})

const github: Host = (repository, { method, path, body, login }) => {
  const root = '/api/v3/repos/acme/brand'
  if (path === '/api/v3/user') return { json: personOf(login) }
  if (path === `${root}/collaborators/${login}`) return { status: 204 }
  if (path.startsWith(`${root}/git/trees/`)) return { json: { tree: treeOf(repository.files) } }
  if (path === `${root}/pulls` || path.startsWith(`${root}/issues/`)) return { json: PULL_REQUEST }
  if (method !== 'POST' || path !== '/api/graphql') return undefined
  const { query, variables }: Body = body
  if (/^\s*query/.test(query)) return { json: { data: githubData(repository, body) } }
  return query.includes('createCommitOnBranch')
    ? githubCommit(repository, variables.input)
    : githubBranch(repository, variables.input)
}

const PULL_REQUEST = { number: 1, node_id: 'PR', title: 'A change', created_at: DATE, updated_at: DATE, labels: [] }

function githubBranch({ files, proposals }: Parameters<Host>[0], { name }: Body): Answer {
  const branch = name?.replace('refs/heads/', '')
  if (branch === undefined) return { json: { data: {} } }
  if (proposals.has(branch)) return { json: { errors: [{ message: 'A ref with this name already exists' }] } }
  proposals.set(branch, new Map(files))
  return { json: { data: { createRef: { ref: { name } } } } }
}

function githubCommit(repository: Parameters<Host>[0], { expectedHeadOid, fileChanges, branch }: Body): Answer {
  const proposal = repository.proposals.get(branch.branchName)
  if (expectedHeadOid !== headOf(repository, branch.branchName))
    return { json: { errors: [{ message: 'Expected branch to point to another commit' }] } }
  for (const { path } of fileChanges.deletions ?? []) repository.push(path, undefined)
  const additions = fileChanges.additions.map(({ path, contents }: Body) => [path, decode(contents)])
  for (const [path, text] of proposal ? additions : []) proposal?.set(path, text)
  const oid = proposal ? headOf(repository, branch.branchName) : commit(repository, additions)
  return { json: { data: { createCommitOnBranch: { commit: { oid, committedDate: DATE, ...blobs(additions) } } } } }
}

/** A branch of a proposal has a head for each of its contents. */
function headOf({ files, proposals, head }: Parameters<Host>[0], branch: string): string {
  const proposal = proposals.get(branch)
  const text = JSON.stringify([...(proposal ?? [])])
  return proposal && text !== JSON.stringify([...files]) ? shaOf(text) : head()
}

function githubData(repository: Parameters<Host>[0], { query, variables }: Body): object {
  const { files, proposals } = repository
  if (query.includes('fork: repository'))
    return { fork: { id: 'R' }, base: { ref: { target: { oid: headOf(repository, '') } } } }
  const oid = headOf(repository, variables.branch ?? '')
  const author = { name: 'Ada', email: '', user: null }
  const history = { nodes: [{ oid, message: 'A change', author, committedDate: DATE }] }
  const nodes = Array.from(proposals, ([branch, changed], at) => {
    const paths = [...changed.keys()].filter(path => changed.get(path) !== files.get(path))
    return {
      id: 'PR',
      number: at + 1,
      title: 'A change',
      isDraft: true,
      headRefName: branch,
      createdAt: DATE,
      updatedAt: DATE,
      labels: { nodes: [{ name: 'sveltia-cms/draft' }] },
      files: { nodes: paths.map(path => ({ path, changeType: 'MODIFIED' })) },
    }
  })
  const texts = new Map([...files.values()].map(text => [shaOf(text), text]))
  const answers = Array.from(
    query.matchAll(/(content|commit|file)_(\d+): ?(?:\s*object\((?:oid|expression): "([^"]+)"\))?/g),
    ([, kind, at, name = '']: Body) => {
      if (kind === 'commit') return [`${kind}_${at}`, { target: { history } }]
      const [branch, path] = name.split(':')
      const text = kind === 'content' ? texts.get(name) : proposals.get(branch)?.get(path)
      const blob =
        text === undefined
          ? null
          : { oid: shaOf(text), text, byteSize: text.length, isBinary: false, isTruncated: false }
      return [`${kind}_${at}`, blob]
    },
  )
  const pullRequests = { nodes, totalCount: nodes.length }
  return { repository: { ref: { target: { history } }, pullRequests, ...Object.fromEntries(answers) } }
}

const gitlab: Host = (repository, { method, path, query, body, login }) => {
  const { files, head } = repository
  const project = '/api/v4/projects/acme%2Fbrand'
  if (path === '/api/v4/user') return { json: personOf(login) }
  if (path === `${project}/users`) return { json: [personOf(login)] }
  if (path.startsWith(`${project}/repository/files/`)) return { json: { last_commit_id: query.get('ref') } }
  if (path === `${project}/repository/commits` && method === 'POST') {
    const { actions }: Body = body
    const isMissing = ({ action, file_path: place }: Body) => (action === 'create') === files.has(place)
    if (actions.some(isMissing))
      return { status: 400, json: { message: 'A file with this name does not fit the action' } }
    if (actions.some(({ last_commit_id: last }: Body) => last !== undefined && last !== head()))
      return {
        status: 400,
        json: { message: 'You are attempting to update a file that has changed since you started editing it.' },
      }
    return {
      json: {
        id: commit(
          repository,
          actions.map(({ file_path: place, content }: Body) => [place, content]),
        ),
        committed_date: DATE,
      },
    }
  }
  if (path !== '/api/graphql') return undefined
  const { query: text, variables }: Body = body
  const nodes = text.includes('rawTextBlob')
    ? variables.paths.map((place: string) => ({ rawTextBlob: files.get(place) }))
    : treeOf(files)
  const blobsOf = { nodes, pageInfo: { endCursor: '', hasNextPage: false } }
  const tree = { lastCommit: { sha: head(), message: 'A change' }, blobs: blobsOf }
  return { json: { data: { project: { repository: { tree, blobs: blobsOf } } } } }
}

const gitea: Host = (repository, { method, path, body, login }) => {
  const { files, head } = repository
  const root = '/api/v1/repos/acme/brand'
  if (path === '/api/v1/user') return { json: personOf(login) }
  if (path === '/api/v1/version') return { json: { version: '1.24.0' } }
  if (path === '/api/v1/settings/api') return { json: {} }
  if (path === root) return { json: { permissions: { pull: true }, default_branch: 'main' } }
  if (path === `${root}/branches/main`) return { json: { commit: { id: head(), message: 'A change' } } }
  if (path.startsWith(`${root}/git/trees/`)) return { json: { tree: treeOf(files), truncated: false } }
  if (path === `${root}/file-contents` && method === 'POST') {
    const { files: asked }: Body = body
    return {
      json: asked.map((place: string) => ({
        path: place,
        encoding: 'base64',
        content: Buffer.from(files.get(place) ?? '').toString('base64'),
      })),
    }
  }
  if (path !== `${root}/contents` || method !== 'POST') return undefined
  const { files: changes }: Body = body
  if (
    changes.some(({ path: place, sha, operation }: Body) =>
      operation === 'create' ? files.has(place) : sha !== shaOf(files.get(place) ?? ''),
    )
  )
    return { status: 422, json: { message: 'sha does not match' } }
  const written = changes.map(({ path: place, content }: Body) => [place, decode(content)])
  return {
    status: 201,
    json: {
      commit: { sha: commit(repository, written), created: DATE },
      files: written.map(([place, text]: Body) => ({ path: place, sha: shaOf(text) })),
    },
  }
}

const HOSTS: Readonly<Record<Forge['name'], Host>> = { github, gitlab, gitea }

function treeOf(files: ReadonlyMap<string, string>) {
  return Array.from(files, ([path, text]) => ({ type: 'blob', path, sha: shaOf(text), size: text.length }))
}

function commit(repository: Parameters<Host>[0], additions: readonly [path: string, text: string][]): string {
  for (const [path, text] of additions) repository.push(path, text)
  repository.commits.push(additions.map(([path]) => path))
  return repository.head()
}

function blobs(additions: readonly [path: string, text: string][]) {
  return Object.fromEntries(additions.map(([, text], at) => [`file_${at}`, { oid: shaOf(text) }]))
}
