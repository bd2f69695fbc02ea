import { pagePath, type SourcePaths } from '../brand/edit-link.ts'
import { type Addresses, encodeSegment } from '../serving/addresses.ts'

/**
 * The addresses of a brand folder without a service, for an agent on the same machine: `file:` URLs of its files. They
 * replace those addresses of `base` that agents see. `root` is the absolute path of the folder, and `sources` has the
 * paths of its projects by id.
 */
export function folderAddresses(
  base: Addresses,
  root: string,
  sources: ReadonlyMap<string, SourcePaths | undefined>,
): Addresses {
  const sourceOf = (project: string) => sources.get(project) ?? { folder: '', pages: {} }
  const at = (project: string, path: string) => {
    const segments = [root, sourceOf(project).folder, path].flatMap(part => part.split('/'))
    return `file:///${segments.filter(Boolean).map(encodeSegment).join('/')}`
  }
  return {
    ...base,
    project: ({ project }) => at(project, ''),
    page: ({ project }, id) => at(project, pagePath(sourceOf(project), id)),
    file: ({ project }, { path }) => at(project, path),
    style: ({ project }, { list }) => at(project, `styles/${list}.yaml`),
    folder: ({ project }, path) => at(project, path),
  }
}
