import type { RefusedPerson, RuleProblem } from '../../../access/session/session-verifier.ts'
import { withoutUndefined } from '../../../base/object.ts'
import { failed, ok, type Result } from '../../../base/result.ts'
import type { Request } from '../../../exchange/message.ts'
import type { SigninRecord, SigninRules } from '../../../store/access/signins.ts'
import type { ProjectInstance } from '../../../store/catalogue/catalogue.ts'
import type { Coverage, SigninContext } from '../../context.ts'
import { type Claims, type Identity, identityOf, refusedPerson, subjectHash } from './identity.ts'

/** The verified claims of a person, with the issuer's name for them. */
export type NamedPerson = { claims: Claims; name: string; isProxy: boolean }

/** Applies the rules of a sign-in to a person. Records a refusal; the caller records a sign-in with `record`. */
export function admitPerson(
  context: Pick<SigninContext, 'identity' | 'isEmailLogged' | 'record'>,
  { id, workspace, issuer, settings }: SigninRecord,
  { claims, name, isProxy }: NamedPerson,
  { address }: Request,
) {
  const { rules, drafts } = settings
  const identity = identityOf(claims, { issuer, isProxy, groupsClaim: rules.groupsClaim })
  const subject = subjectHash(issuer, name, context.identity.shareSecret)
  const email = context.isEmailLogged ? identity.email : undefined
  const event = { workspace, signin: id, subject, address, ...withoutUndefined({ email }) }
  const allowed = allowedBy(rules, identity)
  if (!allowed.ok) {
    context.record({ event: 'sign-in-refused', reason: allowed.problem, ...event })
    return failed<RefusedPerson>(refusedPerson(identity, allowed.problem))
  }
  const described = withoutUndefined({ name: identity.name, email: identity.email })
  return ok({
    person: { workspace, signin: id, subject, ...described, ...allowed.value, drafts },
    record: () => context.record({ event: 'signed-in', ...event }),
  })
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
  const lists = matching.map(({ projects }) => projects)
  return ok(lists.some(list => list === undefined) ? {} : { projects: distinct(lists.flatMap(list => list ?? [])) })
}

function distinct(projects: readonly ProjectInstance[]): readonly ProjectInstance[] {
  return [...new Map(projects.map(each => [`${each.project} ${each.instance}`, each])).values()]
}
