import { type Forge, forgeOf } from '../brand/forge.ts'
import { editTemplate } from '../git/repository/remote.ts'
import type { GitSource } from '../settings/git-source.ts'
import type { Settings } from '../settings.ts'
import type { SiteShared } from '../site/site-context.ts'

/** A repository on GitHub or GitLab. */
type FollowedForge = Pick<Forge, 'name' | 'origin' | 'repo'>

/**
 * The repositories of sources on GitHub and GitLab. Only the first host of each kind counts: the editor keeps one token
 * for each kind, and must not send it to another host.
 */
export function followedForges(sources: readonly GitSource[]): FollowedForge[] {
  const all = sources.flatMap(({ url }) => forgeOf(editTemplate(url, 'HEAD') ?? '') ?? [])
  return all.filter(({ name, origin }) => all.find(each => each.name === name)?.origin === origin)
}

/**
 * The place of an edit address, if it is in the repository of a source. A derived address does not tell a branch with a
 * slash from a folder, but its source does.
 */
export function followedPlace(sources: readonly GitSource[], template: string): Forge | undefined {
  const forge = forgeOf(template)
  if (!forge || !followedForges(sources).some(each => isSameRepository(each, forge))) return undefined
  for (const { url, ref, path } of sources) {
    const branch = ref?.replace(/^refs\/heads\//, '')
    if (branch !== undefined && editTemplate(url, branch, path) === template)
      return { ...forge, branch, path: path ?? '' }
  }
  return forge
}

/** Hosts ignore the case of a repository's path. */
export function isSameRepository(a: FollowedForge, b: FollowedForge): boolean {
  return a.name === b.name && a.origin === b.origin && a.repo.toLowerCase() === b.repo.toLowerCase()
}

/**
 * The path before that of the editor for a project whose edit address is known; undefined without an editor. Several
 * followed repositories have one editor for each workspace.
 */
export function editorPaths({ git: sources }: Settings, base: string, isLive = false): SiteShared['editorPath'] {
  if (isLive) return () => base
  return (workspace, template) => {
    const place = sources.length === 1 ? base : `${base}/${workspace}`
    return followedPlace(sources, template) && place
  }
}
