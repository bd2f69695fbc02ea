import { tmpdir } from 'node:os'
import { type ContentChanges, contentChanges } from '#brand/content-changes.ts'
import type { Finding } from '#brand/finding.ts'
import type { Hash, ProjectRef } from '#brand/ids.ts'
import type { Caps, ReadOptions } from '#intake/reading.ts'
import { errorMessage } from '#platform/base/error.ts'
import { listProjects, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { getObject } from '#store/catalogue/objects.ts'
import type { Store } from '#store/store.ts'
import { asStoreError } from '#store/store-error.ts'
import { remove } from '../change-project.ts'
import { type ImportedProject, importFolder } from '../import/import.ts'
import { type CommandResult, isOf } from '../project-ref.ts'
import { type PublishResult, publish } from '../publish.ts'
import { watchFolder } from './watch.ts'

export type PreviewTask = { data: string; folder: string; caps: Caps }

/** A change of the folder, or a failure to read it. */
export type PreviewEvent =
  | ({ kind: 'read' } & PreviewRead)
  /** The folder is missing. Its last good version stays published. */
  | { kind: 'gone' }
  | { kind: 'failed'; message: string }

export type PreviewRead = {
  /** Null if the workspace has an error itself. */
  workspace: string | null
  published: (PublishResult & ContentChanges)[]
  removed: ProjectRef[]
  findings: Finding[]
  /** The time from noticing the change to publishing it. */
  milliseconds: number
}

export type PreviewOptions = Omit<ReadOptions, 'targetFor' | 'today' | 'progress'> & {
  now: () => Date
  send: (event: PreviewEvent) => void
}

/**
 * Previews a brand folder until the signal is aborted. After each save, it publishes every project without errors as
 * public and removes the projects that are no longer in the folder. Use it only with a temporary store.
 */
export function previewFolder(store: Store, folder: string, options: PreviewOptions): Promise<void> {
  const { signal, send } = options
  return watchFolder(folder, {
    read: async () => {
      const asPublic = { isDryRun: false, visibility: 'public', showsDrafts: true, progress: () => undefined } as const
      const records = await listProjects(store.database)
      // After an import that was not published because the folder changed meanwhile.
      const unpublished = records.filter(({ draft, published }) => draft.snapshot !== published?.snapshot)
      const { workspace, projects, findings } = await importFolder(store, folder, { ...options, ...asPublic })
      // Called if the folder has not changed again.
      return async sinceMs => {
        const imported = projects.filter(project => project.imported)
        const published =
          workspace === null ? [] : await publishAll(store, workspace, imported, unpublished, options.now)
        const missing = findings.filter(({ rule }) => rule === 'project-missing')
        const removed = workspace === null ? [] : await removeOthers(store, workspace, missing, options.now())
        const otherFindings = findings.filter(finding => !missing.includes(finding))
        const milliseconds = Math.round(performance.now() - sinceMs)
        send({ kind: 'read', workspace, published, removed, findings: otherFindings, milliseconds })
      }
    },
    gone: () => send({ kind: 'gone' }),
    failed: error => {
      send({ kind: 'failed', message: errorMessage(asStoreError(error, tmpdir())) })
    },
    signal,
  })
}

/**
 * Publishes the imported projects, with the changes since their last publication. An import reports those since the last
 * draft, which may be unpublished.
 */
async function publishAll(
  store: Store,
  workspace: string,
  imported: readonly ImportedProject[],
  unpublished: readonly ProjectRecord[],
  now: () => Date,
): Promise<PreviewRead['published']> {
  const published: PreviewRead['published'] = []
  for (const { project, pages, styles, files } of imported) {
    const ref = { workspace, project }
    const outcome = await publish(store, ref, {}, now())
    // The original of this translation has an error, and no earlier version.
    if (!outcome.ok && outcome.problem.code === 'translation_refused') continue
    const result = unwrap(outcome)
    if (!result.changed) continue
    const earlier = unpublished.find(isOf(ref))
    const changes = earlier ? await changesBetween(store, earlier, result.snapshot) : { pages, styles, files }
    published.push({ ...result, ...changes })
  }
  return published
}

function changesBetween({ database }: Store, before: ProjectRecord, after: Hash): Promise<ContentChanges> {
  const { workspace, published } = before
  return contentChanges(published?.snapshot, after, hash => getObject(database, workspace, hash))
}

/** Removes projects that are no longer in the folder, and the projects under an earlier id of the workspace. */
async function removeOthers(
  store: Store,
  workspace: string,
  missing: readonly Finding[],
  now: Date,
): Promise<ProjectRef[]> {
  const records = await listProjects(store.database)
  const others = records.filter(
    record => record.workspace !== workspace || missing.some(({ project }) => project === record.project),
  )
  for (const ref of others) unwrap(await remove(store, ref, now))
  return others.map(record => ({ workspace: record.workspace, project: record.project }))
}

/** Only this process changes the store, so no expected failure can occur. */
function unwrap<Value>(result: CommandResult<Value>): Value {
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}
