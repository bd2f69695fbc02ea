import assert from 'node:assert/strict'
import test from 'node:test'
import { html } from '#platform/exchange/reply.ts'
import { openPage } from '../../support/browser.ts'
import { githubService, startGithub, TOKEN } from '../../support/github.ts'
import { localServer } from '../../support/local-server.ts'
import { needs } from '../../support/programs.ts'
import { socketService } from '../../support/socket-service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const github = await startGithub()
const temporary = await temporaryStore()

/** The part of an editor that signs people in; it keeps the messages of the window that it opens. */
const opener = (url: string) => `<!doctype html><button>Sign in</button><script>
window.messages = []
addEventListener('message', ({ origin, data }) => {
  messages.push([origin, data])
  if (data === 'authorizing:github') opened.postMessage(data, '${url}')
})
document.querySelector('button').onclick = () => { window.opened = open('${url}/-/edit/auth?provider=github') }
</script>`

const url = await socketService(async own => {
  const { service } = await githubService(temporary, github.url, own)
  return request => (request.path === '/opener' ? html(opener(own)) : service(request))
})
const foreign = await localServer(
  (_, response) => void response.setHeader('Content-Type', 'text/html').end(opener(url)),
)

/** Signs in from the page at an address. */
async function signInFrom(address: string) {
  const { page, complaints } = await openPage()
  await page.goto(`${address}/opener`)
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button').click()])
  return { page, popup, complaints }
}

test('in a browser, the window passes the token to the editor that opened it', needs('chromium'), async () => {
  const { page, popup, complaints } = await signInFrom(url)
  await popup.getByRole('heading', { name: 'You are signed in.' }).waitFor()
  await page.waitForFunction('messages.length === 2')
  const token = JSON.stringify({ provider: 'github', token: TOKEN })
  assert.deepEqual(await page.evaluate('messages'), [
    [url, 'authorizing:github'],
    [url, `authorization:github:success:${token}`],
  ])
  assert.deepEqual(complaints, [])
})

test('in a browser, a page of another origin that opens the window gets nothing', needs('chromium'), async () => {
  const { page, popup } = await signInFrom(foreign.url)
  await popup.getByRole('heading', { name: 'This sign-in has expired' }).waitFor()
  await popup.evaluate('1')
  assert.deepEqual(await page.evaluate('messages'), [])
  assert.equal(github.exchanges.length, 1)
})
