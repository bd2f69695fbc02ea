import assert from 'node:assert/strict'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { unpublish } from '#publishing/change-project.ts'
import { shareLink } from '../support/agent-program.ts'
import { servedBrand } from '../support/service.ts'
import { addHosts } from '../support/temporary-store.ts'
import { ORIGINAL } from '../support/translated-guide.ts'
import { browserOf } from '../support/visitor.ts'

const PAGES = {
  ...ORIGINAL,
  'de/project.yaml': 'name: Richtlinien\nlang: de\nvisibility: public\ntranslationOf: guide\n',
  'de/pages/index.md': '# Willkommen\n',
  'de/pages/zeichen.md': '---\nid: logo\n---\n# Zeichen\n',
  'pt/project.yaml': 'name: Guia\nlang: pt-BR\nvisibility: private\ntranslationOf: guide\n',
  'pt/pages/logo.md': '# Logotipo\n',
}

const linksIn = (text: string) =>
  Array.from(
    text.matchAll(/<li><a href="([^"]+)" lang="([^"]+)" hreflang="\2" dir="auto"( aria-current="true")?>([^<]+)/g),
    ([, ...parts]) => parts.map(part => part ?? ''),
  )
const alternatesIn = (text: string) =>
  Array.from(
    text.matchAll(/<(?:xhtml:)?link rel="alternate" hreflang="([^"]+)" href="[^"]+test([^"]+)"/g),
    ([, ...parts]) => parts,
  )

test('the switcher of a page leads to it in each language, or to the home page', async () => {
  const { ask } = await servedBrand(PAGES)
  const shown = async (path: string) => linksIn((await ask(path)).text)
  const current = ' aria-current="true"'
  assert.deepEqual(await shown('/acme/guide/logo'), [
    ['/acme/guide/logo', 'en', current, 'English'],
    ['/acme/de/logo', 'de', '', 'Deutsch'],
  ])
  assert.deepEqual(await shown('/acme/de/logo'), [
    ['/acme/de/logo', 'de', current, 'Deutsch'],
    ['/acme/guide/logo', 'en', '', 'English'],
  ])
  assert.deepEqual((await shown('/acme/guide/motion')).at(1)?.[0], '/acme/de')
  assert.deepEqual((await shown('/acme/de/-/colors')).at(1)?.[0], '/acme/guide/-/colors')
  for (const path of ['/-/pages', '/-/use'])
    assert.deepEqual((await shown(`/acme/de${path}`)).at(1)?.[0], `/acme/guide${path}`)
  assert.deepEqual((await shown('/acme/de/nothing')).at(1)?.[0], '/acme/guide')
})

test('search engines find a page in each language, in its head and in the sitemap, if two guides have it', async () => {
  const french = {
    'fr/project.yaml': 'lang: fr\nvisibility: public\ntranslationOf: guide\n',
    'fr/pages/nur.md': '# Que\n',
  }
  const { ask } = await servedBrand({ ...PAGES, 'de/pages/nur.md': '# Nur\n', ...french })
  const pair = [
    ['en', '/acme/guide/logo'],
    ['x-default', '/acme/guide/logo'],
    ['de', '/acme/de/logo'],
  ]
  const sorted = (links: string[][]) => links.map(link => link.join(' ')).sort()
  for (const path of ['/acme/guide/logo', '/acme/de/logo'])
    assert.deepEqual(sorted(alternatesIn((await ask(path)).text)), sorted(pair), path)
  assert.deepEqual(alternatesIn((await ask('/acme/guide/motion')).text), [])
  const both = [
    ['de', '/acme/de/nur'],
    ['fr', '/acme/fr/nur'],
  ]
  for (const [, path = ''] of both) assert.deepEqual(sorted(alternatesIn((await ask(path)).text)), sorted(both), path)
  const { text } = await ask('/acme/de/sitemap.xml')
  assert.match(text, /<urlset xmlns="[^"]+" xmlns:xhtml="http:\/\/www\.w3\.org\/1999\/xhtml">/)
  const [entry = ''] = /<url><loc>[^<]+\/acme\/de\/logo<\/loc>.*/.exec(text) ?? []
  assert.deepEqual(sorted(alternatesIn(entry)), sorted(pair))
})

test('search engines find one page in each language, also if a former project of a translation is still published', async () => {
  const { ask, follow, temporary } = await servedBrand(PAGES)
  const { 'de/project.yaml': settings = '' } = PAGES
  await temporary.publishing('acme/neu', { 'de/project.yaml': `id: neu\n${settings}` })
  await follow()
  const alternates = (await ask('/acme/guide/logo')).text.match(/rel="alternate" hreflang="[^"]+"/g)
  assert.equal(new Set(alternates).size, 3)
  assert.equal(alternates?.length, 3)
})

test('a translation lists the pages that it lacks as links to its original, with its language', async () => {
  const { ask } = await servedBrand(PAGES)
  for (const path of ['/acme/de', '/acme/de/-/pages']) {
    const [, list = ''] = (await ask(path)).text.split('>Noch nicht übersetzt<')
    assert.match(
      list,
      /<li><a href="\/acme\/guide\/motion" lang="en" hreflang="en">Motion<\/a> <span class="quiet" lang="en">English<\/span><\/li>/,
    )
    assert.doesNotMatch(list, /guide\/logo" lang/)
  }
  for (const path of ['/acme/guide', '/acme/de/logo'])
    assert.doesNotMatch((await ask(path)).text, /id="Untranslated"/, path)
})

test('a private language is shown only to its readers, and never on the pages of a public guide', async () => {
  const closed = { 'guide/project.yaml': 'lang: en\n', 'de/project.yaml': 'lang: de\ntranslationOf: guide\n' }
  const { ask, follow, temporary } = await servedBrand({ ...PAGES, ...closed })
  const cookieFor = async (...projects: string[]) => {
    const cookies = projects.map(async project => {
      const { headers } = await ask((await shareLink(temporary.store, { project })).path)
      return headers.getSetCookie().map(each => each.split(';')[0])
    })
    return { cookie: (await Promise.all(cookies)).flat().join('; ') }
  }
  const languages = async (headers = {}, path = '/acme/guide/logo') =>
    linksIn((await ask(path, { headers })).text).map(([, lang]) => lang)
  const [both, one] = [await cookieFor('guide', 'de'), await cookieFor('guide')]
  assert.deepEqual([await languages(both), await languages(one)], [['en', 'de'], []])
  assert.deepEqual([await languages(both, '/acme/guide'), await languages(one, '/acme/guide')], [['en', 'de'], []])
  assert.doesNotMatch((await ask('/acme/guide/sitemap.xml', { headers: both })).text, /hreflang/)
  const opened = { 'guide/project.yaml': 'lang: en\nvisibility: public\n' }
  await temporary.publishing('acme/guide', opened)
  await follow()
  assert.deepEqual([await languages(both), await languages()], [[], []])
  assert.deepEqual(await languages(both, '/acme/de/logo'), ['de', 'en'])
  await temporary.publishing('acme/de', { 'de/project.yaml': 'lang: de\ntranslationOf: guide\nvisibility: public\n' })
  await follow()
  assert.deepEqual(await languages(), ['en', 'de'])
  unwrap(await unpublish(temporary.store, { workspace: 'acme', project: 'de' }, new Date()))
  await follow()
  assert.deepEqual(await languages(), [])
})

test('a link to a page without a translation leads to the original until it is translated', async () => {
  const { ask, follow, temporary } = await servedBrand({
    ...PAGES,
    'de/pages/index.md': '# Start\n\n[Bewegung](motion.md)\n',
  })
  assert.match((await ask('/acme/de')).text, /<a href="\/acme\/de\/motion"/)
  const moved = async (path: string) => {
    const { status, headers } = await ask(path)
    return [status, headers.get('location')]
  }
  assert.deepEqual(await moved('/acme/de/motion'), [307, '/acme/guide/motion'])
  assert.deepEqual(await moved('/acme/de/motion.md?a=b'), [307, '/acme/guide/motion.md?a=b'])
  assert.deepEqual((await moved('/acme/de/nothing'))[0], 404)
  await temporary.publishing('acme/de', { 'de/pages/motion.md': '# Bewegung\n' })
  await follow()
  assert.deepEqual((await moved('/acme/de/motion'))[0], 200)
})

test('a translation at its own host is linked to there, and its pages link back', async () => {
  const { service, follow, temporary } = await servedBrand(PAGES)
  await addHosts(temporary, { 'de.test': 'acme/de' })
  await follow()
  const browser = browserOf(service)
  const linksAt = async (url: string) => {
    const { text } = await browser.get(url)
    return [linksIn(text).map(([path]) => path), alternatesIn(text.replaceAll('de.test/', 'test/de/')).length]
  }
  assert.deepEqual(await linksAt('http://brand.test/acme/guide/logo'), [['/acme/guide/logo', 'http://de.test/logo'], 3])
  assert.deepEqual(await linksAt('http://de.test/logo'), [['/logo', 'http://brand.test/acme/guide/logo'], 3])
  const { status, headers } = await browser.get('http://de.test/motion')
  assert.deepEqual([status, headers.get('location')], [307, 'http://brand.test/acme/guide/motion'])
})

test('a list of styles that a translation has from its original has no link for editing there', async () => {
  const { ask } = await servedBrand({ ...PAGES, 'workspace.yaml': 'id: acme\nedit: https://git.test/edit/{path}\n' })
  assert.match((await ask('/acme/guide/-/colors')).text, /git\.test\/edit\/guide\/styles\/colors\.yaml/)
  assert.doesNotMatch((await ask('/acme/de/-/colors')).text, /git\.test/)
  assert.match((await ask('/acme/de/logo')).text, /git\.test\/edit\/de\/pages\/zeichen\.md/)
})
