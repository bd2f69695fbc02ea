import assert from 'node:assert/strict'
import test from 'node:test'
import { validBrand } from '../support/brand-schema.ts'
import { servedBrand, testService } from '../support/service.ts'
import { addHosts, publishedBrand, SMALL_BRAND } from '../support/temporary-store.ts'

const PATH = '/.well-known/brand.json'
const parsed = ({ bytes }: { bytes: Uint8Array }) => JSON.parse(Buffer.from(bytes).toString())

test('a service has the brand.json of its only public guide, open to pages of all origins', async () => {
  const { ask } = await servedBrand({ ...SMALL_BRAND, 'hidden/project.yaml': 'name: Secret\nvisibility: private\n' })
  const found = await ask(PATH)
  assert.deepEqual([found.status, found.headers.get('content-type')], [200, 'application/json'])
  assert.equal(found.headers.get('access-control-allow-origin'), '*')
  assert.equal(found.headers.get('vary'), 'Accept-Encoding')
  assert.deepEqual(found.bytes, (await ask('/acme/guidelines/-/exports/brand.json')).bytes)
  const again = await ask(PATH, { headers: { 'if-none-match': found.headers.get('etag') ?? '' } })
  assert.equal(again.status, 304)
})

test('several public guides are the brands of a house; private ones and drafts are not', async () => {
  const { ask, temporary } = await servedBrand({
    ...SMALL_BRAND,
    'nimbus/styles/colors.yaml': '- { name: Sky, hex: "#08f" }\n',
    'hidden/project.yaml': 'name: Secret\nvisibility: private\n',
  })
  await temporary.importing('acme', { 'draft/project.yaml': 'visibility: public\n' })
  const house = parsed(await ask(PATH))
  validBrand(house)
  assert.deepEqual(house.house, { domain: 'brand.test', name: 'Acme GmbH' })
  const ids = house.brands.map(({ id }: { id: string }) => id)
  assert.deepEqual(ids, ['acme__guidelines', 'acme__nimbus'])
  const { $schema, ...nimbus } = parsed(await ask('/acme/nimbus/-/exports/brand.json'))
  assert.equal($schema, house.$schema)
  assert.deepEqual(house.brands[1], nimbus)
  for (const path of ['/acme/hidden/-/exports/brand.json', '/acme/draft/-/exports/brand.json'])
    assert.equal((await ask(path)).status, 404)
})

test('a service without a public guide has no brand.json, and follows each publication', async () => {
  const { ask, temporary, follow } = await servedBrand({ 'hidden/project.yaml': 'visibility: private\n' })
  assert.equal((await ask(PATH)).status, 404)
  await temporary.importing('acme', { 'hidden/project.yaml': 'visibility: public\n' })
  await temporary.publish('acme/hidden')
  await follow()
  assert.equal(parsed(await ask(PATH)).id, 'acme__hidden')
})

test('a translation is not another brand', async () => {
  const { ask } = await servedBrand({
    ...SMALL_BRAND,
    'deutsch/project.yaml': 'visibility: public\nlang: de\ntranslationOf: guidelines\n',
    'deutsch/pages/index.md': '# Acme\n',
  })
  assert.equal((await ask('/acme/deutsch')).status, 200)
  assert.equal(parsed(await ask(PATH)).id, 'acme__guidelines')
})

test('a guide at its own host has its own brand.json there, with the addresses of that host', async () => {
  const temporary = await publishedBrand({ ...SMALL_BRAND, 'hidden/project.yaml': 'visibility: private\n' })
  await addHosts(temporary, { 'brand.acme.test': 'acme/guidelines', 'secret.acme.test': 'acme/hidden' })
  const { ask } = await testService(temporary)
  const brand = parsed(await ask(PATH, { headers: { host: 'brand.acme.test' } }))
  validBrand(brand)
  assert.equal(brand.url, 'http://brand.acme.test')
  assert.equal(brand.housestyle.mcp, 'http://brand.acme.test/-/mcp')
  assert.deepEqual(parsed(await ask(PATH)), brand)
  assert.equal((await ask(PATH, { headers: { host: 'secret.acme.test' } })).status, 404)
})

test('a workspace at its own host has the brands of its public guides there, as a house with that domain', async () => {
  const temporary = await publishedBrand({
    ...SMALL_BRAND,
    'nimbus/project.yaml': 'visibility: public\n',
    'hidden/project.yaml': 'visibility: private\n',
  })
  await temporary.publishing('other/guide', { 'guide/project.yaml': 'visibility: public\n' })
  await temporary.publishing('third/hidden', { 'hidden/project.yaml': 'visibility: private\n' })
  const hosts = {
    'brands.acme.test': 'acme',
    'other.test': 'other',
    'third.test': 'third',
    'cloud.test': 'acme/nimbus',
  }
  await addHosts(temporary, hosts)
  const { ask } = await testService(temporary)
  const at = (host: string) => ask(PATH, { headers: { host } })
  const { house, brands, ...rest } = parsed(await at('brands.acme.test'))
  validBrand({ house, brands, ...rest })
  assert.deepEqual(house, { domain: 'brands.acme.test', name: 'Acme GmbH' })
  const urls = brands.map(({ url }: { url: string }) => url)
  assert.deepEqual(urls, ['http://brands.acme.test/guidelines', 'http://cloud.test'])
  assert.equal(parsed(await at('other.test')).url, 'http://other.test/guide')
  assert.equal((await at('third.test')).status, 404)
})
