import assert from 'node:assert/strict'
import test from 'node:test'
import type { Route } from 'playwright-core'
import { addAxe, axeProblems } from '../../support/axe.ts'
import { openPage } from '../../support/browser.ts'
import { EDIT, editorService } from '../../support/editor-service.ts'
import { APP, githubService, startGithub, TOKEN } from '../../support/github.ts'
import { needs } from '../../support/programs.ts'
import { socketService } from '../../support/socket-service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const github = await startGithub()
const temporary = await temporaryStore()
const files = { 'guide/project.yaml': 'visibility: public\n', 'guide/pages/index.md': '# Welcome\n' }
const GITLAB_EDIT = 'https://gitlab.com/acme/brand/-/edit/main/{path}'
const GITLAB = { url: 'https://gitlab.com/acme/brand.git', publish: 'auto' } as const
await temporary.publishing('acme/guide', { ...files, 'workspace.yaml': `edit: ${EDIT}\n` })
await temporary.publishing('lab/guide', { ...files, 'workspace.yaml': `edit: ${GITLAB_EDIT}\n` })

/**
 * Opens the editor by the link of a page, and signs in with the button. `answer` stands in for the hosts. Returns the
 * `Authorization` field of the editor's first request, and the violations of its policy, and what is
 * outside of landmarks at the door.
 */
async function signInAt(guide: string, userAddress: string, answer: (route: Route) => Promise<void>) {
  const { page, complaints } = await openPage()
  await page.context().route('https://*/**', answer)
  await page.goto(guide)
  await page.getByRole('link', { name: 'Edit this page' }).click()
  const request = page.waitForRequest(userAddress)
  const button = page.getByRole('button', { name: /Sign In with/ })
  await button.waitFor()
  await addAxe(page)
  const outside = await axeProblems(page, ['region'])
  await button.click()
  const authorization = (await request).headers().authorization
  return {
    authorization,
    problems: [...outside, ...complaints.filter(each => /Content Security Policy|^error/.test(each))],
  }
}

const refuse = (route: Route) =>
  route.fulfill({ status: 401, headers: { 'access-control-allow-origin': '*' }, json: { message: 'no' } })

test('in a browser, the editor signs in at GitHub with the app of the service', needs('chromium'), async () => {
  const url = await socketService(async publicUrl => {
    const editor = await editorService(temporary, { publicUrl, githubApp: APP })
    await editor.pulled('a'.repeat(40))
    const signin = await githubService(temporary, github.url, publicUrl)
    return request => (request.path.startsWith('/-/edit/auth') ? signin.service : editor.service)(request)
  })
  const signedIn = await signInAt(`${url}/acme/guide`, 'https://api.github.com/user', refuse)
  assert.deepEqual(signedIn, { authorization: `token ${TOKEN}`, problems: [] })
})

test('in a browser, the editor signs in at GitLab with a public application', needs('chromium'), async () => {
  const url = await socketService(async publicUrl => {
    const editor = await editorService(temporary, { publicUrl, gitlabApp: 'an-id', git: [GITLAB] })
    await editor.pulled('a'.repeat(40), { workspace: 'lab' }, GITLAB)
    return editor.service
  })
  const asked: Record<string, string>[] = []
  const answer = (route: Route) => {
    const { origin, pathname, searchParams } = new URL(route.request().url())
    if (origin + pathname === 'https://gitlab.com/oauth/authorize') {
      asked.push(Object.fromEntries(searchParams))
      const back = `${searchParams.get('redirect_uri')}?code=secretcode&state=${searchParams.get('state')}`
      return route.fulfill({
        contentType: 'text/html',
        body: `<script>location.replace(${JSON.stringify(back)})</script>`,
      })
    }
    if (origin + pathname !== 'https://gitlab.com/oauth/token') return refuse(route)
    return route.fulfill({ headers: { 'access-control-allow-origin': '*' }, json: { access_token: 'lab-token' } })
  }
  const signedIn = await signInAt(`${url}/lab/guide`, 'https://gitlab.com/api/v4/user', answer)
  assert.deepEqual(signedIn, { authorization: 'Bearer lab-token', problems: [] })
  const [{ client_id, redirect_uri, scope, code_challenge_method } = {}] = asked
  assert.deepEqual(
    { client_id, redirect_uri, scope, code_challenge_method },
    { client_id: 'an-id', redirect_uri: `${url}/-/edit/`, scope: 'api', code_challenge_method: 'S256' },
  )
})
