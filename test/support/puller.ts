import { join } from 'node:path'
import { after } from 'node:test'
import { openMediaReader } from '#intake/media/media.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { GitHost } from '#publishing/git/program/git-access.ts'
import { type Pulled, type PullOptions, pull } from '#publishing/git/pull/pull.ts'
import type { TemporaryStore } from './temporary-store.ts'

/** Pulls sources into a store of a test. */
export type Puller = {
  pull: (source: Partial<GitSource> & { url: string }, options?: PullerCall) => Promise<Pulled>
  /** The folder of all mirrors. */
  mirrors: string
}

/** The options of a pull. Those for reading only replace what they name. */
type PullerCall = Partial<Omit<PullOptions, 'read'>> & { read?: Partial<PullOptions['read']> }

/** The options of a test that are not those of `serve`. */
export type PullerOptions = { host?: Partial<GitHost>; maxGit?: number; signal?: AbortSignal }

const media = openMediaReader()
after(() => media.close())

/** Makes pulls like `housestyle pull` with the data folder of a store. */
export function pullerFor(
  { store, data }: Pick<TemporaryStore, 'store' | 'data'>,
  options: PullerOptions = {},
): Puller {
  const { host, maxGit = 1 << 30, signal = new AbortController().signal } = options
  const mirrors = join(data, 'git')
  const caps = { maxFile: 1 << 30, maxItems: 10_000 }
  const parts = {
    store,
    host: {
      environment: { PATH: process.env.PATH ?? '' },
      kill: (id: number, name: NodeJS.Signals) => void process.kill(id, name),
      ...host,
    },
    mirrors,
    maxGit,
  }
  const read = { media, caps, signal, progress: () => undefined }
  return {
    mirrors,
    pull: (source, { read: ownRead, ...more } = {}) =>
      pull(parts, { publish: 'auto', ...source }, { ...more, read: { ...read, ...ownRead } }),
  }
}
