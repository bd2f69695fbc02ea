import { HousestyleError } from './error.ts'
import type { components } from './openapi.ts'
import type { GetReply, ReplyText } from './replies.ts'

type Schemas = components['schemas']
export type BrandFile = Schemas['File']
export type Color = Schemas['Color']
export type FileList = Schemas['FileList']
export type FontMetadata = Schemas['FontMetadata']
export type ImageMetadata = Schemas['ImageMetadata']
export type Page = Schemas['Page']
export type PageList = Schemas['PageList']
export type PageSummary = Schemas['PageSummary']
export type Project = Schemas['Project']
export type ProjectList = Schemas['ProjectList']
export type ProjectSummary = Schemas['ProjectSummary']
export type Styles = Schemas['Styles']
export type TypeStyle = Schemas['TypeStyle']
export type Workspace = Schemas['Workspace']

/** The options of a request. */
export type RequestOptions = {
  /** Aborts the request; its reason is thrown. */
  signal?: AbortSignal | undefined
}

/** A reply about a project. Replies with the same snapshot belong together. */
export type Reply<Data> = {
  data: Data
  /** The number of the revision that the reply is from. */
  revision: number
  /** The SHA-256 of the content of the revision. */
  snapshot: string
}

/** A reply about the workspace, which has no revisions. */
export type WorkspaceReply<Data> = { data: Data; revision: undefined; snapshot: undefined }

/** The operations that the published and each served revision answer. */
export type RevisionOperations = {
  /** The pages of a project, in reading order. Names may repeat, ids do not. Scope `document.read`. */
  listPages: (project: string, options?: RequestOptions) => Promise<Reply<PageList>>
  /** The content of a page, such as `logo/misuse`, as Markdown. Scope `document.read`. */
  getPage: (project: string, page: string, options?: RequestOptions) => Promise<Reply<Page>>
  /** The colours and type styles of a project; values that the brand did not give are absent, not null. Scope `styles.read`. */
  getStyles: (project: string, options?: RequestOptions) => Promise<Reply<Styles>>
  /** The files of a project and where to download them. File names may repeat. Scope `files.read`. */
  listFiles: (project: string, options?: RequestOptions) => Promise<Reply<FileList>>
}

/** The operations that only the published revision answers. */
export type CurrentOperations = {
  /** The workspace. Scope `settings.read`. */
  getWorkspace: (options?: RequestOptions) => Promise<WorkspaceReply<Workspace>>
  /** The published projects that the token may see, by name. Scope `projects.read`. */
  listProjects: (options?: RequestOptions) => Promise<WorkspaceReply<ProjectList>>
  /** A published project, its status, which is never `Draft`, and its dates. Scope `data.read`. */
  getProject: (project: string, options?: RequestOptions) => Promise<Reply<Project>>
}

/** The operations of a revision; `address` is the address of the workspace. */
export function revisionOperations(address: string, getReply: GetReply): RevisionOperations {
  const get = async <Data>(project: string, path: string, { signal }: RequestOptions = {}) =>
    projectReply<Data>(getReply, `${projectAddress(address, project)}${path}`, signal)
  return {
    listPages: (project, options) => get(project, '/pages', options),
    getPage: async (project, page, options) => get(project, `/page/${segment(page)}`, options),
    getStyles: (project, options) => get(project, '/styles', options),
    listFiles: (project, options) => get(project, '/files', options),
  }
}

export function currentOperations(address: string, getReply: GetReply): CurrentOperations {
  return {
    getWorkspace: options => workspaceReply(getReply, address, options?.signal),
    listProjects: options => workspaceReply(getReply, `${address}/projects`, options?.signal),
    getProject: async (project, options) => projectReply(getReply, projectAddress(address, project), options?.signal),
  }
}

function projectAddress(address: string, project: string): string {
  return `${address}/project/${segment(project)}`
}

/** Encodes an id. A URL removes empty segments and segments of dots, so that it would name something else. */
export function segment(id: string): string {
  if (!/^\.{0,2}$/.test(id)) return encodeURIComponent(id)
  throw new TypeError(`The id "${id}" is not valid. Use one that the service lists.`)
}

async function workspaceReply<Data>(
  getReply: GetReply,
  url: string,
  signal: AbortSignal | undefined,
): Promise<WorkspaceReply<Data>> {
  const data = dataOf<Data>(url, await getReply(url, signal))
  return { data, revision: undefined, snapshot: undefined }
}

async function projectReply<Data>(
  getReply: GetReply,
  url: string,
  signal: AbortSignal | undefined,
): Promise<Reply<Data>> {
  const reply = await getReply(url, signal)
  const data = dataOf<Data>(url, reply)
  const [, revision, snapshot] = /^(\d+);snapshot="(\w+)"$/.exec(reply.revision ?? '') ?? []
  if (snapshot === undefined) throw invalidReply(url, 'no Housestyle-Revision')
  return { data, revision: Number(revision), snapshot }
}

/** A new object for each caller, who may change it. */
function dataOf<Data>(url: string, { text }: ReplyText): Data {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidReply(url, 'no JSON', cause)
  }
}

function invalidReply(url: string, lack: string, cause?: unknown): HousestyleError {
  const description = `The reply has ${lack}. Check whether baseUrl is the API of a housestyle service.`
  return new HousestyleError(`cannot get ${url}`, { status: 200, code: 'invalid_reply', description, cause })
}
