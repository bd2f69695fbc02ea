import { answerMethod } from '../../contract/route.ts'
import { type Reply, type Request, withHeaders } from '../../exchange/message.ts'
import type { SigninContext } from '../context.ts'
import { finishSignin } from './finish-signin.ts'
import { isRedirectPath, SIGNIN_PATH, SIGNOUT_PATH } from './signin-addresses.ts'
import { signOut, signoutPage } from './signout.ts'
import { startSignin } from './start-signin.ts'

/** Whether a path below the public URL belongs to sign-in. */
export function isSigninPath(path: string): boolean {
  return path === SIGNIN_PATH || path === SIGNOUT_PATH || isRedirectPath(path)
}

/** Answers requests to sign in and out. HEAD never signs anyone in. */
export async function answerPeople(context: SigninContext, request: Request): Promise<Reply> {
  return withHeaders(await replyTo(context, request), ['X-Robots-Tag', 'noindex'])
}

async function replyTo(context: SigninContext, request: Request): Promise<Reply> {
  const { method, path } = request
  if (path === SIGNOUT_PATH && method === 'POST') return signOut(context, request)
  const refused = answerMethod(method === 'HEAD' ? 'POST' : method, context.publicUrl)
  if (refused) return refused
  if (path === SIGNOUT_PATH) return signoutPage(context, request)
  return path === SIGNIN_PATH ? startSignin(context, request) : finishSignin(context, request)
}
