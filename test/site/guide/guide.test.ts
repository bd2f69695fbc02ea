import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const PAGES = 50

const temporary = await temporaryStore()
for (const [project, separator] of [
  ['flat', '-'],
  ['deep', '/'],
] as const) {
  const pages = Array.from({ length: PAGES }, (_, at) => [
    `${project}/pages/${at}.md`,
    `---\nid: p${10 + at}${`${separator}a`.repeat(40)}\ntitle: A\n---\n`,
  ])
  await temporary.importing('acme', {
    [`${project}/project.yaml`]: 'visibility: public\n',
    ...Object.fromEntries(pages),
  })
  await temporary.publish(`acme/${project}`)
}

test('the memory of the page tree is counted with the content that it is cached with', async () => {
  const { ask } = await testService(temporary)
  const content = async (): Promise<number> => {
    const { text } = await ask('/metrics')
    return Number(/^housestyle_cache_bytes\{cache="content"\} (\d+)$/m.exec(text)?.[1])
  }
  const sizes: number[] = []
  for (const project of ['flat', 'deep']) {
    const before = await content()
    assert.equal((await ask(`/acme/${project}/-/pages`)).status, 200)
    sizes.push((await content()) - before)
  }
  const [flat = 0, deep = 0] = sizes
  const places = (deep - flat) / PAGES
  assert.ok(places > 8 * 250 && places < 8 * 400, `${places}`)
})
