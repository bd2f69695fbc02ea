import { createHash } from 'node:crypto'
import { ALGORITHMS, type Algorithm } from '../../access/keys/algorithm.ts'
import { loadJose } from '../../access/keys/jose.ts'
import type { Signins } from '../../access/session/open-signins.ts'
import type { Person } from '../../access/session/session-verifier.ts'
import { cacheIssuerKeys, type IssuerKeys } from '../../access/trust/issuer-keys.ts'
import type { FetchJson } from '../../access/trust/key-set.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import type { Request } from '../../exchange/message.ts'
import type { RefusedPerson } from '../../site/pages/refused-person.ts'
import type { ProxyHeader, SigninRecord } from '../../store/access/signins.ts'
import type { Audit } from '../../telemetry/access-event.ts'
import { type Claims, identityOf, refusedPerson, subjectHash } from './person/identity.ts'
import { allowedBy } from './person/rules.ts'

/** People whom an identity-aware proxy has signed in: each of their requests has a JWT that the proxy signed. */
export type ProxiedPeople = {
  /** The person whom a valid JWT of a proxy of this workspace names, if a rule permits it; otherwise undefined. */
  person: (request: Request, workspace: string) => Promise<Person | undefined>
  /** The person whom a valid JWT names, if the rules refuse them. */
  refused: (request: Request, workspace: string) => Promise<RefusedPerson | undefined>
  /** Clears the verified JWTs, after the settings have changed. */
  forget: () => void
}

export type ProxiedPeopleParts = {
  signins: Pick<Signins, 'of'>
  fetchJson: FetchJson
  /** Keys the hashes of subjects. */
  secret: Uint8Array
  caches: Caches
  clock: () => number
  record: Audit
  isEmailLogged: boolean
  /** Reports that the keys of a proxy cannot be read. */
  keysFailed: (error: unknown) => void
}

/** A proxy of a workspace. */
type Proxy = { signin: SigninRecord; settings: ProxyHeader }

/** The person whom a JWT names until it expires, and whether the rules permit them. */
type Named = { expiresAt: Date; allowed: Result<Person, RefusedPerson> }

export function openProxiedPeople(parts: ProxiedPeopleParts): ProxiedPeople {
  const verified = parts.caches.open<Named>('assertions')
  const keysOf = proxyKeys(parts, () => verified.drop(() => true))
  const find = async (request: Request, proxy: Proxy, token: string) => {
    const key = `${proxy.signin.id} ${createHash('sha256').update(token).digest('base64url')}`
    const known = verified.get(key)
    if (known && parts.clock() < known.expiresAt.getTime()) return known
    const named = await verify(parts, request, proxy, token, keysOf(proxy))
    if (!named) return undefined
    verified.set(key, named, memoryOf(named), Math.max(1, named.expiresAt.getTime() - parts.clock()))
    return named
  }
  async function* allowedIn(request: Request, workspace: string) {
    for (const proxy of proxiesOf(parts.signins.of(workspace))) {
      const token = request.assertions?.get(proxy.settings.header)
      const named = token === undefined ? undefined : await find(request, proxy, token)
      if (named) yield named.allowed
    }
  }
  return {
    person: async (request, workspace) => {
      for await (const allowed of allowedIn(request, workspace)) if (allowed.ok) return allowed.value
      return undefined
    },
    refused: async (request, workspace) => {
      let first: RefusedPerson | undefined
      for await (const allowed of allowedIn(request, workspace)) {
        if (allowed.ok) return undefined
        first ??= allowed.problem
      }
      return first
    },
    forget: () => verified.drop(() => true),
  }
}

function proxiesOf(signins: readonly SigninRecord[]): Proxy[] {
  return signins.flatMap(signin => {
    const { way } = signin.settings
    return 'proxy' in way ? [{ signin, settings: way.proxy }] : []
  })
}

/** The keys of each proxy, read on first use. */
function proxyKeys({ fetchJson, clock, keysFailed }: ProxiedPeopleParts, changed: () => void) {
  const opened = new Map<string, IssuerKeys>()
  return ({ signin: { id, issuer }, settings: { jwks } }: Proxy): IssuerKeys => {
    const keys = opened.get(id) ?? cacheIssuerKeys({ issuer, jwks, fetchJson, clock, changed, failed: keysFailed })
    opened.set(id, keys)
    return keys
  }
}

async function verify(
  parts: ProxiedPeopleParts,
  { address }: Request,
  proxy: Proxy,
  token: string,
  keys: IssuerKeys,
): Promise<Named | undefined> {
  const { id: signin, workspace, issuer, settings } = proxy.signin
  const claims = await verifiedClaims(token, proxy, keys, new Date(parts.clock()))
  if (!claims.ok) {
    parts.record({ event: 'sign-in-refused', reason: claims.problem, workspace, signin, address })
    return undefined
  }
  const { subject: name, expiresAt, issuedAt, all } = claims.value
  const identity = identityOf(all, { issuer, isProxy: true, groupsClaim: settings.rules.groupsClaim })
  const subject = subjectHash(issuer, name, parts.secret)
  const logged = parts.isEmailLogged && identity.email !== undefined ? { email: identity.email } : {}
  const event = { workspace, signin, subject, address, ...logged }
  const allowed = allowedBy(settings.rules, identity)
  if (!allowed.ok) {
    parts.record({ event: 'sign-in-refused', reason: allowed.problem, ...event })
    return { expiresAt, allowed: failed(refusedPerson(identity, allowed.problem)) }
  }
  parts.record({ event: 'signed-in', ...event })
  const person = {
    id: '',
    workspace,
    signin,
    subject,
    ...(identity.name !== undefined && { name: identity.name }),
    ...(identity.email !== undefined && { email: identity.email }),
    ...allowed.value,
    drafts: settings.drafts,
    createdAt: issuedAt,
    expiresAt,
  }
  return { expiresAt, allowed: ok(person) }
}

type Verified = { subject: string; expiresAt: Date; issuedAt: Date; all: Claims }

/** Verifies a JWT as RFC 8725 requires: its key and algorithm, issuer, audience and time. */
async function verifiedClaims(
  token: string,
  { signin, settings }: Proxy,
  keys: IssuerKeys,
  currentDate: Date,
): Promise<Result<Verified, 'proxy-token'>> {
  const { jwtVerify, errors } = await loadJose()
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid = '', alg }) => {
        const found = isAlgorithm(alg) ? await keys(kid, alg) : undefined
        if (!found) throw new errors.JWKSNoMatchingKey()
        return found.key()
      },
      {
        algorithms: [...ALGORITHMS],
        issuer: signin.issuer,
        audience: settings.audience,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: TOLERANCE_SECONDS,
        currentDate,
      },
    )
    const { sub = '', exp = 0, iat } = payload
    if (sub === '') return failed('proxy-token')
    const issuedAt = iat === undefined ? currentDate : new Date(iat * 1000)
    return ok({ subject: sub, expiresAt: new Date(exp * 1000), issuedAt, all: payload })
  } catch (error) {
    if (error instanceof errors.JOSEError) return failed('proxy-token')
    throw error
  }
}

function isAlgorithm(name: string): name is Algorithm {
  return ALGORITHMS.some(algorithm => algorithm === name)
}

const TOLERANCE_SECONDS = 30
