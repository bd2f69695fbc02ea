import { type Html, html } from '../html.ts'
import { contactLink } from '../layout/footer.ts'

/** Why the rules of a workspace refuse a person. */
export type RuleProblem = 'not-allowed' | 'email-unverified' | 'groups-cut'

/** A person whose account is genuine, but whom the rules of a workspace refuse. */
export type RefusedPerson = {
  /** Their address or name; absent if the issuer sends neither. */
  account?: string
  problem: RuleProblem
}

/** Tells a person which account was refused, why, and whom to ask. */
export function refusedText({ account, problem }: RefusedPerson, contact: string | undefined): Html {
  return html`${account !== undefined && html`<p>Your account: <bdi>${account}</bdi></p>\n`}<p>${PROBLEMS[problem]}</p>
<p>If you need access, ask ${whomToAsk(contact)}.</p>`
}

/** The contact of a workspace, if it has one. */
export function whomToAsk(contact: string | undefined): Html {
  return contact === undefined ? html`the person who gave you this address` : contactLink(contact)
}

const PROBLEMS: Readonly<Record<RuleProblem, string>> = {
  'not-allowed': 'Your account is known, but it may not see these guides.',
  'email-unverified':
    'Your account is known, but its e-mail address is not verified. Verify the address where you have the account, or ask its administrator.',
  'groups-cut':
    'Your account belongs to more groups than the sign-in can carry. Ask its administrator to include only the groups that are assigned to this application.',
}
