import assert from 'node:assert/strict'
import test from 'node:test'
import { parseBucketAddress, parseLimitsAddress, parseSmtpAddress } from '#platform/settings/shared-addresses.ts'

const plain = { bucket: 'brand', prefix: '', isPathStyle: false }
const other = { endpoint: 'https://s3.example.com', region: 'us-east-1', isPathStyle: true }

for (const [text, environment, address] of [
  ['s3://brand', {}, plain],
  ['s3://brand/', {}, plain],
  ['S3://brand/', {}, plain],
  ['s3://brand/of/us', {}, { ...plain, prefix: 'of/us/' }],
  ['s3://brand/of//us/?region=eu-central-1', {}, { ...plain, prefix: 'of/us/', region: 'eu-central-1' }],
  ['s3://brand', { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'x' }, { ...plain, region: 'eu-west-1' }],
  ['s3://brand', { AWS_DEFAULT_REGION: 'eu-west-1' }, { ...plain, region: 'eu-west-1' }],
  ['s3://brand?endpoint=https://s3.example.com/', {}, { ...plain, ...other }],
  ['s3://brand?endpoint=https%3A%2F%2Fs3.example.com&path-style=false', {}, { ...plain, ...other, isPathStyle: false }],
  ['s3://brand', { AWS_ENDPOINT_URL: 'https://s3.example.com' }, { ...plain, ...other }],
  [
    's3://brand?region=garage',
    { AWS_ENDPOINT_URL_S3: 'https://s3.example.com', AWS_ENDPOINT_URL: 'https://x.example' },
    { ...plain, ...other, region: 'garage' },
  ],
] as const)
  test(`${text} with ${JSON.stringify(environment)} is a bucket address`, () => {
    assert.deepEqual(parseBucketAddress(text, environment), address)
  })

for (const text of [
  'brand|s3://|s3://Brand|s3://key:secret@brand|s3://brand/../other|s3://brand/a b',
  's3://brand?regoin=eu-central-1|s3://brand?region=a&region=b|s3://brand?region=../x',
  's3://brand?endpoint=ftp://s3.example.com|s3://brand?endpoint=https://key:secret@s3.example.com',
  's3://brand?path-style=yes|s3://brand#part|https://s3.example.com/brand',
].flatMap(list => list.split('|')))
  test(`${text} is not a bucket address`, () => {
    assert.equal(parseBucketAddress(text, {}), undefined)
  })

const open = { isEncrypted: false, username: '', password: '' }
const unknown = { sentinelUsername: '', sentinelPassword: '' }

for (const [text, address] of [
  ['redis://cache', { ...open, kind: 'server', places: [{ host: 'cache', port: 6379 }], database: 0 }],
  ['REDIS://[::1]:7000/12', { ...open, kind: 'server', places: [{ host: '::1', port: 7000 }], database: 12 }],
  [
    'rediss://me:p%40ss%2F:w+@cache.example.com/',
    {
      isEncrypted: true,
      username: 'me',
      password: 'p@ss/:w+',
      kind: 'server',
      places: [{ host: 'cache.example.com', port: 6379 }],
      database: 0,
    },
  ],
  [
    'redis+sentinel://s1,s2:5000,[::1]:5001/my-server.1',
    {
      ...open,
      kind: 'sentinel',
      places: [
        { host: 's1', port: 26_379 },
        { host: 's2', port: 5000 },
        { host: '::1', port: 5001 },
      ],
      name: 'my-server.1',
      database: 0,
      ...unknown,
    },
  ],
  [
    'rediss+sentinel://:pass@s1/main/3?sentinel_password=a%20b+c&sentinel_username=watcher',
    {
      isEncrypted: true,
      username: '',
      password: 'pass',
      kind: 'sentinel',
      places: [{ host: 's1', port: 26_379 }],
      name: 'main',
      database: 3,
      sentinelUsername: 'watcher',
      sentinelPassword: 'a b+c',
    },
  ],
] as const) {
  test(`${text} is a limits address`, () => {
    assert.deepEqual(parseLimitsAddress(text), address)
  })
}

for (const text of [
  'redis://a,b|redis://|redis://cache:0|redis://cache:65536|redis://cache:6379:6379|redis://[::1',
  'redis://[cache]|redis://::1|redis://cache/0/1|redis://cache#1|redis://ca che|redis://cache\n',
  'redis+unix://cache|sentinel://s1/main|redis+sentinel://s1|redis+sentinel://s1/',
  'redis+sentinel://s1,/main|redis+sentinel://s1/main/one|redis+sentinel://s1/main/1/2',
  'redis+sentinel://s1/ma in|redis+sentinel://s1/main?password=secret',
  'redis+sentinel://s1/main?sentinel_password=a&sentinel_password=b|redis+cluster://n1,n2',
].flatMap(list => list.split('|'))) {
  test(`${JSON.stringify(text)} is not a limits address`, () => {
    assert.equal(parseLimitsAddress(text), undefined)
  })
}

for (const [text, address] of [
  ['smtps://mail.example?from=brand@example.com', { host: 'mail.example', port: 465, isSecure: true, user: '' }],
  ['SMTP://mail.example/?from=brand%40example.com', { host: 'mail.example', port: 587, isSecure: false, user: '' }],
  ['smtps://me@[::1]:25?from=brand@example.com', { host: '::1', port: 25, isSecure: true, user: 'me' }],
  ['smtps://a@b.example@c.example?from=brand@example.com', { host: 'c.example', user: 'a@b.example' }],
  ['smtps://a%3Ab@c.example?from=brand@example.com', { host: 'c.example', user: 'a:b' }],
] as const)
  test(`${text} is a mail server`, () => {
    const server = { port: 465, isSecure: true, from: 'brand@example.com', ...address }
    assert.deepEqual(parseSmtpAddress(text), server)
  })

for (const text of [
  'smtps://me:secret@mail.example?from=brand@example.com',
  'http://mail.example?from=brand@example.com',
  'smtps://mail.example?from=a@b,c@d',
  'smtps://mail.example?from=Brand%0A<brand@example.com>',
  'smtps://mail.example?from=a@b&x=y',
  'smtps://mail.example:0?from=a@b',
])
  test(`${text} is no mail server`, () => assert.equal(parseSmtpAddress(text), undefined))
