import { isThisMachine } from '../base/server-url.ts'
import { groupsOf } from '../base/text.ts'
import { parseList } from './values.ts'

/** A workspace, or one of its guides, that has its own host. */
export type HostTarget = { workspace: string; project?: string | undefined }

/**
 * Reads the name of a host without scheme, port and path: in lower case, in ASCII, without a final dot. Undefined for any
 * other text, for an IP address and for names of this machine.
 */
export function parseHostName(text: string): string | undefined {
  const address = `http://${text}`
  if (!PLAIN.test(text) || !URL.canParse(address)) return undefined
  const name = new URL(address).hostname.replace(/\.$/, '')
  return NAME.test(name) && !isThisMachine(name) ? name : undefined
}

/** Without characters that would end the host in a URL, or be decoded in it. */
const PLAIN = /^[^\s/?#@:\\%[\]]+$/
/**
 * Labels with dots between them, such as `brand.acme.com`: at most 253 characters, and 63 in a label, which neither
 * begins nor ends with a hyphen (RFC 1123 §2.1). The last one is not only digits, as in an IP address.
 */
const NAME = /^(?=.{1,253}$)(?!.*(?<![^.])\d+$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?![^.])\.?)+(?<!\.)$/

/** Reads the target of a host: `acme/guidelines` or `acme`. */
export function parseHostTarget(text: string): HostTarget | undefined {
  const [, workspace, project] = groupsOf(/^([a-z0-9-]+)(?:\/([a-z0-9-]+))?$/, text)
  return workspace === undefined ? undefined : { workspace, project }
}

/** Reads hosts with their targets: `brand.acme.com=acme/guidelines,brands.acme.com=acme`. */
export function parseHosts(text: string): ReadonlyMap<string, HostTarget> | undefined {
  const entries = parseList(text, entry => {
    const [name = '', ...rest] = entry.split('=')
    const host = parseHostName(name.trim())
    const target = parseHostTarget(rest.join('=').trim())
    return host === undefined || !target ? undefined : ([host, target] as const)
  })
  // Undefined if an entry is invalid, or two have the same host.
  const hosts = new Map(entries)
  return hosts.size === entries?.length ? hosts : undefined
}
