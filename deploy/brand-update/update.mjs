import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tokenChanges } from './token-changes.mjs'

const WAITS = 15
const PAUSE_MS = 2000
const PATIENCE_MS = 60_000

const {
  BRAND_URL: url = '',
  BRAND_PROJECT: project = '',
  BRAND_TOKEN: token = '',
  BRAND_FOLDER: folderName = '.',
  BRAND_FILES: fileNames = '',
  BRAND_REVISION: wanted = '',
  UPDATE_BRANCH: branch = '',
  UPDATE_BASE: base = '',
  GITHUB_TOKEN: githubToken = '',
  GITHUB_API_URL: api = 'https://api.github.com',
  GITHUB_REPOSITORY: repository = '',
  GITHUB_OUTPUT: outputs = '',
} = process.env
const names = fileNames.split(/\s+/).filter(name => name !== '')

try {
  await update()
} catch (error) {
  console.log(`::error title=housestyle::${String(error.message).replace(/\s+/g, ' ')}`)
  process.exitCode = 1
}

async function update() {
  const folder = checkInputs()
  const { revision, files } = await download()
  setOutput('revision', revision)
  const tokens = names.find(name => /^tokens\..*json$/.test(name))
  const tokensPath = tokens === undefined ? '' : join(folder, tokens)
  const before = existsSync(tokensPath) ? readFileSync(tokensPath, 'utf8') : undefined
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
  git('add', '--', ...names.map(name => join(folder, name)))
  const isChanged = git('diff', '--cached', '--name-only') !== ''
  setOutput('changed', isChanged)
  if (!isChanged) return console.log(`${project} has not changed: revision ${revision}`)
  const title = `Update ${project} to revision ${revision}`
  git('switch', '--force-create', branch)
  git('-c', 'user.name=housestyle', '-c', 'user.email=housestyle@users.noreply.github.com', 'commit', '-m', title)
  git('push', '--force', 'origin', `HEAD:refs/heads/${branch}`)
  const published = `${project} was published. [Its changes](${url}/${project}/-/changes).`
  const changes = tokens === undefined ? [] : [tokenChanges(before, files.get(tokens).toString())]
  setOutput('pull-request', await openPullRequest({ title, body: [published, ...changes].join('\n\n') }))
}

/** Returns the folder of the files, which must be in the checkout. */
function checkInputs() {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : {}
  const isLocal = protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(hostname)
  if (protocol !== 'https:' && !isLocal) throw new Error('the input url must be an https address')
  if (!/^[a-z0-9-]+\/[a-z0-9-]+$/.test(project)) throw new Error('the input project must be workspace/project')
  if (wanted !== '' && !/^\d+$/.test(wanted)) throw new Error('the input revision must be a number')
  if (branch === base || branch.startsWith('-')) throw new Error('the input branch must be another branch than base')
  if (names.length === 0 || !names.every(name => /^\w[\w.-]*$/.test(name)))
    throw new Error('the input files must be names of exports such as tokens.json, separated by spaces')
  const folder = resolve(folderName)
  if (relative(process.cwd(), folder).startsWith('..')) throw new Error('the input folder must be in the checkout')
  return folder
}

/** Downloads all files of one revision. Nodes of a service may follow a publication slightly later than others. */
async function download() {
  for (let tries = 0; tries < WAITS; tries++) {
    if (tries > 0) await sleep(PAUSE_MS)
    const revision = await servedRevision()
    if (revision < Number(wanted)) continue
    const files = new Map()
    for (const name of names) {
      const reply = await ask(`/${project}/-/exports/${name}`)
      files.set(name, Buffer.from(await reply.arrayBuffer()))
    }
    if ((await servedRevision()) === revision) return { revision, files }
  }
  throw new Error(`the service does not serve revision ${wanted} of ${project}`)
}

async function servedRevision() {
  const [workspace, name] = project.split('/')
  const { headers } = await ask(`/beta/workspace/${workspace}/project/${name}/styles`, 'HEAD')
  return Number.parseInt(headers.get('housestyle-revision') ?? '', 10)
}

async function ask(path, method = 'GET') {
  const headers = { authorization: `Bearer ${token}` }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const response = await fetch(url.replace(/\/$/, '') + path, { method, headers, redirect: 'error', signal })
  if (response.ok) return response
  const fix =
    'check the inputs url, project and token, which needs document.read, styles.read and the scopes of the files'
  throw new Error(`${path} answered ${response.status}: ${fix}`)
}

/** Opens a pull request, or updates the open one. Returns its address. */
async function openPullRequest({ title, body }) {
  const [owner] = repository.split('/')
  const query = new URLSearchParams({ state: 'open', head: `${owner}:${branch}`, base })
  const [open] = await askGitHub('GET', `/pulls?${query}`)
  const { html_url: address } = open
    ? await askGitHub('PATCH', `/pulls/${open.number}`, { title, body })
    : await askGitHub('POST', '/pulls', { title, body, head: branch, base })
  return address
}

async function askGitHub(method, path, content) {
  const headers = { authorization: `Bearer ${githubToken}`, accept: 'application/vnd.github+json' }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const body = content && JSON.stringify(content)
  const response = await fetch(`${api}/repos/${repository}${path}`, { method, headers, body, signal })
  if (response.ok) return response.json()
  throw new Error(`GitHub answered ${response.status}: allow the job contents and pull-requests: write`)
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
}

function setOutput(name, value) {
  appendFileSync(outputs, `${name}=${value}\n`)
}
