import assert from 'node:assert/strict'
import test from 'node:test'
import { explainFailure } from '#publishing/git/program/git-problem.ts'
import { startGitServer } from '../../../support/git-server.ts'
import { needs } from '../../../support/programs.ts'
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

test('the name of a repository does not count as the cause of a failure', needs('git'), async () => {
  const server = await startGitServer()
  const puller = pullerFor(await temporaryStore())
  for (const name of NAMES)
    for (const [status, code] of CODES) {
      server.answer(response => (status ? response.writeHead(status).end() : response.socket?.destroy()))
      const { state } = await puller.pull({ url: `${server.url}/${encodeURIComponent(name)}` })
      assert.deepEqual([name, status, state.failure?.code], [name, status, code])
    }
})

const URL = 'https://git.test/brand.git'

const NEXT = 'a service tries again by itself'

test('a full disk and missing memory of this machine are named as such', () => {
  const failures = [
    [
      'fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output\n',
      `the disk of this service is full; free some disk space; ${NEXT}: fatal: write error: No space left on device`,
    ],
    [
      'error: 2 objects lost\nfatal: write error: Disk quota exceeded\n',
      `the disk of this service is full; free some disk space; ${NEXT}: fatal: write error: Disk quota exceeded`,
    ],
    [
      'error: index-pack died of signal 9\nfatal: index-pack failed\n',
      `see the memory of the machine or container; ${NEXT}: error: index-pack died of signal 9`,
    ],
  ] as const
  for (const [stderr, why] of failures)
    assert.deepEqual(explainFailure(`fetch ${URL}`, URL, { kind: 'failed', stderr }), {
      code: 'pull_failed',
      message: `cannot fetch ${URL}: ${why}`,
    })
})

const SSH_URL = 'git@git.test:acme/brand.git'
const SSH_END =
  '\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n'
const DENIED = 'git@git.test: Permission denied (publickey).'
const OPEN_KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\n${Buffer.from('openssh-key-v1\0\0\0\0\x04none').toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`
const LOCKED_KEY = OPEN_KEY.replace(
  /\n.*\n/,
  `\n${Buffer.from('openssh-key-v1\0\0\0\0\x0aaes256-ctr').toString('base64')}\n`,
)

const BY_SSH: readonly (readonly [said: string, code: string, advice: RegExp, reason: string, sshKey?: string])[] = [
  ['No user exists for uid 1234', 'pull_failed', /\/etc\/passwd.*by https/, 'No user exists for uid 1234'],
  [
    'ssh: connect to host git.test port 22: Connection refused',
    'git_unreachable',
    /cannot be reached/,
    'ssh: connect to host git.test port 22: Connection refused',
  ],
  [
    'ssh: Could not resolve hostname git.test: Name or service not known',
    'git_unreachable',
    /DNS/,
    'ssh: Could not resolve hostname git.test: Name or service not known',
  ],
  [DENIED, 'git_refused', /asks for a key/, DENIED],
  [DENIED, 'git_refused', /does not accept the key/, DENIED, OPEN_KEY],
  [DENIED, 'git_refused', /has a passphrase/, DENIED, LOCKED_KEY],
  [`Load key "/tmp/x/key": error in libcrypto\n${DENIED}`, 'git_refused', /\(error in libcrypto\)/, DENIED, OPEN_KEY],
  [
    "fatal: detected dubious ownership in repository at '/srv/b.git'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /srv/b.git",
    'git_refused',
    /belongs to another user/,
    "fatal: detected dubious ownership in repository at '/srv/b.git'",
  ],
  [
    'remote: \nremote: ====\nremote: ERROR: The project you were looking for could not be found\nremote: ====\nremote: ',
    'git_not_found',
    /no such repository/,
    'remote: ERROR: The project you were looking for could not be found',
  ],
  [
    'remote: This account is suspended\nremote: \n',
    'git_unreachable',
    /gives this reason/,
    'remote: This account is suspended',
  ],
  [
    'Connection closed by 192.0.2.1 port 22',
    'git_unreachable',
    /limits connections/,
    'Connection closed by 192.0.2.1 port 22',
  ],
  [
    'No ED25519 host key is known for git.test and you have requested strict checking.\nHost key verification failed.',
    'git_host_unknown',
    /--git-known-hosts has no key/,
    'Host key verification failed.',
  ],
]

test('a failure by ssh ends with the reason of ssh or the host, and the advice fits it', () => {
  for (const [said, code, advice, reason, sshKey] of BY_SSH) {
    const failure = { kind: 'failed', stderr: said + SSH_END } as const
    const problem = explainFailure(`read ${SSH_URL}`, SSH_URL, failure, sshKey === undefined ? {} : { sshKey })
    assert.equal(problem.code, code, said)
    assert.match(problem.message, advice)
    assert.ok(problem.message.endsWith(`: ${reason}`), problem.message)
    assert.doesNotMatch(problem.message, /\/tmp\/x/)
  }
})

test('a failure by https ends with what the host said, without queries', needs('git'), async () => {
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
