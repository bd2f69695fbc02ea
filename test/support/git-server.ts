import { execFile } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { answerFromGit } from './git-backend.ts'
import { localServer } from './local-server.ts'
import { needs } from './programs.ts'
import { temporaryFolder } from './temporary.ts'

/** What tests with a repository need. */
export const GIT = needs('git')

/** The Authorization field of git with a token. */
export function basic(token: string): string {
  return `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
}

/** A git host on this machine: bare repositories behind the real `git http-backend`. */
export type GitServer = {
  /** The folder of the repositories. */
  folder: string
  /** `http://127.0.0.1:…` */
  url: string
  /** The requests so far. */
  requests: { method: string; path: string; authorization: string | undefined }[]
  /** From now on, requires this value of the Authorization field. */
  require: (authorization: string) => void
  /** Answers every request in this way instead; undefined: as usual. */
  answer: (reply: ((response: ServerResponse) => void) | undefined) => void
  /** Answers no request whose address has this part from now on; undefined: answers all, and those that still wait. */
  hang: (part: string | undefined) => void
  /** Makes a new bare repository, which accepts pushes. */
  make: (name: string) => Promise<Repository>
  stop: () => Promise<void>
}

/** A bare repository, and its address. */
export type Repository = {
  url: string
  folder: string
  /** Runs git in it. Returns the output without the last line end. */
  git: (args: readonly string[], input?: string | Uint8Array) => Promise<string>
  /** Makes a commit of exactly these files, without a parent, and moves a branch to it. Returns its hash. */
  commit: (files: Readonly<Record<string, string | Uint8Array>>, options?: CommitOptions) => Promise<string>
  /** Makes a commit of a tree, and moves a branch to it. */
  commitTree: (tree: string, options?: CommitOptions) => Promise<string>
}

export type CommitOptions = { branch?: string; subject?: string; author?: string }

/** Starts a host, which stops with the tests. */
export async function startGitServer(): Promise<GitServer> {
  const folder = await temporaryFolder()
  const requests: GitServer['requests'] = []
  const state: { required?: string; hung?: string | undefined; reply?: (response: ServerResponse) => void } = {}
  const held: (() => void)[] = []
  const { url, stop } = await localServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, authorization: headers.authorization })
    if (state.hung !== undefined && path.includes(state.hung)) {
      held.push(() => answerFromGit(folder, request, response))
      return
    }
    if (state.reply) {
      state.reply(response)
      return
    }
    if (state.required !== undefined && headers.authorization !== state.required) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end()
      return
    }
    answerFromGit(folder, request, response)
  })
  return {
    folder,
    url,
    requests,
    require: authorization => {
      state.required = authorization
    },
    answer: reply => {
      if (reply) state.reply = reply
      else delete state.reply
    },
    hang: part => {
      state.hung = part
      if (part === undefined) for (const answer of held.splice(0)) answer()
    },
    make: name => makeRepository(join(folder, name), `${url}/${name}`),
    stop,
  }
}

async function makeRepository(folder: string, url: string): Promise<Repository> {
  await promisify(execFile)('git', ['init', '--quiet', '--bare', '--initial-branch=main', folder])
  await promisify(execFile)('git', ['-C', folder, 'config', 'http.receivepack', 'true'])
  const git: Repository['git'] = async (args, input) => {
    const child = promisify(execFile)('git', [...args], { cwd: folder, env: { ...IDENTITY, PATH: process.env.PATH } })
    child.child.stdin?.end(input)
    return (await child).stdout.replace(/\n$/, '')
  }
  const commitTree: Repository['commitTree'] = async (tree, { branch = 'main', subject = 'A change', author } = {}) => {
    const named = author === undefined ? [] : ['-c', `user.name=${author}`]
    const hash = await git([...named, 'commit-tree', tree, '-m', subject])
    await git(['update-ref', `refs/heads/${branch}`, hash])
    return hash
  }
  return {
    url,
    folder,
    git,
    commitTree,
    commit: async (files, { branch = 'main', subject = 'A change', author = 'Ada' } = {}) => {
      const head = `commit refs/heads/${branch}\ncommitter ${author} <${EMAIL}> ${Math.floor(Date.now() / 1000)} +0000\n`
      const parts = Object.entries(files).map(([path, content]) => [`M 100644 inline ${path}\n`, ...data(content)])
      const stream = [head, ...data(subject), 'deleteall\n', ...parts.flat(), 'done\n']
      const bytes = Buffer.concat(stream.map(part => Buffer.from(part)))
      await git(['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet', '--force', '--done'], bytes)
      return git(['rev-parse', `refs/heads/${branch}`])
    },
  }
}

const EMAIL = 'ada@secret.example'

const IDENTITY = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'user.email',
  GIT_CONFIG_VALUE_0: EMAIL,
  GIT_CONFIG_KEY_1: 'user.name',
  GIT_CONFIG_VALUE_1: 'Ada',
}

/** The form of bytes in git-fast-import(1). */
function data(content: string | Uint8Array): (string | Uint8Array)[] {
  return [`data ${Buffer.byteLength(content)}\n`, content, '\n']
}
