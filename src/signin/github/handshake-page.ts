import type { Result } from '../../base/result.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import { type Html, html, type Word } from '../../site/html.ts'
import { standalonePage, whomToAsk } from '../../site/pages/standalone-page.ts'
import { readerWords } from '../../site/words/reader-words.ts'
import type { Words } from '../../site/words/words.ts'
import type { SigninContext } from '../context.ts'

/** Why a sign-in at GitHub gave no token. */
export type GithubFailure = 'insecure' | 'expired' | 'refused' | 'unavailable' | 'setup'

/**
 * The page in the window that the editor opened. Its script passes the token, or the title of the failure, to the editor
 * in the form that Netlify's clients agreed on: `authorization:github:success:{"token":"…","provider":"github"}`.
 */
export function handshakePage(
  { assets }: SigninContext,
  request: Request,
  result: Result<string, GithubFailure>,
): Reply {
  const words = readerWords(request)
  const { title, why } = result.ok ? { title: words.signin.signedIn, why: '' } : textsOf(words)[result.problem]
  const content = result.ok ? { token: result.value } : { error: `${title}` }
  const answer = JSON.stringify({ provider: 'github', ...content })
  const message = `authorization:github:${result.ok ? 'success' : 'error'}:${answer}`
  return standalonePage(assets, result.ok ? 200 : STATUSES[result.problem], {
    title,
    text: html`<p data-provider="github" data-message="${message}">${why}</p>`,
    lang: words.lang,
    policies: { kind: 'handshake', formTargets: "'none'" },
  })
}

const STATUSES = { insecure: 403, expired: 400, refused: 400, unavailable: 503, setup: 503 } as const

function textsOf({ signin }: Words): Record<GithubFailure, { title: Word; why: Html | Word }> {
  return {
    insecure: { title: signin.insecure, why: signin.insecureWhy },
    expired: { title: signin.expired, why: signin.expiredWhy },
    refused: { title: signin.notCompleted, why: signin.notCompletedWhy },
    unavailable: { title: signin.unavailable, why: signin.unavailableWhy },
    setup: { title: signin.setup, why: signin.setupWhy({ contact: whomToAsk(signin, undefined) }) },
  }
}
