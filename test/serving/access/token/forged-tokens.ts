import { createHmac, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { encode, es256, type Forge, type Signature } from './forge.ts'

/** Credentials that must be refused, each with a unique name. */
export type ForgedToken = {
  /** A description of the error. */
  name: string
  /** The logged reason; only `signature` means that a signature was checked. */
  reason: string
  make: (forge: Forge) => string
}

/** Wrong ways to send a good token, and unusual but allowed ways; `fields` alternates names and values. */
export type WayToSend = {
  name: string
  answer: 'accepted' | 'no-credentials' | 'invalid-token' | 'headers-too-large'
  send: (token: string) => { fields?: readonly string[]; query?: string; body?: string }
}

type Make = (forge: Forge) => string
type Row = readonly [name: string, reason: string, make: Make]

/** Rows of tokens that are refused for one reason. */
function rows(reason: string, makes: Readonly<Record<string, Make>>): Row[] {
  return Object.entries(makes).map(([name, make]) => [name, reason, make])
}

const ES256_ORDER = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')

const good = ({ compact, header, claims }: Forge) => compact(header, claims)
const [ofHeader, ofClaims, ofSignature] = [0, 1, 2] as const

/** Rewrites one part of a good token. */
function rewrite(forge: Forge, at: 0 | 1 | 2, change: (part: string) => string): string {
  return good(forge)
    .split('.')
    .map((part, index) => (index === at ? change(part) : part))
    .join('.')
}

/** Rewrites one part of a good token before encoding. */
function rewriteText(forge: Forge, at: 0 | 1, change: (text: string) => string | Uint8Array): string {
  const { compact, header, claims } = forge
  const [first, second] = [JSON.stringify(header), JSON.stringify(claims)]
  return at === ofHeader ? compact(change(first), second) : compact(first, change(second))
}

type Change = { header?: object; claims?: object; token?: string }

/** The tokens that are only data, by reason and name. */
const DATA: Record<string, Record<string, Change>> = parse(
  readFileSync(new URL('forged-tokens.yaml', import.meta.url), 'utf8'),
)
const { genuine: GENUINE = {}, ...FORGED } = DATA

function dataRows(reason: string, changes: Record<string, Change>): Row[] {
  return Object.entries(changes).map(([name, { header = {}, claims = {}, token }]) => [
    name,
    reason,
    forge =>
      token === undefined
        ? forge.compact({ ...forge.header, ...filled(header, forge) }, { ...forge.claims, ...filled(claims, forge) })
        : filledToken(token, good(forge)),
  ])
}

/** Changes with the values of the forge; undefined for an absent one. */
function filled(changes: object, forge: Forge): object {
  const { kid, otherKid, client, deletedClient, revoked } = forge
  const values: Record<string, unknown> = { ...forge.claims, kid, otherKid, client, deletedClient, revoked }
  const text = JSON.stringify(changes)
    .replaceAll('"{now*1000}"', String(forge.now * 1000))
    .replace(/"\{now([-+][\d.]+)?\}"/g, (_, more = '0') => String(forge.now + Number(more)))
    .replaceAll('"{publicJwk}"', JSON.stringify(forge.publicJwk))
    .replace(/\{(\w+)\}/g, (whole, name) => `${values[name] ?? whole}`)
  const entries = Object.entries<unknown>(JSON.parse(text))
  return Object.fromEntries(entries.map(([name, value]) => [name, value === '{absent}' ? undefined : value]))
}

function filledToken(template: string, token: string): string {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const parts: Record<string, string> = { token, header, claims, signature }
  return template.replace(/\{(token|header|claims|signature)\}/g, (_, name) => parts[name] ?? '')
}

function hmac(hash: string, secret: (forge: Forge) => string | Buffer): (forge: Forge) => string {
  return forge => {
    const signature: Signature = input => createHmac(hash, secret(forge)).update(input).digest()
    return forge.withHeader({ alg: `HS${hash.slice(3)}` }, signature)
  }
}

const SECRETS: Readonly<Record<string, (forge: Forge) => string | Buffer>> = {
  'as PEM': ({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' }),
  'as PEM without its last line end': ({ publicKey }) =>
    publicKey.export({ type: 'spki', format: 'pem' }).toString().trim(),
  'as DER': ({ publicKey }) => publicKey.export({ type: 'spki', format: 'der' }),
  'as the JSON of its JWK': ({ publicJwk }) => JSON.stringify(publicJwk),
  'as a raw point': ({ publicJwk }) =>
    Buffer.concat([
      Buffer.of(4),
      Buffer.from(String(publicJwk.x), 'base64url'),
      Buffer.from(String(publicJwk.y), 'base64url'),
    ]),
}

const ALGORITHM_ROWS: readonly Row[] = [
  ...['sha256', 'sha384', 'sha512'].flatMap(hash =>
    Object.entries(SECRETS).flatMap(([how, secret]) =>
      rows('algorithm', { [`HMAC ${hash.slice(3)} with the public key ${how} as its secret`]: hmac(hash, secret) }),
    ),
  ),
  ...rows('algorithm', { 'HMAC 256 with an empty secret': hmac('sha256', () => '') }),
  ...rows('signature', {
    'HMAC 256 under the name ES256': forge =>
      forge.withHeader({}, input => createHmac('sha256', forge.kid).update(input).digest()),
  }),
  ...rows('malformed', {
    'algorithm none without a signature': forge =>
      `${encode({ ...forge.header, alg: 'none' })}.${encode(forge.claims)}.`,
  }),
  ...rows('key-unknown', {
    'RS256 by an unrelated key with the kid of the store': ({ withHeader, foreign }) =>
      withHeader({ alg: 'RS256' }, input => sign('sha256', Buffer.from(input), foreign.rsa)),
    'EdDSA by an unrelated key with the kid of the store': ({ withHeader, foreign }) =>
      withHeader({ alg: 'EdDSA' }, input => sign(null, Buffer.from(input), foreign.ed25519)),
    'a kid in the other case': ({ withHeader, kid }) => withHeader({ kid: kid.replace(/[a-z]/gi, swapCase) }),
    'a kid of 256 characters': ({ withHeader }) => withHeader({ kid: 'k'.repeat(256) }),
    'a kid of 1000 characters': ({ withHeader }) => withHeader({ kid: 'k'.repeat(1000) }),
  }),
  ...rows('header-parameter', {
    'the key that signed it in jwk': ({ withHeader, foreign }) =>
      withHeader({ jwk: foreign.es256.export({ format: 'jwk' }) }, es256(foreign.es256)),
    '__proto__ in the header': forge => rewriteText(forge, ofHeader, text => text.replace('{', '{"__proto__":{},')),
  }),
]

const insert =
  (sign: string): Make =>
  forge =>
    rewrite(forge, ofClaims, part => `${part.slice(0, 9)}${sign}${part.slice(9)}`)

const FORM_ROWS: readonly Row[] = [
  ...rows('malformed', {
    'eight thousand dots': () => '.'.repeat(8000),
    'two parts': forge => good(forge).split('.').slice(0, 2).join('.'),
    'an empty part 3': forge => rewrite(forge, ofSignature, () => ''),
    'one sign too many in part 1': forge => rewrite(forge, ofHeader, lengthen),
    'one sign too many in part 2': forge => rewrite(forge, ofClaims, lengthen),
    'one sign too many in part 3': forge => rewrite(forge, ofSignature, lengthen),
    'unused bits set in the last character of the signature': forge => rewrite(forge, ofSignature, withUnusedBits),
    'the base64 alphabet in the signature': forge =>
      rewrite(forge, ofSignature, () => Buffer.alloc(64, 0xfb).toString('base64').replace(/=+$/, '')),
    'a percent-encoded character': forge => rewrite(forge, ofClaims, part => part.replace('e', '%65')),
    'a space inside': insert(' '),
    'a soft hyphen inside': insert('\u00ad'),
    'a superscript two inside': insert('\u00b2'),
    'two tokens, joined by ","': forge => `${good(forge)},${good(forge)}`,
    'two tokens, joined by " "': forge => `${good(forge)} ${good(forge)}`,
    'JSON that is not encoded': ({ header, claims }) => `${JSON.stringify(header)}.${JSON.stringify(claims)}.x`,
    'parts that are encoded twice': ({ compact, header, claims }) => compact(encode(header), encode(claims)),
  }),
  ...rows('too-long', { 'more than 8 KiB': ({ withClaims }) => withClaims({ more: 'm'.repeat(8000) }) }),
]

/** The same for header and claims: parts that are not one strict JSON object. */
const JSON_ROWS: readonly Row[] = (
  [
    ['header', ofHeader],
    ['claims', ofClaims],
  ] as const
).flatMap(([part, at]): Row[] => {
  const name = at === ofHeader ? 'alg' : 'iss'
  const row = (what: string, change: (text: string) => string | Uint8Array): Row => [
    `${what} (${part})`,
    'malformed',
    forge => rewriteText(forge, at, change),
  ]
  return [
    ...['null', 'true', '1', '"text"', '[]', '', ' '].map(text =>
      row(`${JSON.stringify(text)} instead of an object`, () => text),
    ),
    row('a list around the object', text => `[${text}]`),
    row('two objects', text => text + text),
    row('a comma at the end', text => text.replace(/}$/, ',}')),
    row('a comment', text => text.replace('{', '{/**/')),
    row('single quotes', text => text.replaceAll('"', "'")),
    row('names without quotes', text => text.replace(`"${name}"`, name)),
    row('NaN', text => text.replace('{', '{"cty":NaN,')),
    row('a number with a leading zero', text => text.replace('{', '{"cty":01,')),
    row('a line end in a string', text => text.replace('{', '{"cty":"\n",')),
    row('a byte order mark', text => `\ufeff${text}`),
    row('a NUL at the end', text => `${text}\0`),
    row('bytes that are not UTF-8', text =>
      Buffer.concat([Buffer.from(text.replace('{', '{"cty":"')).subarray(0, 9), Buffer.of(0xff)]),
    ),
    row('an overlong byte sequence', text =>
      Buffer.from(text.replace('{', '{"cty":"AA",').replace('AA', '\u00c0\u00af'), 'latin1'),
    ),
    row('a lone surrogate as bytes', text => Buffer.from(text.replace('{', '{"cty":"\u00ed\u00a0\u0080",'), 'latin1')),
    row('UTF-16', text => Buffer.from(text, 'utf16le')),
    row('unclosed', text => text.slice(0, -1)),
    row(`${name} twice`, text => text.replace('{', `{"${name}":"other",`)),
    row(`${name} twice, the same`, text => text.replace(/}$/, `,${/"(?:alg|iss)":"[^"]*"/.exec(text)?.[0]}}`)),
    row(`${name} twice, once with an escape`, text =>
      text.replace('{', `{"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}":"other",`),
    ),
    row('a repeated name in a nested object', text => text.replace('{', '{"cty":{"a":1,"\\u0061":2},')),
    row('a repeated name in a nested list', text => text.replace('{', '{"cty":[[{"a":{},"a":[]}]],')),
    row('__proto__ twice', text => text.replace('{', '{"__proto__":1,"__proto__":2,')),
    row('a repeated name with a quote', text => text.replace('{', '{"\\"":1,"\\u0022":2,')),
  ]
})

/** A good token with another signature. */
function signed(signature: (input: string, forge: Forge) => Uint8Array): Make {
  return forge => forge.withHeader({}, input => signature(input, forge))
}

/** A good token with a change to its signature. */
function changed(change: (bytes: Uint8Array) => Uint8Array): Make {
  return signed((input, { privateKey }) => change(es256(privateKey)(input)))
}

const SIGNATURE_ROWS: readonly Row[] = [
  ...Object.entries({
    'r and s zero': Buffer.alloc(64),
    'r zero': Buffer.concat([Buffer.alloc(32), Buffer.alloc(32, 1)]),
    's zero': Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32)]),
    'r and s one': Buffer.concat([Buffer.alloc(32), Buffer.alloc(32)])
      .fill(1, 31, 32)
      .fill(1, 63),
    'r and s the order of the curve': Buffer.concat([ES256_ORDER, ES256_ORDER]),
    'r the order of the curve, s one': Buffer.concat([ES256_ORDER, Buffer.alloc(31), Buffer.of(1)]),
    'r and s all ones': Buffer.alloc(64, 0xff),
    'a signature of one byte': Buffer.alloc(1),
    'a signature of 96 zeros': Buffer.alloc(96),
    'a signature of 4 KiB': Buffer.alloc(4096, 7),
  }).flatMap(([name, bytes]) => rows('signature', { [name]: signed(() => bytes) })),
  ...rows('signature', {
    'a signature in DER': signed((input, { privateKey }) =>
      sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'der' }),
    ),
    'the last byte of the signature missing': changed(bytes => bytes.subarray(0, 63)),
    'the first byte of the signature missing': changed(bytes => bytes.subarray(1)),
    'a byte after the signature': changed(bytes => Buffer.concat([bytes, Buffer.of(0)])),
    'one bit of the signature flipped': changed(bytes => bytes.with(7, (bytes[7] ?? 0) ^ 1)),
    'r and s swapped': changed(bytes => Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)])),
    'signed by another key of ES256': signed((input, { foreign }) => es256(foreign.es256)(input)),
    'signed by a key of ES384': signed((input, { foreign }) => es256(foreign.es384)(input)),
    'signed over only the claims': signed((input, { privateKey }) => es256(privateKey)(input.split('.')[1] ?? '')),
    'signed over a hash of SHA-512': signed((input, { privateKey }) =>
      sign('sha512', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
    ),
    'the signature of another token': forge =>
      rewrite(forge, ofSignature, () => forge.withClaims({ jti: 'another' }).split('.')[2] ?? ''),
    'the claims of another token': forge =>
      rewrite(forge, ofClaims, () => encode({ ...forge.claims, workspace: 'other' })),
    'the header of another token': forge => rewrite(forge, ofHeader, () => encode({ ...forge.header, cty: 'JWT' })),
    'more scopes than were signed': forge => {
      const [head, , signature] = forge.withClaims({ scope: 'data.read' }).split('.')
      return `${head}.${encode(forge.claims)}.${signature}`
    },
  }),
]

const expiring =
  (exp: string): Make =>
  forge =>
    rewriteText(forge, ofClaims, text => text.replace(/"exp":\d+/, `"exp":${exp}`))
const infinite =
  (name: 'iat' | 'nbf'): Make =>
  forge =>
    rewriteText({ ...forge, claims: { ...forge.claims, [name]: 1 } }, ofClaims, text =>
      text.replace(`"${name}":1`, `"${name}":1e400`),
    )

const CLAIM_ROWS: readonly Row[] = [
  ...rows('expires-too-late', { 'exp of 300 digits': expiring('9'.repeat(300)) }),
  ...rows('claims', {
    'exp 1e400': expiring('1e400'),
    'exp -1e400': expiring('-1e400'),
    'iat a string': ({ withClaims, now }) => withClaims({ iat: String(now) }),
    'nbf a string': ({ withClaims, now }) => withClaims({ nbf: String(now) }),
    'iat 1e400': infinite('iat'),
    'nbf 1e400': infinite('nbf'),
  }),
  ...rows('issuer', {
    'iss in another case': ({ withClaims, claims }) => withClaims({ iss: String(claims.iss).toUpperCase() }),
    'only __proto__ has the iss': forge =>
      rewriteText({ ...forge, claims: { ...forge.claims, iss: undefined } }, ofClaims, text =>
        text.replace('{', `{"__proto__":{"iss":${JSON.stringify(forge.claims.iss)}},`),
      ),
  }),
  ...rows('audience', {
    'aud that is truncated': ({ withClaims, claims }) => withClaims({ aud: String(claims.aud).slice(0, -1) }),
    'aud in another case': ({ withClaims, claims }) => withClaims({ aud: String(claims.aud).toUpperCase() }),
  }),
]

/** Every forged, stale, malformed or confused token. */
export const FORGED_TOKENS: readonly ForgedToken[] = [
  ...Object.entries(FORGED).flatMap(([reason, changes]) => dataRows(reason, changes)),
  ...ALGORITHM_ROWS,
  ...FORM_ROWS,
  ...JSON_ROWS,
  ...SIGNATURE_ROWS,
  ...CLAIM_ROWS,
].map(([name, reason, make]) => ({ name, reason, make }))

/** Unusual good tokens: without them, refusing everything would pass. */
export const GENUINE_TOKENS: readonly Omit<ForgedToken, 'reason'>[] = [
  ...dataRows('', GENUINE),
  ...rows('', {
    'a token as issued': good,
    'exp a moment ago, within the leeway': ({ withClaims }) => withClaims({ exp: Math.floor(Date.now() / 1000) - 2 }),
    'spaces and line ends in its JSON': ({ compact, header, claims }) =>
      compact(JSON.stringify(header, null, 2), JSON.stringify(claims, null, 1)),
  }),
].map(([name, , make]) => ({ name, make }))

/** The same good token, sent in other ways. */
export const WAYS_TO_SEND: readonly WayToSend[] = [
  ...ways('accepted', {
    'in the Authorization field': token => ['Authorization', `Bearer ${token}`],
    ...withSchemes(['bearer', 'BEARER', 'bEaReR']),
    'after three spaces': token => ['authorization', `Bearer   ${token}`],
  }),
  { name: 'in the query', answer: 'no-credentials', send: token => ({ query: `?access_token=${token}` }) },
  {
    name: 'in a form',
    answer: 'no-credentials',
    send: token => ({
      fields: ['Content-Type', 'application/x-www-form-urlencoded'],
      body: `access_token=${token}`,
    }),
  },
  ...ways('no-credentials', {
    'not at all': () => [],
    'in a cookie': token => ['Cookie', `access_token=${token}; Authorization=Bearer ${token}`],
    'in Proxy-Authorization': token => ['Proxy-Authorization', `Bearer ${token}`],
    'in X-Authorization': token => ['X-Authorization', `Bearer ${token}`],
    ...withSchemes(['Basic', 'DPoP', 'Token', 'Bearerx', 'Bearer:']),
    'without a scheme': token => ['Authorization', token],
    'with a tab after the scheme': token => ['Authorization', `Bearer\t${token}`],
    'as a password': token => ['Authorization', `Basic ${Buffer.from(`x:${token}`).toString('base64')}`],
    'with an empty Authorization field': () => ['Authorization', ''],
  }),
  ...ways('invalid-token', {
    'with a scheme and nothing after it': () => ['Authorization', 'Bearer'],
    twice: token => ['Authorization', `Bearer ${token}`, 'Authorization', `Bearer ${token}`],
    'twice, in another case': token => ['Authorization', `Bearer ${token}`, 'AUTHORIZATION', ''],
    'alongside a password': token => ['Authorization', 'Basic eDp5', 'Authorization', `Bearer ${token}`],
    'in a list of credentials': token => ['Authorization', `Bearer ${token}, Bearer ${token}`],
  }),
  ...ways('headers-too-large', {
    'with 16 KiB more in the field': token => ['Authorization', `Bearer ${token}${'x'.repeat(16_384)}`],
    'with 40 KiB more in the field': token => ['Authorization', `Bearer ${token}${'x'.repeat(40_960)}`],
  }),
]

type FieldsOf = (token: string) => readonly string[]

function ways(answer: WayToSend['answer'], ways: Readonly<Record<string, FieldsOf>>): WayToSend[] {
  return Object.entries(ways).map(([name, fieldsOf]) => ({
    name,
    answer,
    send: token => ({ fields: fieldsOf(token) }),
  }))
}

function withSchemes(schemes: readonly string[]): Record<string, FieldsOf> {
  const row = (scheme: string) =>
    [`with the scheme ${scheme}`, (token: string) => ['Authorization', `${scheme} ${token}`]] as const
  return Object.fromEntries(schemes.map(row))
}

function swapCase(sign: string): string {
  return sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase()
}

/** One character that does not encode a whole byte. */
function lengthen(part: string): string {
  return part + 'A'.repeat(part.length % 4 === 0 ? 1 : part.length % 4 === 2 ? 3 : 2)
}

/** 64 bytes leave four bits of the last character unused. */
function withUnusedBits(part: string): string {
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return part.slice(0, -1) + characters[characters.indexOf(part.slice(-1)) + 1]
}
