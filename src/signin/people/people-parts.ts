import type { Signins } from '../../access/session/open-signins.ts'
import type { Sessions } from '../../access/session/session-verifier.ts'
import type { Request } from '../../exchange/message.ts'
import type { NotFoundParts } from '../../site/pages/not-found.ts'
import type { Audit } from '../../telemetry/access-event.ts'
import type { Log } from '../../telemetry/log.ts'
import type { FlowCookies } from './flow-cookie.ts'
import type { IssuerClients } from './issuer/issuer-clients.ts'

/** The parts that sign people in and out. */
export type PeopleParts = NotFoundParts & {
  signins: Signins
  sessions: Sessions
  clientOf: IssuerClients
  /** The cookies of sign-ins under way, as the scheme of the request permits. */
  flows: (request: Request) => FlowCookies
  /** The key that encrypts the tokens of issuers. */
  issuerTokensKey: () => Promise<Uint8Array>
  /** Keys the hashes of subjects. */
  secret: Uint8Array
  sessionMs: number
  /** Whether the log has e-mail addresses. */
  isEmailLogged: boolean
  clock: () => number
  record: Audit
  log: Log
}

/** The paths below the public URL. */
export const SIGNIN_PATH = '/-/signin'
export const SIGNED_IN_PATH = '/-/signed-in'
export const SIGNOUT_PATH = '/-/signout'
