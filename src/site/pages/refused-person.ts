import { type Html, html, type Word } from '../html.ts'
import { contactLink } from '../layout/footer.ts'
import type { Words } from '../words/words.ts'

/** Why the rules of a workspace refuse a person. */
export type RuleProblem = 'not-allowed' | 'email-unverified' | 'groups-cut'

/** A person whose account is genuine, but whom the rules of a workspace refuse. */
export type RefusedPerson = {
  /** Their address or name; absent if the issuer sends neither. */
  account?: string
  problem: RuleProblem
}

/** Tells a person which account was refused, why, and whom to ask. */
export function refusedText({ signin }: Words, { account, problem }: RefusedPerson, contact: string | undefined): Html {
  const accountLine =
    account !== undefined && html`<p>${signin.account({ account: html`<bdi>${account}</bdi>` })}</p>\n`
  return html`${accountLine}<p>${signin.refusals[problem]}</p>
<p>${signin.needAccess({ contact: whomToAsk(signin, contact) })}</p>`
}

/** The contact of a workspace, or else the sender of its address. */
export function whomToAsk({ sender }: Words['signin'], contact: string | undefined): Html | Word {
  return contact === undefined ? sender : contactLink(contact)
}
