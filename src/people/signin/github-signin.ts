import { hash } from 'node:crypto'
import type { Route } from '#brand/contract/route.ts'
import { equalsInConstantTime } from '#platform/base/bytes.ts'
import { field } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import { OutgoingError } from '#platform/outgoing/outgoing-fetch.ts'
import { type Html, html, type Word } from '#site/html.ts'
import { notFound } from '#site/pages/not-found.ts'
import { standalonePage, whomToAsk } from '#site/pages/standalone-page.ts'
import { readerWords } from '#site/words/reader-words.ts'
import type { Words } from '#site/words/words.ts'
import type { GithubApp, SigninContext } from './context.ts'
import { endedFlowCookie, flowCookie, randomValue, readFlows } from './people/flow-cookie.ts'
import { lacksSecureAddress, leadTo } from './people/signin-addresses.ts'

/** The address that the editor opens in a window, and the one to which GitHub redirects, below the public URL. */
export const GITHUB_SIGNIN_PATH = '/-/edit/auth'
const CALLBACK_PATH = `${GITHUB_SIGNIN_PATH}/callback`

/** The addresses to sign in to the editor at GitHub, which gives tokens only to an app that knows its secret. */
export const GITHUB_ROUTES: readonly Route<{ signin: SigninContext }>[] = [
  githubRoute(GITHUB_SIGNIN_PATH, start),
  githubRoute(CALLBACK_PATH, finish),
]

type Handler = (context: SigninContext, request: Request, app: GithubApp) => Promise<Reply>

/** Without an app, nothing is at these addresses. */
function githubRoute(pattern: string, answer: Handler): (typeof GITHUB_ROUTES)[number] {
  return {
    pattern,
    methods: ['GET', 'OPTIONS'],
    name: 'signin',
    who: 'everyone',
    limit: 'address',
    answer: async ({ signin }, request) => {
      if (!signin.github) return notFound(request, signin.site)
      return withHeaders(await answer(signin, request, signin.github), ['X-Robots-Tag', 'noindex'])
    },
  }
}

/** Redirects to GitHub. Nothing in the query of the editor is passed on. A link of another site begins nothing. */
async function start(context: SigninContext, request: Request, app: GithubApp): Promise<Reply> {
  if (lacksSecureAddress(context.access.publicUrl, request.isHttps))
    return handshakePage(context, request, failed('insecure'))
  const { 'sec-fetch-site': site = 'same-origin' } = request.headers
  if (site !== 'same-origin') {
    const { address } = request
    context.access.record({ event: 'sign-in-refused', reason: 'cross-site', signin: 'github', address })
    return handshakePage(context, request, failed('expired'))
  }
  const [state, codeVerifier] = [randomValue(), randomValue()]
  const query = new URLSearchParams({
    client_id: app.id,
    redirect_uri: context.access.publicUrl + CALLBACK_PATH,
    scope: SCOPE,
    state,
    code_challenge: hash('sha256', codeVerifier, 'base64url'),
    code_challenge_method: 'S256',
  })
  const cookie = await flowCookie(cookiesOf(context, app), request, { state, codeVerifier })
  return leadTo(`${app.origin}/login/oauth/authorize?${query}`, cookie)
}

/** Private repositories need `repo`. The editor shows the person's name and picture. Apps with permissions ignore it. */
const SCOPE = 'repo read:user'

function cookiesOf({ access }: SigninContext, { flowKey }: GithubApp) {
  return { access, flowKey, cookie: 'housestyle_editor' }
}

/** Answers at the redirect address: exchanges the code if this browser began the sign-in, and passes on the token. */
async function finish(context: SigninContext, request: Request, app: GithubApp): Promise<Reply> {
  const query = new URLSearchParams(request.query)
  const flows = await readFlows<GithubFlow>(cookiesOf(context, app), request)
  const flow = flows.find(({ state }) => equalsInConstantTime(state, query.get('state') ?? ''))
  const result = flow ? await tokenFrom(context, app, flow, query) : failed<GithubFailure>('expired')
  const { address } = request
  if (!result.ok)
    context.access.record({ event: 'sign-in-refused', reason: REASONS[result.problem], signin: 'github', address })
  return withHeaders(handshakePage(context, request, result), [
    'Set-Cookie',
    endedFlowCookie(cookiesOf(context, app), request, flow?.state ?? ''),
  ])
}

type GithubFlow = { state: string; codeVerifier: string }

const REASONS: Readonly<Record<GithubFailure, string>> = {
  insecure: 'state',
  expired: 'state',
  refused: 'answer',
  unavailable: 'issuer-unavailable',
  setup: 'issuer-setup',
}

/** Exchanges the code in GitHub's answer for a token. Logs neither of them. */
async function tokenFrom(
  { access: { publicUrl }, log }: SigninContext,
  app: GithubApp,
  { codeVerifier }: GithubFlow,
  query: URLSearchParams,
): Promise<Result<string, GithubFailure>> {
  const code = query.get('code')
  const redirect_uri = publicUrl + CALLBACK_PATH
  try {
    const answer = code
      ? await exchange(app, { code, redirect_uri, code_verifier: codeVerifier })
      : { error: query.get('error') }
    const token = field(answer, 'access_token')
    if (typeof token === 'string' && /^[\x21-\x7e]{1,1000}$/.test(token)) return ok(token)
    const setup = SETUP_ERRORS.find(error => error === field(answer, 'error'))
    if (setup === undefined) return failed('refused')
    log.warn({ signin: 'github' }, `GitHub does not accept HOUSESTYLE_GITHUB_APP: ${setup}`)
    return failed('setup')
  } catch (error) {
    // A reply that is not JSON comes from a GitHub that does not work.
    if (!(error instanceof OutgoingError || error instanceof SyntaxError)) throw error
    if (error instanceof OutgoingError) log.warn({ signin: 'github' }, error.message)
    return failed('unavailable')
  }
}

async function exchange(
  { id, secret, origin, fetch }: GithubApp,
  fields: Readonly<Record<string, string>>,
): Promise<unknown> {
  const reply = await fetch(`${origin}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_id: id, client_secret: secret, ...fields }),
  })
  return reply.json()
}

/** The errors that only the operator can correct. */
const SETUP_ERRORS = ['incorrect_client_credentials', 'redirect_uri_mismatch', 'application_suspended']

type GithubFailure = 'insecure' | 'expired' | 'refused' | 'unavailable' | 'setup'

/**
 * The page in the window that the editor opened. Its script passes the token, or the title of the failure, to the editor
 * in the form that Netlify's clients agreed on: `authorization:github:success:{"token":"…","provider":"github"}`.
 */
function handshakePage({ site }: SigninContext, request: Request, result: Result<string, GithubFailure>): Reply {
  const words = readerWords(request)
  const { title, why } = result.ok ? { title: words.signin.signedIn, why: '' } : textsOf(words)[result.problem]
  const content = result.ok ? { token: result.value } : { error: `${title}` }
  const answer = JSON.stringify({ provider: 'github', ...content })
  const message = `authorization:github:${result.ok ? 'success' : 'error'}:${answer}`
  return standalonePage(site.assets, result.ok ? 200 : STATUSES[result.problem], {
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
