import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { Service } from '#program/http/service/service.ts'
import { FORM, type Visit, type Visitor, visitOf } from './visitor.ts'

/** A program that connects to a service. */
export type Program = { clientId: string; redirectUri: string; resource: string; scope?: string }

/** A begun authorization: the target of its first request, and the secret that redeems its code. */
export function authorization({ clientId, redirectUri, resource, scope }: Program): {
  target: string
  verifier: string
} {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'a-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
    ...(scope !== undefined && { scope }),
  })
  return { target: `/oauth/authorize?${query}`, verifier }
}

/** The path and the query of the address that a reply redirects to. */
export function redirectOf({ status, headers, text }: Visit): string {
  assert.equal(status, 303, text)
  return headers.get('location') ?? ''
}

/** The hidden proof in a form. */
export function proofIn({ text }: Visit): string {
  return /name="proof" value="([^"]+)"/.exec(text)?.[1] ?? ''
}

/** Begins an authorization in a browser that may see the guide, allows it, and returns the code and its secret. */
export async function allow(browser: Visitor, program: Program): Promise<{ code: string; verifier: string }> {
  const { target, verifier } = authorization(program)
  const consent = redirectOf(await browser.get(target))
  const page = await browser.get(consent)
  assert.equal(page.status, 200, page.text)
  const decided = await browser.post(consent, { action: 'allow', proof: proofIn(page) })
  const back = new URL(redirectOf(await browser.get(redirectOf(decided))))
  assert.equal(back.searchParams.get('iss'), new URL(program.resource).origin)
  assert.equal(back.searchParams.get('state'), 'a-state')
  return { code: back.searchParams.get('code') ?? '', verifier }
}

/** Sends a form of a program to an address of the service, and returns its JSON. */
export async function postForm(service: Service, path: string, fields: Readonly<Record<string, string>>) {
  const body = new TextEncoder().encode(new URLSearchParams(fields).toString())
  const headers = { 'content-type': FORM }
  const sent = { method: 'POST', path, query: '', headers, authorizations: 0, address: '198.51.100.4', body }
  const { status, text, headers: fieldsOut } = visitOf(await service(sent))
  return { status, headers: fieldsOut, body: JSON.parse(text === '' ? '{}' : text) }
}

/** The token request for a code. */
export function tokenRequest(
  { clientId, redirectUri }: Program,
  { code, verifier }: { code: string; verifier: string },
) {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  }
}
