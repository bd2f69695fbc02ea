import assert from 'node:assert/strict'
import test from 'node:test'
import { secretsOf } from '#publishing/git/program/credentials.ts'
import { explainFailure } from '#publishing/git/program/git-problem.ts'
import { GIT, startGitServer } from '../../../support/git-server.ts'
import { golden } from '../../../support/golden.ts'
import { pullerFor } from '../../../support/puller.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const NAMES = ['brand-404', '401', 'access denied', 'repository-not-found', 'ssl certificate file', 'redirection:']
const CODES = [
  [404, 'git_not_found'],
  [403, 'git_refused'],
  [301, 'git_not_found'],
  [500, 'git_unreachable'],
  [undefined, 'git_unreachable'],
] as const

test('the name of a repository does not count as the cause of a failure', GIT, async () => {
  const server = await startGitServer()
  const puller = pullerFor(await temporaryStore())
  for (const name of NAMES)
    for (const [status, code] of CODES) {
      server.answer(response => (status ? response.writeHead(status).end() : response.socket?.destroy()))
      const { state } = await puller.pull({ url: `${server.url}/${encodeURIComponent(name)}` })
      assert.deepEqual([name, status, state.failure?.code], [name, status, code])
    }
})

test('a token without a secret hides no empty text, which stands between all letters', () => {
  assert.deepEqual(secretsOf({ token: 'anna:' }), ['anna:', 'YW5uYTo='])
})

const URL = 'https://git.test/brand.git'

const SSH_END =
  '\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n'
const OPEN_KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\n${Buffer.from('openssh-key-v1\0\0\0\0\x04none').toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`
const LOCKED_KEY = OPEN_KEY.replace(
  /\n.*\n/,
  `\n${Buffer.from('openssh-key-v1\0\0\0\0\x0aaes256-ctr').toString('base64')}\n`,
)
const KEYS = { open: OPEN_KEY, locked: LOCKED_KEY }

type Failure = { said: string; url?: string; key?: keyof typeof KEYS }

/** The problem of what git and ssh say, with an address of ssh or https, and the key of the service. */
golden('git/problems', ({ said, url = URL, key }: Failure) => {
  const stderr = url === URL ? said : said + SSH_END
  return explainFailure(`read ${url}`, url, { kind: 'failed', stderr }, key === undefined ? {} : { sshKey: KEYS[key] })
})

test('a failure by https ends with what the host said, without queries', GIT, async () => {
  const server = await startGitServer()
  const url = `${server.url}/brand.git`
  const replies = [
    [302, { location: '/other.git/info/refs?service=x&token=hunter2' }, '', `: ${server.url}/other.git`],
    [429, { 'retry-after': '3600', 'content-type': 'text/plain' }, 'slow down\n', ': remote: slow down'],
    [503, {}, '', ': The requested URL returned error: 503'],
    [403, { 'content-type': 'text/plain' }, 'SAML SSO is required\n', ': remote: SAML SSO is required'],
  ] as const
  for (const [status, headers, body, end] of replies) {
    server.answer(response => response.writeHead(status, headers).end(body))
    const { state } = await pullerFor(await temporaryStore()).pull({ url })
    const { message = '' } = state.failure ?? {}
    assert.ok(message.endsWith(end), message)
    assert.doesNotMatch(message, /hunter2/)
    if (status === 429) assert.match(message, /limits requests \(429\); the host asks to wait 60 minutes/)
  }
})

test('a reason never has the token, also without the user name that the operator gave with it', () => {
  const stderr = 'remote: Access denied for the token glpat-a/b#c\n'
  const failure = { kind: 'failed', stderr } as const
  const { message } = explainFailure(`read ${URL}`, URL, failure, { token: 'bot:glpat-a/b#c' })
  assert.doesNotMatch(message, /glpat|a\/b#c/)
})
