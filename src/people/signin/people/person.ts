import { createHmac } from 'node:crypto'
import type { Configuration } from 'openid-client'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { comparableAddress, withoutLastSlash } from '#platform/base/text.ts'
import type { Request } from '#platform/exchange/message.ts'
import type { Entitled } from '#serving/access/session/exercised-rights.ts'
import type { RefusedPerson, RuleProblem } from '#serving/access/session/session-verifier.ts'
import { readerWords } from '#site/words/reader-words.ts'
import type { Coverage } from '#store/access/covered-projects.ts'
import type { Rights } from '#store/access/sessions.ts'
import type { GroupRights, SigninRecord, SigninRules, SigninSettings } from '#store/access/signins.ts'
import type { ProjectInstance } from '#store/catalogue/catalogue.ts'
import type { SigninContext } from '../context.ts'
import { type Claims, claimAt, readGroups } from './groups-claim.ts'
import { ForeignAnswer } from './issuer-failure.ts'

/** A person as the rules of a sign-in see them. */
export type Identity = {
  /** Absent if the claims have none. */
  name?: string
  /** As addresses are compared. */
  email?: string
  isEmailVerified: boolean
  groups: readonly string[]
  /** Whether the claim of groups has a form that is not supported. */
  areGroupsUnreadable: boolean
  /** Whether the person has more groups than the token lists. */
  isGroupListCut: boolean
}

/** The source of claims. A proxy vouches for the addresses that it sends. */
export type ClaimSource = { issuer: string; isProxy: boolean; groupsClaim: string }

/** Reads claims. Values of an unexpected form are ignored, so that they permit nothing. */
export function identityOf(claims: Claims, source: ClaimSource): Identity {
  const email = emailOf(claims.email)
  const { groups, isUnreadable } = readGroups(claimAt(claims, source.groupsClaim))
  const name = claimedName(claims.name) ?? claimedName(claims.preferred_username) ?? claimedName(email)
  return {
    ...withoutUndefined({ name, email }),
    isEmailVerified: email !== undefined && isVerified(claims, email, source),
    groups,
    areGroupsUnreadable: isUnreadable,
    isGroupListCut: isCut(claims, source.groupsClaim),
  }
}

/** Whether the value of a claim for which the rules ask is missing. */
function lacksClaims(claims: Claims, { emails, domains, groups, groupsClaim }: SigninRules): boolean {
  const needs = { email: emails.length + domains.length > 0, groups: groups.length > 0 }
  const lacksEmail = (claims.email ?? undefined) === undefined || verificationOf(claims) === undefined
  return (needs.email && lacksEmail) || (needs.groups && claimAt(claims, groupsClaim) === undefined)
}

/** Hashes an issuer and its name for a person: the person in logs and tokens. */
export function subjectHash(issuer: string, subject: string, secret: Uint8Array): string {
  return createHmac('sha256', secret)
    .update(`subject ${JSON.stringify([issuer, subject])}`)
    .digest('base64url')
}

/** The issuer's statement about the address in the same claims. Entra has `xms_edov` instead of `email_verified`. */
function verificationOf({ email_verified, xms_edov }: Claims): unknown {
  return email_verified ?? xms_edov ?? undefined
}

/** An address in the form in which addresses are compared; undefined for any other value. */
function emailOf(claim: unknown): string | undefined {
  const email = comparableAddress(stringClaim(claim) ?? '')
  return email.length <= MAX_EMAIL && /^[^@\s\p{C}]+@[^@\s\p{C}]+$/u.test(email) ? email : undefined
}

/** RFC 5321 §4.5.3.1.3 */
const MAX_EMAIL = 254

/**
 * Whether the issuer vouches for an address. Google verifies an address once, so that a former employee keeps it: it only
 * vouches for addresses of a hosted domain (`hd`), or of its own.
 */
function isVerified(claims: Claims, email: string, { issuer, isProxy }: ClaimSource): boolean {
  const stated = verificationOf(claims)
  const isStated = stated === undefined ? isProxy : [true, 'true', 1, '1'].some(yes => yes === stated)
  if (withoutLastSlash(issuer) !== GOOGLE) return isStated
  return isStated && (email.endsWith('@gmail.com') || stringClaim(claims.hd) !== undefined)
}

const GOOGLE = 'https://accounts.google.com'

/** Whether a list of groups is missing because it is too long: Entra names another source for it, or only states that it exists. */
function isCut(claims: Claims, groupsClaim: string): boolean {
  if (claimAt(claims, groupsClaim) !== undefined) return false
  const names = claims[ELSEWHERE]
  const isElsewhere = typeof names === 'object' && names !== null && Object.hasOwn(names, groupsClaim)
  return isElsewhere || claims.hasgroups === true || claims.hasgroups === 'true'
}

/** The claim of OpenID Connect Core 1.0 §5.6.2. */
const ELSEWHERE = '_claim_names'

function stringClaim(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined
}

/** A name of one line without control characters. */
function claimedName(claim: unknown): string | undefined {
  const name = stringClaim(claim)
    ?.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return name ? [...name].slice(0, MAX_NAME).join('') : undefined
}

const MAX_NAME = 100

/** The verified answer of an issuer about a person. Its ID token may be absent after a refresh. */
export type PersonAnswer = { claims: Claims; accessToken: string; subject: string }

/**
 * Completes the claims of an ID token from the issuer's userinfo, if the rules need more than it has.
 *
 * @throws {ForeignAnswer} if another client requested the token (OpenID Connect Core 1.0 §3.1.3.7), or if it names no
 * person or two
 */
export async function completeClaims(
  configuration: Configuration,
  { settings: { rules } }: SigninRecord,
  { claims, accessToken, subject }: PersonAnswer,
): Promise<Claims> {
  if (subject === '') throw new ForeignAnswer('the answer names no person')
  if (claims.azp !== undefined && claims.azp !== configuration.clientMetadata().client_id)
    throw new ForeignAnswer('another client requested the ID token')
  const isComplete = !lacksClaims(claims, rules) || !configuration.serverMetadata().userinfo_endpoint
  if (isComplete) return claims
  const client = await import('openid-client')
  const more = await client.fetchUserInfo(configuration, accessToken, client.skipSubjectCheck)
  if (more.sub !== subject) throw new ForeignAnswer('userinfo is about another person')
  return joinClaims(claims, more, rules.groupsClaim)
}

/**
 * Joins the claims of the ID token and those of userinfo (`more`). The first count first, but an address and its verification
 * come from the same place.
 */
function joinClaims(claims: Claims, more: Claims, groupsClaim: string): Claims {
  const addressClaims = verificationOf(claims) === undefined && (more.email ?? undefined) !== undefined ? more : claims
  const groups = claimAt(claims, groupsClaim) ?? claimAt(more, groupsClaim)
  const address = { email: addressClaims.email, email_verified: verificationOf(addressClaims), xms_edov: undefined }
  return { ...more, ...claims, ...address, [groupsClaim]: groups }
}

/** The claims for which the rules ask, except absent ones. */
export function ruleClaims(claims: Claims, { groupsClaim }: Pick<SigninRules, 'groupsClaim'>): Claims {
  const { email, hd } = claims
  const groups = claimAt(claims, groupsClaim)
  const named = { email, email_verified: verificationOf(claims), hd, [groupsClaim]: groups }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined && value !== null))
}

/**
 * The claims of a new answer, completed by the last claims for which the rules ask: a claim that is absent now does not say
 * that a person has no groups any more. The verification of an address belongs to that address.
 */
export function withLastClaims(claims: Claims, last: Claims, rules: Pick<SigninRules, 'groupsClaim'>): Claims {
  const { email, email_verified, hd, ...statedGroups } = ruleClaims(claims, rules)
  const { email: lastEmail, email_verified: lastVerified, hd: lastHd, ...lastGroups } = last
  const isSame = emailOf(email) === emailOf(lastEmail)
  // A new address has only what this answer says of it; without one, all of the last address counts.
  const address =
    email === undefined
      ? { email: lastEmail, email_verified: lastVerified, hd: lastHd }
      : {
          email,
          email_verified: email_verified ?? (isSame ? lastVerified : undefined),
          hd: hd ?? (isSame ? lastHd : undefined),
        }
  return { ...claims, ...lastGroups, ...statedGroups, ...address, xms_edov: undefined }
}

/** Verified claims, and the name that the issuer has for the person (`sub`). */
export type NamedPerson = { claims: Claims; name: string; isProxy: boolean }

/** Applies the rules of a sign-in to a person. Records a refusal; the caller records a sign-in with `record`. */
export function admitPerson(
  context: Pick<SigninContext, 'settings' | 'access'>,
  { id, workspace, issuer, settings }: SigninRecord,
  { claims, name, isProxy }: NamedPerson,
  request: Request,
) {
  const { address } = request
  const { rules } = settings
  const identity = identityOf(claims, { issuer, isProxy, groupsClaim: rules.groupsClaim })
  const subject = subjectHash(issuer, name, context.access.identity.shareSecret)
  const { email, isEmailVerified } = identity
  const emailFields = withoutUndefined(isEmailVerified ? { email } : { unverifiedEmail: email })
  const event = { workspace, signin: id, subject, address, ...(context.settings.logEmail && emailFields) }
  const allowed = allowedBy(rules, identity)
  if (!allowed.ok) {
    const isUnreadable = identity.areGroupsUnreadable && rules.groups.length > 0 && allowed.problem === 'not-allowed'
    const reason = isUnreadable ? 'groups-unreadable' : allowed.problem
    context.access.record({ event: 'sign-in-refused', reason, ...event })
    const account = email ?? identity.name
    return failed<RefusedPerson>({ ...withoutUndefined({ account }), problem: allowed.problem })
  }
  const nameFields = withoutUndefined({ name: shownName(identity, request) })
  const rights = rightsOf(settings, identity, allowed.value)
  return ok({
    person: { workspace, signin: id, subject, ...nameFields, ...emailFields, ...rights },
    record: () => context.access.record({ event: 'signed-in', ...event }),
  })
}

/** The name of a person. One that looks like another address than the verified one says that it is not verified. */
function shownName({ name, email, isEmailVerified }: Identity, request: Request): string | undefined {
  const isOwn = isEmailVerified && name !== undefined && comparableAddress(name) === email
  if (!name?.normalize('NFKC').includes('@') || isOwn) return name
  return `${readerWords(request).manage.people.unverified({ email: name })}`
}

/** A person whom the rules refuse, to whom nothing is left of earlier rights. */
export function withoutRights(
  { access }: Pick<SigninContext, 'access'>,
  { id, workspace, issuer }: SigninRecord,
  name: string,
): Entitled {
  return { workspace, signin: id, subject: subjectHash(issuer, name, access.identity.shareSecret), drafts: false }
}

/** The rights that the settings of an issuer give to a person who may see the projects of `coverage`. */
export function rightsOf(settings: SigninSettings, { groups }: Identity, coverage: Coverage): Required<Rights> {
  const { rules, drafts, manage, edit } = settings
  // The right may be for everybody who signs in, or for members of groups, with the projects of their rules.
  const coveredBy = (right: keyof GroupRights): Coverage | undefined => {
    if (settings[right]) return coverage
    const givingRules = rules.groups.filter(rule => rule[right] && groups.includes(rule.group))
    return givingRules.length > 0 ? unionOf(givingRules) : undefined
  }
  const rights = { manages: coveredBy('manage'), edits: coveredBy('edit') }
  return { projects: coverage.projects, drafts: drafts || manage === true || edit === true, ...rights }
}

/** Applies the rules of a workspace to a person. The projects of all matching rules count together. */
export function allowedBy(rules: SigninRules, identity: Identity): Result<Coverage, RuleProblem> {
  const { email = '', isEmailVerified, groups, isGroupListCut } = identity
  const isNamed = rules.emails.includes(email) || rules.domains.includes(email.slice(email.lastIndexOf('@') + 1))
  if (isNamed && isEmailVerified) return ok({})
  // An incomplete list would silently give fewer projects than the person has.
  if (rules.groups.length > 0 && isGroupListCut) return failed('groups-cut')
  const matching = rules.groups.filter(({ group }) => groups.includes(group))
  if (matching.length === 0) return failed(isNamed ? 'email-unverified' : 'not-allowed')
  return ok(unionOf(matching))
}

/** The projects of several rules together; all projects of the workspace if one of them has no list. */
function unionOf(parts: readonly Coverage[]): Coverage {
  const lists = parts.map(({ projects }) => projects)
  return lists.some(list => list === undefined) ? {} : { projects: distinct(lists.flatMap(list => list ?? [])) }
}

function distinct(projects: readonly ProjectInstance[]): readonly ProjectInstance[] {
  return [...new Map(projects.map(each => [`${each.project} ${each.instance}`, each])).values()]
}
