import type { OAuthClientProvider, OAuthDiscoveryState, OAuthTokens } from '@modelcontextprotocol/client'
import { localServer } from './local-server.ts'

/** A program on this computer, as the official client sees it: it keeps what it gets in memory. */
export type LocalProgram = {
  provider: OAuthClientProvider
  /** The address that the client opened last. */
  opened: () => string
  /** The parameters with which the browser returned last. */
  returned: () => URLSearchParams
  tokens: () => OAuthTokens | undefined
}

/** Starts a program that listens for the browser's return until the tests are done. */
export async function localProgram(clientId: string): Promise<LocalProgram> {
  const kept: {
    tokens?: OAuthTokens
    discovery?: OAuthDiscoveryState
    verifier: string
    opened: string
    returned: URLSearchParams
  } = { verifier: '', opened: '', returned: new URLSearchParams() }
  const { url } = await localServer((request, reply) => {
    kept.returned = new URL(request.url ?? '', 'http://127.0.0.1').searchParams
    reply.setHeader('content-type', 'text/html').end('<!doctype html><title>Notebook</title><p>Connected')
  })
  const redirectUrl = `${url}/callback`
  return {
    opened: () => kept.opened,
    returned: () => kept.returned,
    tokens: () => kept.tokens,
    provider: {
      redirectUrl,
      clientMetadata: { redirect_uris: [redirectUrl], client_name: 'Notebook' },
      clientInformation: () => ({ client_id: clientId }),
      tokens: () => kept.tokens,
      saveTokens: tokens => {
        kept.tokens = tokens
      },
      state: () => 'a-state',
      redirectToAuthorization: url => {
        kept.opened = url.href
      },
      saveCodeVerifier: verifier => {
        kept.verifier = verifier
      },
      codeVerifier: () => kept.verifier,
      saveDiscoveryState: state => {
        kept.discovery = state
      },
      discoveryState: () => kept.discovery,
    },
  }
}
