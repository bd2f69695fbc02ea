import assert from 'node:assert/strict'
import test from 'node:test'
import { CHROMIUM, openPage } from '../../support/browser.ts'
import { runningService } from '../../support/service.ts'
import { publishedStore } from '../../support/temporary-store.ts'

test('an SVG opened directly has its styles, runs no script and loads nothing', CHROMIUM, async () => {
  const temporary = await publishedStore('acme/brand', {
    'brand/files/mark.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="document.documentElement.id = 'ran'">
<style>@import url(/imported.css); rect { fill: rgb(1, 2, 3) }</style><image href="/loaded.png" width="9" height="9"/>
<rect width="40" height="20"/><script>document.documentElement.id = 'ran'</script></svg>\n`,
  })
  const { token } = await temporary.issue('acme')
  const { url } = await runningService(temporary)
  const list = await fetch(`${url}/beta/workspace/acme/project/brand/files`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { files }: { files: { url: string }[] } = JSON.parse(await list.text())
  const { page } = await openPage()
  const loaded: string[] = []
  page.on('response', response => loaded.push(new URL(response.url()).pathname))
  await page.goto(files[0]?.url ?? '')
  const shown = await page.evaluate(
    "[document.documentElement.id, getComputedStyle(document.querySelector('rect')).fill]",
  )
  assert.deepEqual(shown, ['', 'rgb(1, 2, 3)'])
  assert.equal(loaded.length, 1)
})
