import { hash } from 'node:crypto'
import { basename } from 'node:path/posix'
import type { Finding } from '#brand/finding.ts'
import type { ProjectRef } from '#brand/ids.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import { findGitSource, listGitSources, saveGitImport } from '#store/catalogue/git-sources.ts'
import { addAuthors } from '#store/catalogue/reviews.ts'
import type { Queries } from '#store/database/database.ts'

/** The followed repository from which an import reads; without it, a folder. */
export type Feeding = {
  source?: GitSource | undefined
  /** The projects that it may take from other sources, as `workspace/project`. */
  take?: readonly string[] | undefined
}

/**
 * Reads which source (a feeder) has filled each project. An import must not fill an existing project of another source,
 * unless it takes it.
 */
export async function foreignProjects(queries: Queries, { source, take = [] }: Feeding) {
  const feeders = await listFeeders(queries)
  const ownId = source && sourceId(source)
  const feederOf = (name: string) => feeders.find(({ filled }) => filled.includes(name))
  const isOwn = (name: string) => feederOf(name)?.id === ownId
  return {
    /** Whether this source has filled a project, or a folder has if this is a folder. */
    isOwn: ({ workspace, project }: ProjectRef) => isOwn(`${workspace}/${project}`),
    /** Why this source must not fill an existing project; undefined if it may. */
    problem: ({ workspace, project }: ProjectRef): string | undefined => {
      const name = `${workspace}/${project}`
      if (isOwn(name) || take.includes(name)) return undefined
      const nameOf = (feeder: GitSource | undefined) => (feeder ? sourceName(feeder) : 'an imported folder')
      const from = nameOf(feederOf(name)?.source)
      const fix = `give one of the two another id, or move the project to this source once with --take ${name}`
      return `cannot import ${name} from ${nameOf(source)}: its content comes from ${from}; its draft is unchanged: ${fix}`
    },
  }
}

/** Records in a transaction which projects an import has filled. No other source has filled them from then on. */
export async function recordFilled(queries: Queries, { source }: Feeding, refs: readonly ProjectRef[]): Promise<void> {
  const names = refs.map(({ workspace, project }) => `${workspace}/${project}`)
  for (const { id, source: feeder, filled } of await listFeeders(queries)) {
    const others = filled.filter(name => !names.includes(name))
    const filledNow = source && id === sourceId(source) ? [...others, ...names] : others
    if (filledNow.length !== filled.length) await updateSource(queries, feeder, { filled: filledNow })
  }
}

/**
 * Adds the authors of an import to the other projects of its source, which it has not filled, for example because of an
 * error: their next import will have the changes of these authors too.
 */
export async function keepAuthors(
  queries: Queries,
  source: GitSource,
  filled: readonly ProjectRef[],
  authors: readonly string[],
): Promise<void> {
  const feeder = (await listFeeders(queries)).find(({ id }) => id === sourceId(source))
  const names = filled.map(({ workspace, project }) => `${workspace}/${project}`)
  const { filled: others = [] } = feeder ?? {}
  for (const name of others.filter(each => !names.includes(each))) {
    const [workspace = '', project = ''] = name.split('/')
    await addAuthors(queries, { workspace, project }, authors)
  }
}

/**
 * A source, and the projects that it has filled and no other has taken since, such as `acme/guide`. Its newest import
 * no longer has the projects that are `gone`, for example because their ids have changed.
 */
type Feeder = {
  id: string
  source: GitSource
  filled: readonly string[]
  gone: readonly string[]
}

/** All sources that any process has ever checked. */
export async function listFeeders(queries: Queries): Promise<Feeder[]> {
  return (await listGitSources(queries)).flatMap(({ imported }) => {
    const { source, filled, gone } = parseFeeding(imported)
    return source ? [{ id: sourceId(source), source, filled, gone }] : []
  })
}

/** Identifies a source in the store and in the folder of mirrors. */
export function sourceId({ url, ref = '', path = '', workspace = '' }: GitSource): string {
  return hash('sha256', JSON.stringify([url, ref, path, workspace])).slice(0, 16)
}

export function sourceName({ url, ref, path }: Omit<GitSource, 'publish'>): string {
  return `${url}${ref === undefined ? '' : ` (${ref})`}${path === undefined ? '' : ` ${path}/`}`
}

/** The parts of a row that tell which projects its source fills. */
type StoredFeeding = {
  source?: GitSource
  workspace?: string
  projects?: { project: string }[]
  findings?: Finding[]
  filled?: readonly string[]
}

/** Parses the JSON about imports in a row. `gone` is empty if errors may hide a project of the newest import. */
export function parseFeeding(text = '{}'): StoredFeeding & Pick<Feeder, 'filled' | 'gone'> {
  const stored: StoredFeeding = JSON.parse(text)
  const { projects, workspace, findings = [], filled = [] } = stored
  const names = projects?.map(({ project }) => `${workspace}/${project}`)
  const isSure = names && !mayHideProjects(findings)
  return { ...stored, filled, gone: isSure ? filled.filter(name => !names.includes(name)) : [] }
}

/** Whether errors leave the ids of projects open: a project.yaml that cannot be read may belong to any project. */
export function mayHideProjects(findings: readonly Finding[]): boolean {
  const isOpen = ({ project, path }: Finding) => project === null || basename(path) === 'project.yaml'
  return findings.some(finding => finding.severity === 'error' && isOpen(finding))
}

/** Changes the row of a source inside a transaction, and records the source, so that it can be found without settings. */
export async function updateSource(
  queries: Queries,
  source: GitSource,
  changes: Pick<StoredFeeding, 'filled'> = {},
): Promise<void> {
  // `gone` is computed, not stored.
  const { gone: _gone, ...stored } = parseFeeding((await findGitSource(queries, sourceId(source))).imported)
  await saveGitImport(queries, sourceId(source), JSON.stringify({ ...stored, ...changes, source }))
}
