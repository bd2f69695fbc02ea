import { protocolOf } from '../program/git-environment.ts'

/** The paths at which hosts edit a file, by the first part of the host name. */
const EDITORS = [
  { host: /^github\./, path: 'edit' },
  { host: /^gitlab\./, path: '-/edit' },
] as const

/**
 * The address for editing a file of a repository on GitHub or GitLab, with `{path}`; undefined for other hosts, and
 * without a branch.
 *
 * @example editTemplate('git@github.com:acme/brand.git', 'main', 'guide') // https://github.com/acme/brand/edit/main/guide/{path}
 */
export function editTemplate(url: string, branch: string | undefined, folder = ''): string | undefined {
  const { host, path } = webPlace(url)
  const editor = EDITORS.find(each => each.host.test(host))
  if (!editor || branch === undefined) return undefined
  const parts = [path, editor.path, encodePath(branch), encodePath(folder), '{path}'].filter(part => part !== '')
  return `https://${host}/${parts.join('/')}`
}

/** The host and the path of a repository on the web. A port for ssh is left out. */
export function webPlace(url: string): { host: string; path: string } {
  const [, shortHost, shortPath] = (protocolOf(url) === 'ssh' && /^[^/@]+@([^:/]+):(.*)$/.exec(url)) || []
  const { hostname, host, protocol, pathname } = new URL(
    shortHost === undefined ? url : `ssh://${shortHost}/${shortPath}`,
  )
  const path = pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  return { host: (protocol === 'ssh:' ? hostname : host).toLowerCase(), path }
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
