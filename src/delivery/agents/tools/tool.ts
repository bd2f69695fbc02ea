import type { Scope } from '#brand/contract/operations.ts'
import type { BrandFile } from '#brand/file.ts'
import { similarTo } from '#brand/similar.ts'
import { isObject } from '#platform/base/object.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { Cache } from '#platform/caches/cache.ts'
import type { Addresses } from '#serving/addresses.ts'
import type { WorkspaceState } from '#serving/pointers/workspace-state.ts'
import type { OpenPublication, Publication } from '#serving/publications/publications.ts'
import type { Usage } from '#serving/usage.ts'
import type { CONTENT_KINDS } from '../../lint/file-kind.ts'
import type { LintFinding } from '../../lint/finding.ts'
import type { SearchIndex } from '../../search/search-index.ts'
import { parseContentId } from './content-id.ts'

/** The schema of the arguments of a tool: strings and whole numbers. */
type ArgumentsSchema = {
  type: 'object'
  properties: Record<string, ArgumentSchema>
  required: readonly string[]
  additionalProperties: false
}

type ArgumentSchema =
  | { type: 'string'; description: string; enum?: string[]; minLength?: number; maxLength: number }
  | { type: 'integer'; description: string; minimum: number; maximum: number }

/** The arguments of a call; an absent string is empty. Only `content` keeps the white space around it. */
export type Arguments = Readonly<
  Record<'query' | 'id' | 'project' | 'page' | 'kind' | 'type' | 'content', string> & {
    limit?: number
    offset?: number
  }
>

/** A read-only tool. Everything except its results is constant, so that content cannot change how a tool looks. */
export type Tool = {
  name: string
  title: string
  description: string
  scope: Scope
  input: ArgumentsSchema
  output: Readonly<Record<string, unknown>>
  load: () => Promise<RunTool>
}

/** Returns the structured content, or a problem with the next step. */
export type RunTool<Outcome = ToolResult> = (reader: Reader, args: Arguments) => Promise<Outcome>

/** The structured content with a PNG of the picture that it is about. */
export type ToolResult = Result<object, string> & { picture?: Uint8Array | undefined }

/** Calls a tool, and counts a success for the project that it names, or for all that it reads. */
export async function callTool({ name, input, load }: Tool, reader: Reader, given: unknown): Promise<ToolResult> {
  const args = checkArguments(input, given)
  if (!args.ok) return args
  const result = await (await load())(reader, args.value)
  if (result.ok) for (const record of usedProjects(reader, name, args.value)) reader.usage?.count(record, 'agent', name)
  return result
}

/** The projects for which a call counts. */
function usedProjects({ isGuide, projects }: Reader, tool: string, { project, id }: Arguments): Reader['projects'] {
  if (isGuide) return projects
  if (tool === 'list_projects') return []
  const named = tool === 'fetch' ? parseContentId(id)?.project : project
  return named === '' ? projects.slice(0, MAX_PROJECTS) : projects.filter(record => record.project === named)
}

/** The number of projects that a search without a project reads. */
export const MAX_PROJECTS = 20

/** Checks arguments against the schema of a tool. The problem names the argument and the expected form. */
function checkArguments(schema: ArgumentsSchema, given: unknown): Result<Arguments, string> {
  const { properties, required } = schema
  const names = Object.keys(properties).join(', ') || 'no arguments'
  if (given !== undefined && !isObject(given)) return failed(`The arguments must be an object with ${names}.`)
  // A null argument counts as absent: many programs write absent values so.
  const values = new Map(Object.entries(given ?? {}).filter(([, value]) => value !== undefined && value !== null))
  const missing = required.find(name => !values.has(name))
  if (missing !== undefined) return failed(`The argument ${missing} is missing. This tool takes: ${names}.`)
  for (const [name, sent] of values) {
    const expected = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!expected) return failed(`${JSON.stringify(name.slice(0, 100))} is no argument. This tool takes: ${names}.`)
    const value = expected.type === 'integer' ? numberIn(sent) : sent
    values.set(name, value)
    const problem = problemOf(expected, value)
    if (problem !== undefined) return failed(`The argument ${name} must be ${problem}.`)
  }
  for (const [name, value] of values)
    if (typeof value === 'string' && name !== 'content') values.set(name, value.trim())
  return ok({ ...NO_ARGUMENTS, ...Object.fromEntries(values) })
}

/** A whole number in a string, as some models write it (`"2"`), as a number; other values are unchanged. */
function numberIn(sent: unknown): unknown {
  return typeof sent === 'string' && /^ *\d+ *$/.test(sent) ? Number(sent) : sent
}

const NO_ARGUMENTS: Arguments = { query: '', id: '', project: '', page: '', kind: '', type: '', content: '' }

/** The condition for an argument, as the rest of a sentence; undefined if it is that. */
function problemOf(schema: ArgumentSchema, value: unknown): string | undefined {
  if (schema.type === 'integer') {
    const { minimum, maximum } = schema
    const isValid = typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum
    return isValid ? undefined : `a whole number from ${minimum} to ${maximum}`
  }
  const { enum: choices, minLength = 0, maxLength } = schema
  if (choices && !choices.some(choice => choice === value)) return `one of ${choices.join(', ')}`
  const isValid = typeof value === 'string' && value.length <= maxLength && value.trim().length >= minLength
  return isValid ? undefined : `a string of ${minLength} to ${maxLength} characters`
}

/** The content that one caller may read. Tools reach content only through it. */
export type Reader = {
  workspace: string
  workspaceName: string
  /** The projects that the caller may read, by name. */
  projects: WorkspaceState['published']
  scopes: ReadonlySet<Scope>
  /** Whether the reader is for one guide, so that tools take no project. */
  isGuide: boolean
  openPublication: OpenPublication
  addresses: Addresses
  index: (publication: Publication) => MaybePromise<SearchIndex | undefined>
  pages: Cache<PageText>
  /** The lightest and heaviest weight of a variable font; undefined for other files. */
  weights: (publication: Publication, file: BrandFile) => Promise<readonly [min: number, max: number] | undefined>
  /** The main colours of a picture that meet its ground, as hex; none if it has its own, undefined if unknown. */
  paints: (publication: Publication, file: BrandFile) => Promise<readonly string[] | undefined>
  /** A picture, or the first page of a PDF, as a small PNG; undefined if it cannot be drawn, or not in time. */
  picture?: ((publication: Publication, file: BrandFile) => Promise<Uint8Array | undefined>) | undefined
  /** The icons of the server for a guide, or for the workspace; absent for local agents. */
  icons?: ((workspace: string, publication: Publication | undefined) => Promise<Icon[]>) | undefined
  /** Compares a text with a brand for this caller. */
  lint: (publication: Publication, input: LintInput) => ReturnType<LintContent>
  /** The network of the caller; absent for local agents. */
  network?: string
  /** Counts calls and searches without a result; absent for local agents, and if usage is off. */
  usage?: Usage | undefined
}

/** An icon of a server; `sizes` has its width and height, such as `48x48`, or `any` for a drawing. */
export type Icon = { src: string; mimeType: string; sizes: string[] }

/** Compares a text with a brand in a confined process, or says why it cannot be done now. */
export type LintContent = (
  publication: Publication,
  input: LintInput,
  caller: LintCaller,
) => Promise<Result<readonly LintFinding[], string>>

/** The network of a caller, and whether its token gives it a share of the processes that others cannot take. */
export type LintCaller = { network: string; hasShare: boolean }

/** A text to compare, and whether embedded files are compared with earlier ones of the brand. */
export type LintInput = { content: string; kind: (typeof CONTENT_KINDS)[number]; oldFiles: boolean }

/** A page's Markdown with absolute addresses and picture descriptions, its sections, and its pictures. */
export type PageText = { text: string; sections: readonly Section[]; pictures: readonly PagePicture[] }

/** A picture of a page: its id for `fetch`, its alt text, and its address. */
type PagePicture = { id: string; description: string; url: string }

/** A section of a page: `start` to `end` with its subsections, `start` to `ownEnd` without them. */
export type Section = { heading: string; anchor: string; start: number; ownEnd: number; end: number }

/** Opens a project by id, or explains which projects exist. A guide's reader has only one, which needs no id. */
export function openProject(reader: Reader, id: string): Result<Publication, string> {
  const record = reader.isGuide ? reader.projects[0] : reader.projects.find(({ project }) => project === id)
  const publication = reader.openPublication(record)
  if (publication) return ok(publication)
  const ids = reader.projects.map(({ project }) => project.toString())
  return failed(notFound('project', id, ids, 'Call list_projects for all projects.'))
}

/** Explains that an id is unknown, with the nearest known ids and the next step. */
export function notFound(kind: string, id: string, ids: Iterable<string>, next: string): string {
  const nearest = similarTo(id, [...ids], MAX_NEAREST)
  const near = nearest.length === 0 ? `There is no ${kind} here.` : `The nearest ids are: ${nearest.join(', ')}.`
  return `No ${kind} has the id ${JSON.stringify(id.slice(0, MAX_SHOWN))}. ${near} ${next}`
}

const MAX_NEAREST = 8
const MAX_SHOWN = 100
