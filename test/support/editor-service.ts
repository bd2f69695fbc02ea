import type { GitSource } from '#platform/settings/git-source.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { openMetrics } from '#platform/telemetry/metrics.ts'
import { openService } from '#program/compose/open-service.ts'
import type { Service } from '#program/http/service/service.ts'
import type { GitProblem } from '#publishing/git/program/git-problem.ts'
import {
  type ImportedCommit,
  readSource,
  type SourceState,
  saveFailure,
  saveImported,
  sourceId,
} from '#publishing/git/pull/source-state.ts'
import { claimGitCheck } from '#store/catalogue/git-sources.ts'
import { DEFAULT_SETTINGS, silent } from './service.ts'
import type { TemporaryStore } from './temporary-store.ts'

/** The address of files in the repository of a source. */
export const EDIT = 'https://github.com/acme/brand/edit/main/brand/{path}'
export const SOURCE: GitSource = { url: 'https://github.com/acme/brand.git', path: 'brand', publish: 'auto' }

/** A service of a store that follows repositories, which a test pulls by hand. */
export type EditorService = {
  service: Service
  follow: () => Promise<void>
  /** The number of requests for a check. */
  requests: () => number
  /** Records the result of a check of a source, like a process that checks it. */
  pulled: (commit: string, changes?: Partial<ImportedCommit>, source?: GitSource) => Promise<void>
  /** Records a failed check of the first source. */
  failed: (failure: GitProblem) => Promise<void>
  endStreams: () => void
}

export async function editorService(
  { store, beforeEnd }: Pick<TemporaryStore, 'store' | 'beforeEnd'>,
  { git: sources = [SOURCE], publicUrl = 'http://brand.test', ...settings }: Partial<Settings> = {},
): Promise<EditorService> {
  const { database, clock } = store
  let requests = 0
  let states: SourceState[] = []
  const refresh = async () => {
    states = await Promise.all(sources.map(async source => (await readSource(database, source)).state))
  }
  const request = async () => void requests++
  const opened = await openService({
    settings: { ...DEFAULT_SETTINGS, ...settings, git: sources },
    store,
    log: silent,
    metrics: openMetrics(),
    publicUrl,
    clock: clock.now,
    ticks: () => performance.now(),
    git: { follower: { request, states: () => states }, hookSecret: undefined },
  })
  beforeEnd(opened.close)
  const begin = (source: GitSource) => {
    const now = clock.date()
    return database.transaction(queries => claimGitCheck(queries, sourceId(source), now, now))
  }
  const pulled: EditorService['pulled'] = async (hash, changes = {}, source = SOURCE) => {
    await begin(source)
    const imported = {
      commit: { hash, author: 'Ada', subject: 'A change' },
      remote: hash,
      content: hash,
      workspace: 'acme',
      projects: [{ project: 'guide', imported: true, changed: true, revision: 1 }],
      errors: 0,
      warnings: 0,
      findings: [],
    }
    await saveImported(database, source, { ...imported, ...changes }, clock.date())
    await refresh()
  }
  const failed: EditorService['failed'] = async failure => {
    await begin(SOURCE)
    await saveFailure(database, SOURCE, failure)
    await refresh()
  }
  return {
    service: opened.service,
    follow: opened.handleChanges,
    requests: () => requests,
    pulled,
    failed,
    endStreams: opened.endStreams,
  }
}
