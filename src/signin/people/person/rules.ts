import { failed, ok, type Result } from '../../../base/result.ts'
import type { RuleProblem } from '../../../site/pages/refused-person.ts'
import type { SigninRules } from '../../../store/access/signins.ts'
import type { ProjectInstance } from '../../../store/catalogue/catalogue.ts'
import type { Identity } from './identity.ts'

/** The projects that a person may see; absent: all projects of the workspace. */
export type Allowed = { projects?: readonly ProjectInstance[] }

/** Applies the rules of a workspace to a person. The projects of all matching rules count together. */
export function allowedBy(rules: SigninRules, identity: Identity): Result<Allowed, RuleProblem> {
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
