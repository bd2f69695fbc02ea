import type { RefusedPerson } from '../../access/session/session-verifier.ts'
import { type Html, html, type Word } from '../html.ts'
import { contactLink } from '../layout/footer.ts'
import type { Words } from '../words/words.ts'

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
