import { answerMethod } from '../../contract/route.ts'
import { type Reply, type Request, withHeaders } from '../../exchange/message.ts'
import { finishSignin } from './finish-signin.ts'
import { type PeopleParts, SIGNIN_PATH, SIGNOUT_PATH } from './people-parts.ts'
import { isRedirectPath } from './redirect-path.ts'
import { signOut, signoutPage } from './signout.ts'
import { startSignin } from './start-signin.ts'

/** Whether a path below the public URL belongs to sign-in. */
export function isSigninPath(path: string): boolean {
  return path === SIGNIN_PATH || path === SIGNOUT_PATH || isRedirectPath(path)
}

/** Answers requests to sign in and out. HEAD never signs anyone in. */
export async function answerPeople(parts: PeopleParts, request: Request): Promise<Reply> {
  return withHeaders(await replyTo(parts, request), ['X-Robots-Tag', 'noindex'])
}

async function replyTo(parts: PeopleParts, request: Request): Promise<Reply> {
  const { method, path } = request
  if (path === SIGNOUT_PATH && method === 'POST') return signOut(parts, request)
  const refused = answerMethod(method === 'HEAD' ? 'POST' : method, parts.publicUrl)
  if (refused) return refused
  if (path === SIGNOUT_PATH) return signoutPage(parts, request)
  return path === SIGNIN_PATH ? startSignin(parts, request) : finishSignin(parts, request)
}
