import { hash } from 'node:crypto'
import type { JWTHeaderParameters } from 'jose'
import { errorMessage } from '#platform/base/error.ts'
import { withReason } from '#platform/base/reason.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import type { Request } from '#platform/exchange/message.ts'
import type { ClockWatch } from '#platform/telemetry/clock-watch.ts'
import { ALGORITHMS, type Algorithm, unlessRefused } from '#serving/access/keys/jose.ts'
import { endLostRights } from '#serving/access/session/exercised-rights.ts'
import type { Person, RefusedPerson } from '#serving/access/session/session-verifier.ts'
import { LEEWAY_SECONDS } from '#serving/access/token/verify.ts'
import { cacheIssuerKeys, type IssuerKeys, openFetchJson } from '#serving/access/trust/issuer-keys.ts'
import type { ProxyHeader, SigninRecord } from '#store/access/signins.ts'
import type { SigninContext } from '../context.ts'
import type { Claims } from './groups-claim.ts'
import { admitPerson, withoutRights } from './person.ts'

/** People whom an identity-aware proxy has signed in: each of their requests has a JWT that the proxy signed. */
export type ProxiedPeople = {
  /** The person whom a valid JWT of a proxy of this workspace names, if a rule permits it; otherwise undefined. */
  person: (request: Request, workspace: string) => Promise<Person | undefined>
  /** The first person whom a valid JWT names and all rules refuse. */
  refused: (request: Request, workspace: string) => Promise<RefusedPerson | undefined>
  /** Forgets all verified JWTs, after settings or keys have changed. */
  forget: () => void
}

type ProxyParts = Pick<SigninContext, 'settings' | 'access' | 'signins' | 'log'> & {
  issuers: { clockWatch: ClockWatch; countFailure: (kind: 'proxy') => void }
}

type Proxy = { signin: SigninRecord; settings: ProxyHeader }

/** The person whom a JWT names, as the rules allow or refuse them, until the JWT expires. */
type Named = { expiresAt: Date; allowed: Result<Person, RefusedPerson> }

/** Opens the people of proxies. Each JWT is verified once, and its person is cached until it expires. */
export function openProxiedPeople(context: ProxyParts): ProxiedPeople {
  const verified = context.access.caches.open<Named>('assertions')
  const keysOf = proxyKeys(context, () => verified.drop(() => true))
  /** The person whom a JWT of a proxy names; undefined if it is not valid. */
  const find = async (request: Request, proxy: Proxy, token: string) => {
    const key = `${proxy.signin.id} ${hash('sha256', token, 'base64url')}`
    const cached = verified.get(key)
    if (cached && context.access.clock() < cached.expiresAt.getTime()) return cached
    const named = await verify(context, request, proxy, token, keysOf(proxy))
    if (!named) return undefined
    verified.set(key, named, memoryOf(named), Math.max(1, named.expiresAt.getTime() - context.access.clock()))
    return named
  }
  /** The people whom a request names, as their rules allow or refuse them, one for each proxy with a valid JWT. */
  async function* allowedIn(request: Request, workspace: string) {
    for (const proxy of proxiesOf(context.signins.of(workspace))) {
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
      let firstRefused: RefusedPerson | undefined
      for await (const allowed of allowedIn(request, workspace)) {
        if (allowed.ok) return undefined
        firstRefused ??= allowed.problem
      }
      return firstRefused
    },
    forget: () => verified.drop(() => true),
  }
}

/** The sign-ins that are proxies. */
function proxiesOf(signins: readonly SigninRecord[]): Proxy[] {
  return signins.flatMap(signin => {
    const { way } = signin.settings
    return 'proxy' in way ? [{ signin, settings: way.proxy }] : []
  })
}

/** Makes the function that gives the keys of a proxy, which are read from its address. `changed` is called for new keys. */
function proxyKeys({ access, log, issuers }: ProxyParts, changed: () => void) {
  const fetchJson = openFetchJson(issuers.clockWatch.compare)
  const failed = (error: unknown) => {
    issuers.countFailure('proxy')
    log.warn({ err: error }, withReason('the keys of a proxy cannot be read', errorMessage(error)))
  }
  const opened = new Map<string, IssuerKeys>()
  return ({ signin: { id, issuer }, settings: { jwks } }: Proxy): IssuerKeys => {
    const keys = opened.get(id) ?? cacheIssuerKeys({ issuer, jwks, fetchJson, clock: access.clock, changed, failed })
    opened.set(id, keys)
    return keys
  }
}

/** Verifies a JWT, and applies the rules to its person. An invalid one is recorded. */
async function verify(
  context: ProxyParts,
  request: Request,
  proxy: Proxy,
  token: string,
  keys: IssuerKeys,
): Promise<Named | undefined> {
  const { id: signin, workspace } = proxy.signin
  const early = (aheadMs: number) => context.issuers.clockWatch.early(proxy.signin.issuer, aheadMs)
  const verified = await verifiedClaims(token, proxy, keys, { currentDate: new Date(context.access.clock()), early })
  if (!verified.ok) {
    const { address } = request
    context.access.record({ event: 'sign-in-refused', reason: verified.problem, workspace, signin, address })
    return undefined
  }
  const { name, expiresAt, issuedAt, claims } = verified.value
  const admitted = admitPerson(context, proxy.signin, { claims, name, isProxy: true }, request)
  if (!admitted.ok) {
    await endLostRights(context.access, withoutRights(context, proxy.signin, name))
    return { expiresAt, allowed: admitted }
  }
  const { person, record } = admitted.value
  await endLostRights(context.access, person)
  record()
  return { expiresAt, allowed: ok({ id: '', ...person, createdAt: issuedAt, expiresAt }) }
}

type Verified = { name: string; expiresAt: Date; issuedAt: Date; claims: Claims }

/** Verifies a JWT as RFC 8725 requires: its key and algorithm, issuer, audience and time. */
async function verifiedClaims(
  token: string,
  { signin, settings }: Proxy,
  keys: IssuerKeys,
  { currentDate, early }: { currentDate: Date; early: (aheadMs: number) => void },
): Promise<Result<Verified, 'proxy-token'>> {
  const options = {
    algorithms: [...ALGORITHMS],
    issuer: signin.issuer,
    audience: settings.audience,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: LEEWAY_SECONDS,
    currentDate,
  }
  const verified = await unlessRefused(({ jwtVerify, errors }) => {
    const keyOf = async ({ kid = '', alg }: JWTHeaderParameters) => {
      const signingKey = isAlgorithm(alg) ? await keys(kid, alg) : undefined
      if (!signingKey) throw new errors.JWKSNoMatchingKey()
      return signingKey.key()
    }
    return jwtVerify(token, keyOf, options)
  })
  const { sub = '', exp = 0, iat } = verified?.payload ?? {}
  // A JWT from the future is refused, because the clocks differ. That is reported.
  const aheadMs = (iat ?? 0) * 1000 - currentDate.getTime()
  const isEarly = aheadMs > LEEWAY_SECONDS * 1000
  if (isEarly) early(aheadMs)
  if (!verified || sub === '' || isEarly) return failed('proxy-token')
  const issuedAt = iat === undefined ? currentDate : new Date(iat * 1000)
  return ok({ name: sub, expiresAt: new Date(exp * 1000), issuedAt, claims: verified.payload })
}

function isAlgorithm(name: string): name is Algorithm {
  return ALGORITHMS.some(algorithm => algorithm === name)
}
