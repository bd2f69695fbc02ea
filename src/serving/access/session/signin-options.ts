import { failed, ok, type Result } from '#platform/base/result.ts'
import { lowerScheme, withoutCredentials } from '#platform/base/server-url.ts'
import { comparableAddress, quote } from '#platform/base/text.ts'
import { isTrustworthy } from '#platform/outgoing/public-targets.ts'
import { rightOf } from '#store/access/signins.ts'
import type { NewSignin } from './signins.ts'

/** The options of a new issuer as the operator wrote them; absent ones are undefined. */
export type SigninOptions = {
  workspace: string
  name?: string | undefined
  issuer: string | undefined
  clientId: string | undefined
  clientSecret: string | undefined
  proxyHeader: string | undefined
  jwks: string | undefined
  audience: string | undefined
  domains: readonly string[]
  emails: readonly string[]
  /** Each a name, or a name with projects as in `designers=web,print`. */
  groups: readonly string[]
  managers: readonly string[]
  editors: readonly string[]
  groupsClaim: string
  drafts: boolean
  manage: boolean
  edit: boolean
}

/** The problem is a message for the operator. */
export function parseSignin(options: SigninOptions): Result<NewSignin, string> {
  const { workspace, name, clientSecret, drafts, manage, edit } = options
  if (options.issuer === undefined) return failed('--issuer: name the issuer, as in --issuer https://login.example.com')
  const issuer = lowerScheme(options.issuer)
  const way = options.proxyHeader === undefined ? clientWay(options, issuer) : proxyWay(options, options.proxyHeader)
  if (!way.ok) return way
  const rules = rulesOf(options)
  if (!rules.ok) return rules
  return ok({ workspace, name, issuer, way: way.value, clientSecret, rules: rules.value, drafts, manage, edit })
}

function clientWay({ clientId, jwks, audience }: SigninOptions, issuer: string): Result<NewSignin['way'], string> {
  if (jwks !== undefined || audience !== undefined)
    return failed('--jwks and --audience belong to --proxy-header: add it, or remove them')
  if (!clientId) return failed('--client-id: give the id of the client that you registered at the issuer')
  if (!isTrustworthy(issuer) || new URL(issuer).search !== '')
    return failed(
      `--issuer: ${quote(withoutCredentials(issuer))} is not an issuer: write its https address without a name, a password and a query; http is allowed only on this machine`,
    )
  const { hostname, pathname } = new URL(issuer)
  if (hostname === 'login.microsoftonline.com' && /^\/(common|organizations|consumers)(\/|$)/.test(pathname))
    return failed('--issuer: this address is for accounts of any organization: write the one with your tenant id')
  return ok({ clientId })
}

function proxyWay(
  { clientId, clientSecret, jwks, audience }: SigninOptions,
  header: string,
): Result<NewSignin['way'], string> {
  if (clientId !== undefined || clientSecret !== undefined)
    return failed('--proxy-header needs no client: remove --client-id and --client-secret-file')
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header) || UNSIGNED.has(header.toLowerCase()))
    return failed(`--proxy-header: ${quote(header)} is not a header with a signed JWT, such as Cf-Access-Jwt-Assertion`)
  if (jwks === undefined || !isTrustworthy(jwks))
    return failed('--jwks: give the https address of the keys with which the proxy signs')
  if (!audience) return failed('--audience: give the audience that the proxy names for this service')
  return ok({ proxy: { header: header.toLowerCase(), jwks, audience } })
}

/** Fields that browsers send or that mean something else. */
const UNSIGNED: ReadonlySet<string> = new Set(['authorization', 'cookie', 'host', 'origin', 'referer', 'user-agent'])

function rulesOf(options: SigninOptions): Result<NewSignin['rules'], string> {
  const { groupsClaim } = options
  const domains = options.domains.map(comparable)
  const emails = options.emails.map(comparable)
  const domain = domains.find(text => !/^[^\s@][^\s@.]*\.[^\s@]+$/.test(text))
  if (domain !== undefined) return failed(`--allow-domain: ${quote(domain)} is not a domain: write example.com`)
  const email = emails.find(text => !/^[^\s@]+@[^\s@]+$/.test(text))
  if (email !== undefined) return failed(`--allow-email: ${quote(email)} is not an address: write anna@example.com`)
  if (groupsClaim === '') return failed('--groups-claim: give the name of a claim')
  const groups: NewSignin['rules']['groups'] = [
    ...options.groups.map(groupOf),
    ...options.managers.map(text => ({ ...groupOf(text), manage: true as const })),
    ...options.editors.map(text => ({ ...groupOf(text), edit: true as const })),
  ]
  const nameless = groups.find(({ group }) => group === '')
  if (nameless) return failed(`--${rightOf(nameless) ?? 'allow'}-group: give the name of a group`)
  if (domains.length + emails.length + groups.length === 0)
    return failed(
      'no one could sign in: say who may, with --allow-domain, --allow-email or --allow-group, or --manage-group or --edit-group (each may be repeated)',
    )
  return ok({ domains, emails, groups, groupsClaim })
}

function comparable(text: string): string {
  return comparableAddress(text.trim())
}

/**
 * `designers=logo,web`: a group and its projects. The last `=` separates them, because the names of some directories contain
 * one: `CN=Designers=` is such a group, with all projects.
 */
function groupOf(text: string): { group: string; projects?: readonly string[] } {
  const at = text.lastIndexOf('=')
  if (at === -1) return { group: text }
  const projects = text
    .slice(at + 1)
    .split(',')
    .filter(project => project !== '')
  return { group: text.slice(0, at), ...(projects.length > 0 && { projects }) }
}
