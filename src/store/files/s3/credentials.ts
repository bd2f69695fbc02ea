import { type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { defaultProvider } from '@aws-sdk/credential-provider-node'

/** Credentials from the variables, files and roles of AWS tools. Files are read again at each renewal. */
export function machineCredentials(): ReturnType<typeof defaultProvider> {
  return defaultProvider({ ignoreCache: true })
}

/**
 * Makes a client renew its credentials if the server rejects them, and repeat the request if they have changed. By
 * itself, the client renews credentials only before they expire, so never those of a profile, which have no expiry
 * date.
 */
export function renewCredentials({ config, middlewareStack }: S3Client): void {
  middlewareStack.add(
    (next, { commandName }) =>
      async args => {
        const used = await config.credentials()
        try {
          return await next(args)
        } catch (error) {
          if (!refusesKeys(error, commandName)) throw error
          const renewed = await config.credentials({ forceRefresh: true }).catch(() => used)
          if (isSame(used, renewed)) throw error
          return next(args)
        }
      },
    { step: 'initialize', name: 'keys' },
  )
}

type Keys = Awaited<ReturnType<S3Client['config']['credentials']>>

function isSame(one: Keys, other: Keys): boolean {
  return (
    one.accessKeyId === other.accessKeyId &&
    one.secretAccessKey === other.secretAccessKey &&
    one.sessionToken === other.sessionToken
  )
}

/** A reply to HEAD has no body with a reason. */
function refusesKeys(error: unknown, commandName: string | undefined): boolean {
  if (!(error instanceof S3ServiceException)) return false
  return REFUSED.has(error.name) || (commandName === 'HeadObjectCommand' && error.$metadata.httpStatusCode === 403)
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const REFUSED: ReadonlySet<string> = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'TokenRefreshRequired',
])
