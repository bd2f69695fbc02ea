import type { Caps } from '../../intake/reading.ts'
import type { GitSource } from '../../settings/git-source.ts'
import type { StorePlace } from '../../store/paths.ts'
import type { GitHost } from '../program/git-access.ts'

/** A source to pull into the store at a place. */
export type PullTask = {
  place: StorePlace
  source: GitSource
  host: Pick<GitHost, 'token' | 'sshKey' | 'knownHosts'>
  mirrors: string
  maxGit: number
  caps: Caps
}
