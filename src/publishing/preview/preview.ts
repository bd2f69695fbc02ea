import { tmpdir } from 'node:os'
import { type ContentChanges, contentChanges } from '../../brand/content-changes.ts'
import type { Finding } from '../../brand/finding.ts'
import type { Hash } from '../../brand/ids.ts'
import type { ReadOptions } from '../../intake/brand-folder.ts'
import type { Caps } from '../../intake/project/project-context.ts'
import { listProjects, type ProjectRecord } from '../../store/catalogue/catalogue.ts'
import { getObject } from '../../store/catalogue/objects.ts'
import type { Store } from '../../store/store.ts'
import { explained } from '../../store/store-error.ts'
import type { CommandResult } from '../command-problem.ts'
import { type ImportedProject, importFolder } from '../import/import.ts'
import type { ProjectRef } from '../project-ref.ts'
import { type PublishResult, publish } from '../publish.ts'
import { remove } from '../remove.ts'
import { watchFolder } from './watch.ts'

/** A folder to follow, and the data folder of the store that it is published into. */
export type PreviewTask = { data: string; folder: string; caps: Caps }

/** What became of a folder that is followed. */
export type PreviewEvent =
  | ({ kind: 'read' } & PreviewRead)
  /** The folder is not there; what was served is served on. */
  | { kind: 'gone' }
  | { kind: 'failed'; message: string }

/** A folder that was read while it rested. */
export type PreviewRead = {
  /** Null if the workspace itself has an error. */
  workspace: string | null
  /** The projects that serve something new. */
  published: (PublishResult & ContentChanges)[]
  /** The projects that were served and are not in the folder any more. */
  removed: ProjectRef[]
  findings: Finding[]
  /** From when the change was first seen until it was published. */
  milliseconds: number
}

/** How a folder is followed. */
export type PreviewOptions = Omit<ReadOptions, 'targetFor' | 'progress'> & {
  now: () => Date
  tell: (news: PreviewEvent) => void
}

/**
 * Follows a brand folder until the signal: every project without an error is published, for everyone to see, as soon as
 * its files rest, and one that is gone from the folder is removed. For a store that is thrown away.
 */
export function followFolder(store: Store, folder: string, options: PreviewOptions): Promise<void> {
  const { signal, tell } = options
  return watchFolder(folder, {
    read: async () => {
      const isPublic = { isDryRun: false, visibility: 'public', progress: () => undefined } as const
      const unpublished = (await listProjects(store.database)).filter(isUnpublished)
      const { workspace, projects, findings } = await importFolder(store, folder, { ...options, ...isPublic })
      return async sinceMs => {
        const imported = projects.filter(project => project.imported)
        const published =
          workspace === null ? [] : await publishAll(store, workspace, imported, unpublished, options.now)
        const missing = findings.filter(({ rule }) => rule === 'project-missing')
        const removed = workspace === null ? [] : await removeOthers(store, workspace, missing)
        const left = findings.filter(finding => !missing.includes(finding))
        const milliseconds = Math.round(performance.now() - sinceMs)
        tell({ kind: 'read', workspace, published, removed, findings: left, milliseconds })
      }
    },
    gone: () => tell({ kind: 'gone' }),
    failed: error => {
      const told = explained(error, tmpdir())
      tell({ kind: 'failed', message: told instanceof Error ? told.message : String(told) })
    },
    signal,
  })
}

/** Whether an earlier reading was of no use, since the folder changed meanwhile. */
function isUnpublished({ draft, published }: ProjectRecord): boolean {
  return draft.snapshot !== published?.snapshot
}

/** What an import changed is what its publication changes, but for drafts that were not published when it began. */
async function publishAll(
  store: Store,
  workspace: string,
  imported: readonly ImportedProject[],
  unpublished: readonly ProjectRecord[],
  now: () => Date,
): Promise<PreviewRead['published']> {
  const published: PreviewRead['published'] = []
  for (const { project, pages, styles, files } of imported) {
    const place = { workspace, project }
    const result = unwrapped(await publish(store, place, undefined, now()))
    if (!result.changed) continue
    const known = unpublished.find(record => record.workspace === workspace && record.project === project)
    const changes = known ? await changesBetween(store, known, result.snapshot) : { pages, styles, files }
    published.push({ ...result, ...changes })
  }
  return published
}

function changesBetween({ database }: Store, before: ProjectRecord, after: Hash): Promise<ContentChanges> {
  const { workspace, published } = before
  return contentChanges(published?.snapshot, after, hash => getObject(database, workspace, hash))
}

/** Removes projects that are gone, and those of the workspace's earlier id. */
async function removeOthers(store: Store, workspace: string, missing: readonly Finding[]): Promise<ProjectRef[]> {
  const records = await listProjects(store.database)
  const others = records.filter(
    record => record.workspace !== workspace || missing.some(({ project }) => project === record.project),
  )
  for (const place of others) unwrapped(await remove(store, place))
  return others.map(record => ({ workspace: record.workspace, project: record.project }))
}

/** Nobody else changes the store, so nothing is ever in the way. */
function unwrapped<Value>(result: CommandResult<Value>): Value {
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}
