import { once } from 'node:events'
import { createServer } from 'node:http'
import { after } from 'node:test'
import type { OAuthClientProvider, OAuthDiscoveryState, OAuthTokens } from '@modelcontextprotocol/client'

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
  } = {
    verifier: '',
    opened: '',
    returned: new URLSearchParams(),
  }
  const server = createServer((request, reply) => {
    kept.returned = new URL(request.url ?? '', 'http://127.0.0.1').searchParams
    reply.setHeader('content-type', 'text/html').end('<!doctype html><title>Notebook</title><p>Connected')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const redirectUrl = `http://127.0.0.1:${port}/callback`
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
