import { isObject } from '#platform/base/object.ts'
export type Claims = Readonly<Record<string, unknown>>

/**
 * The claim with this name, or else at this path: `realm_access.roles` is the member `roles` of the claim `realm_access`.
 * Names may contain dots themselves, such as `https://acme.example/groups`. Undefined if it is absent or null.
 */
export function claimAt(claims: Claims, path: string): unknown {
  const named = ownClaim(claims, path)
  if (!ABSENT.has(named)) return named
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    const inner = ownClaim(claims, name)
    const value = isObject(inner) ? claimAt(inner, path.slice(dot + 1)) : undefined
    if (value !== undefined) return value
  }
  return undefined
}

/** The claim with a name; undefined for a name that every object inherits, such as `constructor`. */
function ownClaim(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined
}

const ABSENT: ReadonlySet<unknown> = new Set([undefined, null])

/** The groups of a claim, and whether it has a form that gives none. */
export type Groups = { groups: readonly string[]; isUnreadable: boolean }

/** Reads a list, a map whose keys are the groups, or one string: a group, or a list separated by `,`, `;` or spaces. */
export function readGroups(claim: unknown): Groups {
  if (ABSENT.has(claim)) return { groups: [], isUnreadable: false }
  if (Array.isArray(claim)) {
    const groups = claim.filter(group => typeof group === 'string')
    return { groups, isUnreadable: groups.length === 0 && claim.length > 0 }
  }
  if (typeof claim === 'string') return { groups: groupsInText(claim), isUnreadable: false }
  if (!isObject(claim)) return { groups: [], isUnreadable: true }
  const groups = Object.keys(claim).filter(group => !NO_MEMBER.has(claim[group]))
  return { groups, isUnreadable: false }
}

/** The values of a group in a map that the person is not in. */
const NO_MEMBER: ReadonlySet<unknown> = new Set([false, null])

/** The groups in a string: all of it, because the names of some groups contain spaces or commas, then its parts. */
function groupsInText(text: string): string[] {
  const separator = /[,;]/.test(text) ? /[,;]/ : /\s/
  const parts = text.split(separator).map(part => part.trim())
  return [...new Set([text, ...parts])].filter(group => group !== '')
}
