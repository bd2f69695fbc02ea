import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordChange } from '#store/catalogue/changes.ts'
import { runningService, testService } from '../../support/service.ts'
import { publishedStore, SMALL_BRAND, type TemporaryStore, temporaryStore } from '../../support/temporary-store.ts'

/** Lets reads of a table fail until `repair` is called. */
function failReads({ store: { database } }: TemporaryStore, table: string): { repair: () => void } {
  const { all } = database
  database.all = (sql, ...values) => {
    if (sql.includes(`FROM ${table}`)) throw new Error('the disk is unavailable')
    return all(sql, ...values)
  }
  return { repair: () => Object.assign(database, { all }) }
}

test('a revocation is not lost while the store is temporarily unreadable', async () => {
  const temporary = await temporaryStore()
  await temporary.importing('acme', SMALL_BRAND)
  const { token, jti } = await temporary.issue('acme')
  const { ask, follow } = await testService(temporary)
  const statusOf = async () => (await ask('/beta/workspace/acme', { token })).status
  assert.equal(await statusOf(), 200)
  await temporary.store.database.transaction(async queries => {
    await queries.run('UPDATE token SET revoked_at = 1 WHERE jti = ?', jti)
    await recordChange(queries, undefined)
  })
  const { repair } = failReads(temporary, 'signing_key')
  await assert.rejects(follow(), /the disk is unavailable/)
  assert.equal(await statusOf(), 200)
  repair()
  await follow()
  assert.equal(await statusOf(), 401)
})

test('a publication while the store is unreadable is served once the store is readable', async () => {
  const temporary = await temporaryStore()
  await temporary.importing('acme', SMALL_BRAND)
  const { token } = await temporary.issue('acme')
  const { url } = await runningService(temporary)
  const headers = { authorization: `Bearer ${token}` }
  const statusOf = async () => (await fetch(`${url}/beta/workspace/acme/project/guidelines`, { headers })).status
  assert.equal(await statusOf(), 404)
  const { repair } = failReads(temporary, 'change')
  await temporary.publish('acme/guidelines')
  await sleep(300)
  assert.equal(await statusOf(), 404)
  repair()
  while ((await statusOf()) === 404) await sleep(20)
})

test('sixteen clients at once all get a page that is not rendered yet, in the fonts of its theme', async () => {
  const temporary = await publishedStore('acme/one', themedBrand('one'))
  const { url } = await runningService(temporary)
  const replies = await Promise.all(Array.from({ length: 16 }, () => fetch(`${url}/acme/one`)))
  const texts = new Set(await Promise.all(replies.map(reply => reply.text())))
  assert.deepEqual([texts.size, new Set(replies.map(({ status }) => status))], [1, new Set([200])])
  for (const { headers } of replies) assert.match(headers.get('link') ?? '', /\/inter-latin\.woff2>; rel=preload/)
})

test('a service makes the subsets of fonts after its first reply and after a publication, before a page needs them', async () => {
  const temporary = await publishedStore('acme/one', { ...themedBrand('one', 400), ...themedBrand('two', 700) })
  const { url } = await runningService(temporary)
  const subsets = async (): Promise<string | undefined> => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return /housestyle_cache_entries\{cache="font-subsets"\} (\d+)/.exec(metrics)?.[1]
  }
  assert.equal((await fetch(`${url}/acme`)).status, 200)
  while ((await subsets()) !== '1') await sleep(50)
  await temporary.publish('acme/two')
  while ((await subsets()) !== '2') await sleep(50)
})

/** A public project with Inter as the font of its theme. */
function themedBrand(project: string, weight = 400): Record<string, string | Buffer> {
  return {
    [`${project}/project.yaml`]: 'visibility: public\ntheme: { body: body }\n',
    [`${project}/styles/types.yaml`]: '- { name: Body, family: Inter }\n',
    [`${project}/pages/index.md`]: '# Home\n\nWords.\n',
    [`${project}/files/inter.woff`]: readFileSync(
      `node_modules/@fontsource/inter/files/inter-latin-${weight}-normal.woff`,
    ),
  }
}

test('a service with a public URL accepts only tokens for it, and returns addresses below it', async () => {
  const publicUrl = 'https://brand.example.com/guides'
  const temporary = await temporaryStore(publicUrl)
  await temporary.publishing('acme/guidelines', SMALL_BRAND)
  const { token } = await temporary.issue('acme')
  const target = '/beta/workspace/acme/project/guidelines'
  const { ask } = await testService(temporary, { publicUrl })
  const { text } = await ask(target, { token })
  assert.equal(JSON.parse(text).url, `${publicUrl}/acme/guidelines`)
  const refused = await (await testService(temporary)).ask(target, { token })
  assert.equal(refused.status, 401)
  const { text: unknown } = await ask(`${target}/nothing`, { token })
  assert.equal(JSON.parse(unknown).error_uri, `${publicUrl}/docs#not_found`)
})
