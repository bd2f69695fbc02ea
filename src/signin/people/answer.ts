import { andThen } from '../../base/promise.ts'
import type { Route } from '../../contract/route.ts'
import { type Reply, type Request, withHeaders } from '../../exchange/message.ts'
import type { SigninContext } from '../context.ts'
import { finishSignin } from './finish-signin.ts'
import { SIGNED_IN_PATH, SIGNIN_PATH, SIGNOUT_PATH } from './signin-addresses.ts'
import { signOut, signoutPage } from './signout.ts'
import { startSignin } from './start-signin.ts'

/** The addresses to sign in and out. */
export const SIGNIN_ROUTES: readonly Route<{ signin: SigninContext }>[] = [
  signinRoute(SIGNIN_PATH, startSignin),
  signinRoute(SIGNED_IN_PATH, finishSignin),
  signinRoute(`${SIGNED_IN_PATH}/{issuer}`, finishSignin),
  signinRoute(SIGNOUT_PATH, signoutPage, signOut),
]

type Handler = (context: SigninContext, request: Request) => Promise<Reply>

/** A row with its handlers of GET and POST. HEAD never signs anyone in. */
function signinRoute(pattern: string, get: Handler, post?: Handler): (typeof SIGNIN_ROUTES)[number] {
  return {
    pattern,
    methods: post ? ['GET', 'POST', 'OPTIONS'] : ['GET', 'OPTIONS'],
    name: 'signin',
    who: 'everyone',
    limit: 'address',
    answer: ({ signin }, request) => {
      const handler = request.method === 'POST' && post ? post : get
      return andThen(handler(signin, request), reply => withHeaders(reply, ['X-Robots-Tag', 'noindex']))
    },
  }
}
