import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { trustedFetch } from '#platform/outgoing/outgoing-fetch.ts'
import { postCommitStatus } from '#publishing/git/pull/commit-status.ts'
import type { SourceState } from '#publishing/git/pull/source-state.ts'
import { makeCertificate, OPENSSL, secureServer, trustCertificate } from '../../../support/certificate.ts'

const commit = { hash: 'a'.repeat(40), author: 'Ada', subject: 'New logo' }

/** The state of a good pull of a repository. */
function goodState(url: string): SourceState {
  return {
    url,
    ref: null,
    path: null,
    workspace: 'acme',
    publish: 'auto',
    state: 'good',
    checkedAt: null,
    goodAt: null,
    commit,
    projects: [{ project: 'guide', imported: true, changed: true, revision: 4 }],
    errors: 0,
    warnings: 0,
    findings: [],
    failure: null,
  }
}

const FINDING = {
  severity: 'error',
  rule: 'value-missing',
  project: 'guide',
  path: 'brand/guide/styles/colors.yaml',
  line: 3,
  message: `a colour has neither "hex" nor "rgb"; ${'write one of them, '.repeat(20)}`,
} as const

test('GitHub and GitLab get the findings as the status of the commit', OPENSSL, async () => {
  const certificate = await makeCertificate('DNS:github.acme.test', 'DNS:gitlab.acme.test')
  trustCertificate(certificate)
  const asked: { method: unknown; url: unknown; authorization: unknown; token: unknown; body: unknown }[] = []
  let status = 201
  const port = await secureServer(certificate, async (request, response) => {
    const { method, url, headers } = request
    const body = JSON.parse(await text(request))
    asked.push({ method, url, authorization: headers.authorization, token: headers['private-token'], body })
    response.writeHead(status).end('{}')
  })
  const fetch = trustedFetch({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
  const good = goodState(`https://github.acme.test:${port}/acme/brand.git`)
  assert.equal(await postCommitStatus(fetch, good, 'secret'), undefined)
  assert.deepEqual(asked.at(-1), {
    method: 'POST',
    url: `/api/v3/repos/acme/brand/statuses/${commit.hash}`,
    authorization: 'Bearer secret',
    token: undefined,
    body: { state: 'success', context: 'housestyle/acme', description: 'No findings; published: guide 4' },
  })
  const broken = { ...good, errors: 2, warnings: 1, findings: [FINDING] }
  await postCommitStatus(fetch, broken, 'deployer:secret')
  const { body: failed, authorization } = asked.at(-1) ?? {}
  assert.equal(authorization, 'Bearer secret')
  const description =
    '2 errors, 1 warning: brand/guide/styles/colors.yaml:3 value-missing a colour has neither "hex" nor "rgb"; write one of them, write one of t…'
  assert.equal(description.length, 140)
  assert.deepEqual(failed, { state: 'failure', context: 'housestyle/acme', description })
  const refused = { code: 'git_unsafe', message: 'cannot check out the commit', commit } as const
  await postCommitStatus(
    fetch,
    { ...good, url: `https://gitlab.acme.test:${port}/a/b/brand.git`, failure: refused },
    'x',
  )
  assert.deepEqual(asked.at(-1), {
    method: 'POST',
    url: `/api/v4/projects/a%2Fb%2Fbrand/statuses/${commit.hash}`,
    authorization: undefined,
    token: 'x',
    body: { state: 'failed', name: 'housestyle/acme', description: 'cannot check out the commit' },
  })
  status = 403
  const seen = await postCommitStatus(fetch, good, 'secret')
  assert.equal(seen, `github.acme.test:${port} answered 403; give a token that may write commit statuses`)
})

test('other hosts are not asked, and neither is any host about a pull that reached no commit', async () => {
  const fetch = () => assert.fail('it asked')
  assert.equal(await postCommitStatus(fetch, goodState('https://git.acme.test/acme/brand.git'), 'x'), undefined)
  const unreached = {
    ...goodState('https://github.com/acme/brand.git'),
    failure: { code: 'git_unreachable', message: '' },
  }
  const seen = await postCommitStatus(fetch, { ...unreached, failure: { code: 'git_unreachable', message: '' } }, 'x')
  assert.equal(seen, undefined)
})
