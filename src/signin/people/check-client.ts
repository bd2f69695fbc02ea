import type { Configuration } from 'openid-client'
import { failed, ok, type Result } from '../../base/result.ts'
import { isClientRefused, issuerFailure } from './issuer-failure.ts'

/**
 * Asks for a token with an invented code. Only an issuer that knows the client and its secret answers `invalid_grant`
 * (RFC 6749 §5.2). The value says whether it did; the problem is a message for the operator.
 *
 * @throws if the issuer does not answer
 */
export async function checkClient(
  configuration: Configuration,
  { redirectUri, hasSecret }: { redirectUri: string; hasSecret: boolean },
): Promise<Result<{ isProven: boolean }, string>> {
  const { genericGrantRequest, randomPKCECodeVerifier, ResponseBodyError } = await import('openid-client')
  const parameters = { code: 'invented', redirect_uri: redirectUri, code_verifier: randomPKCECodeVerifier() }
  try {
    await genericGrantRequest(configuration, 'authorization_code', parameters)
    return ok({ isProven: false })
  } catch (error) {
    if (await isClientRefused(error))
      return failed(
        hasSecret
          ? 'the issuer refuses the client: its id or its secret is wrong, or the secret has expired'
          : 'the issuer refuses the client: its id is wrong, or it needs a secret',
      )
    const failure = await issuerFailure(error)
    if (failure === undefined || failure === 'unavailable') throw error
    return ok({ isProven: error instanceof ResponseBodyError && error.error === 'invalid_grant' })
  }
}
