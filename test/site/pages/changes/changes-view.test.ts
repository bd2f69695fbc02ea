import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { retract } from '#publishing/history.ts'
import { sharedCookie, testService } from '#test/support/service.ts'
import { resultOf, temporaryStore } from '#test/support/temporary-store.ts'

const temporary = await temporaryStore()

for (const [id, revisions] of [
  ['shown', 'served'],
  ['hidden', 'private'],
] as const)
  test(`pages changed since the previous revision are named and linked if revisions are ${revisions}`, async () => {
    const settings = `visibility: public\nrevisions: ${revisions}\n`
    const files = { [`${id}/project.yaml`]: settings, [`${id}/pages/same.md`]: '# Same\n' }
    await temporary.importing('acme', {
      ...files,
      [`${id}/pages/other.md`]: '# Other\n',
      [`${id}/pages/secret.md`]: '# Secret\n',
    })
    await temporary.publish(`acme/${id}`)
    await rm(join(temporary.folder, 'acme', id, 'pages/secret.md'))
    const first = await testService(temporary)
    assert.equal((await first.ask(`/acme/${id}/-/changes`)).status, 404)
    await temporary.importing('acme', {
      ...files,
      [`${id}/pages/other.md`]: '# Other\n\nMore.\n',
      [`${id}/pages/new.md`]: '# New & old\n',
    })
    await temporary.publish(`acme/${id}`)
    const { ask, follow } = await testService(temporary)
    const { text } = await ask(`/acme/${id}/-/changes`)
    const main = /<main[\s\S]*<\/main>/.exec(text)?.[0].replace(/\s*\n\s*/g, '') ?? ''
    const isServed = revisions === 'served'
    assert.match(main, /<p>Since revision 1 of \d+ \w+ \d{4}:<\/p>/)
    const parts = main.split('<div class="change"').slice(1)
    const seen = parts.map(part => /id="page-(\w+)".*?class="what">(\w+)</.exec(part)?.slice(1))
    assert.deepEqual(seen, [['other', 'Changed'], ['new', 'New'], ...(isServed ? [['secret', 'Removed']] : [])])
    assert.match(parts[0] ?? '', new RegExp(`<h3><a href="/acme/${id}/other">Other</a>`))
    assert.equal(/<p[^>]*><ins>More\.<\/ins><\/p>/.test(parts[0] ?? ''), isServed)
    const lines = '@@ -1,1 +1,3 @@# Other<ins>+</ins><ins>+More.</ins>'
    const source = `<details><summary>Markdown source</summary><pre class="diff" tabindex="0"><code>${lines}</code></pre></details>`
    assert.equal(parts[0]?.includes(source), isServed)
    assert.match(parts[1] ?? '', new RegExp(`<a href="/acme/${id}/new">New &#38; old</a>`))
    assert.doesNotMatch(parts[2] ?? '', /href=/)
    assert.match(text, /· <a href="\/acme\/\w+\/-\/changes">What changed<\/a><\/p>/)
    // A retracted revision is no longer named, although the content is the same; pages still link here.
    const place = { workspace: 'acme', project: id }
    await retract(temporary.store, place, 1, new Date())
    await follow()
    const after = await ask(`/acme/${id}/-/changes`)
    assert.equal(after.status, 200)
    assert.ok(after.text.includes('<p>There is no earlier revision to compare this one with.</p>'))
    assert.ok(!after.text.includes('Since revision'))
    assert.ok(!after.text.includes('Secret'))
    assert.match((await ask(`/acme/${id}/other`)).text, /-\/changes">What changed</)
  })

for (const [id, revisions] of [
  ['served', 'served'],
  ['unserved', 'private'],
] as const)
  test(`the changes have the note, and colours and files before and after, if revisions are ${revisions}`, async () => {
    const picture = (color: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><path fill="${color}" d="M0 0h9v9z"/></svg>\n`
    const folder = { [`${id}/project.yaml`]: `visibility: public\nrevisions: ${revisions}\n` }
    await temporary.importing('acme', {
      ...folder,
      [`${id}/styles/colors.yaml`]: '- { name: Red, hex: "#ff0000" }\n- { name: Lost, hex: "#0000ff" }\n',
      [`${id}/files/logo.svg`]: picture('red'),
      [`${id}/files/plan.txt`]: 'First',
      [`${id}/files/lost.txt`]: 'Lost',
    })
    await temporary.publish(`acme/${id}`)
    const { ask, follow } = await testService(temporary)
    const addressIn = (text: string) => /<img src="([^"]*logo\.svg)"/.exec(text)?.[1] ?? ''
    const old = addressIn((await ask(`/acme/${id}/-/files`)).text)
    assert.equal((await ask(old)).status, 200)
    await rm(join(temporary.folder, 'acme', id, 'files/lost.txt'))
    await temporary.importing('acme', {
      ...folder,
      [`${id}/styles/colors.yaml`]: '- { name: Red, hex: "#ee1100" }\n- { name: Fresh, hex: "#00ff00" }\n',
      [`${id}/files/logo.svg`]: picture('green'),
      [`${id}/files/plan.txt`]: 'Second',
      [`${id}/files/fresh.txt`]: 'New',
    })
    await resultOf(temporary.folder, ['publish', `acme/${id}`, '--note', 'A warmer <red>'])
    await follow()
    const { text } = await ask(`/acme/${id}/-/changes`)
    const main = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''
    assert.ok(main.includes('<p class="lead" dir="auto">A warmer &#60;red&#62;</p>'))
    const pair = /<ul class="tiles changed">[\s\S]*?<\/ul>/.exec(main)?.[0] ?? ''
    assert.match(pair, /#ff0000[\s\S]*Before[\s\S]*#ff0000[\s\S]*#ee1100[\s\S]*After[\s\S]*#ee1100/)
    const isServed = revisions === 'served'
    for (const [name, isNamed] of [
      ['Fresh', true],
      ['Lost', isServed],
      ['#0000ff', isServed],
      ['fresh.txt</a>', true],
      ['plan.txt</a>', true],
      ['logo.svg</a>', true],
      ['lost.txt', isServed],
    ] as const)
      assert.equal(main.includes(name), isNamed, name)
    assert.equal(main.includes(`src="${old}"`), isServed)
    assert.equal((await ask(old)).status, isServed ? 200 : 404)
    for (const [, address = ''] of main.matchAll(/(?:href|src)="([^"]*\/-\/files\/[^"]*)"/g))
      assert.equal((await ask(address)).status, 200, address)
  })

test('the changes of a guide that became public never mention a private revision', async () => {
  const settings = (visibility: string) => ({
    'turned/project.yaml': `visibility: ${visibility}\nrevisions: served\n`,
  })
  const revisions = [
    ['public', 'first'],
    ['private', 'secret'],
    ['public', 'third'],
  ] as const
  const { ask, follow } = await testService(temporary)
  const texts: string[] = []
  for (const [at, [visibility, page]] of revisions.entries()) {
    const before = revisions[at - 1]?.[1]
    if (before) await rm(join(temporary.folder, 'acme/turned/pages', `${before}.md`))
    await temporary.publishing('acme/turned', {
      ...settings(visibility),
      [`turned/pages/${page}.md`]: `# The ${page} page\n`,
    })
    await follow()
    texts.push((await ask('/acme/turned/-/changes')).text)
  }
  const { token } = await temporary.issue('acme')
  texts.push((await ask('/acme/turned/-/changes', { token })).text)
  for (const text of texts.slice(2)) {
    assert.match(text, /Since revision 1 of/)
    assert.match(text, /The first page/)
    assert.doesNotMatch(text, /secret/)
  }
  await retract(temporary.store, { workspace: 'acme', project: 'turned' }, 1, new Date())
  await follow()
  const { status, text } = await ask('/acme/turned/-/changes')
  assert.equal(status, 200)
  assert.match(text, /There is no earlier revision to compare this one with/)
  assert.doesNotMatch(text, /secret|first/)
  assert.match(text, /<p><a href="\/acme\/turned\/-\/pages">All pages<\/a><\/p>/)
})

test('a private guide names removed pages to the bearer of a token, but not to the holder of a share link', async () => {
  const settings = { 'closed/project.yaml': 'revisions: served\n', 'closed/pages/index.md': '# Index\n' }
  await temporary.publishing('acme/closed', { ...settings, 'closed/pages/gone.md': '# Gone page\n' })
  await rm(join(temporary.folder, 'acme/closed/pages/gone.md'))
  await temporary.publishing('acme/closed', { ...settings, 'closed/pages/new.md': '# New page\n' })
  const service = await testService(temporary)
  const { ask } = service
  const cookie = await sharedCookie(service, temporary.folder, 'acme/closed')
  const { token } = await temporary.issue('acme')
  for (const _ of [1, 2]) {
    const shared = await ask('/acme/closed/-/changes', { headers: { cookie } })
    assert.match(shared.text, /New page/)
    assert.doesNotMatch(shared.text, /Gone page/)
    assert.match((await ask('/acme/closed/-/changes', { token })).text, /Gone page/)
  }
  for (let version = 0; version < 30; version++)
    for (const path of [`changes@${version}:true`, `changes//${version}:true`]) {
      const { status, text } = await ask(`/acme/closed/-/${path}`, { headers: { cookie } })
      assert.equal(status, 404, path)
      assert.doesNotMatch(text, /Gone page/)
    }
})

test('changed values of colours and type styles are shown before and after, with both samples', async () => {
  const files = (color: string, size: number) => ({
    'values/project.yaml': 'visibility: public\nrevisions: served\n',
    'values/styles/colors.yaml': `- { name: Red, ${color} }\n`,
    'values/styles/types.yaml': `- { name: Title, size: ${size}, weight: 700, sample: Open }\n`,
  })
  await temporary.publishing('acme/values', files('hex: "#ff0000", cmyk: "0,99,99,0", pms: 185 C, dark: 8ab8ee', 20))
  await temporary.publishing('acme/values', files('hex: "#ee0000", cmyk: "0,90,99,0", pms: 186 C, dark: 9ab8ee', 28))
  const { ask } = await testService(temporary)
  const { text } = await ask('/acme/values/-/changes')
  const values = Array.from(
    text.matchAll(/<dt>([^<]*)<\/dt>\n<dd><del><bdi>(.*?)<\/bdi><\/del>.*?<ins><bdi>(.*?)<\/bdi>/g),
  )
  const seen = values.map(([, ...parts]) => parts)
  assert.deepEqual(seen, [
    ['CMYK', '0,99,99,0', '0,90,99,0'],
    ['Hex', '#ff0000', '#ee0000'],
    ['PMS', '185 C', '186 C'],
    ['Dark', '#8ab8ee', '#9ab8ee'],
    ['Size', '20\u00a0px', '28\u00a0px'],
  ])
  assert.match(text, /Before<\/span><p class="type-title_before" dir="auto">Open<\/p>/)
  assert.match(text, /After<\/span><p class="type-title" dir="auto">Open<\/p>/)
  const sheet = await ask('/acme/values/-/changes.css')
  assert.match(sheet.text, /\.type-title_before\{[^}]*font-size: ?20px/)
  await temporary.publishing('acme/values', files('hex: "#ee0000"', 40))
  const compared = await (await testService(temporary)).ask('/acme/values/-/changes.css?from=1&to=2')
  assert.match(compared.text, /\.type-title\{[^}]*font-size: ?28px[\s\S]*\.type-title_before\{[^}]*font-size: ?20px/)
})

test('the changes count the items of each kind, name new addresses, and show all values of colours, files and settings', async () => {
  const page = '# Letters\n\nWith the mark.\n'
  await temporary.importing('acme', {
    'moves/project.yaml': 'name: Moves\nrevisions: served\nvisibility: public\n',
    'moves/pages/old.md': page,
    'moves/styles/colors.yaml': '- { name: Ink, hex: "#000000" }\n- { name: Fog, hex: "#eeeeee" }\n',
    'moves/files/files.yaml': 'plan.txt: { title: Plan }\n',
    'moves/files/plan.txt': 'Plan',
    'moves/files/here.txt': 'Moved',
  })
  await temporary.publish('acme/moves')
  for (const path of ['pages/old.md', 'files/here.txt']) await rm(join(temporary.folder, 'acme/moves', path))
  await temporary.importing('acme', {
    'moves/project.yaml': 'name: Moves\nrevisions: served\nvisibility: public\ntheme: { accent: ink }\n',
    'moves/pages/fresh.md': page,
    'moves/styles/colors.yaml': '- { name: Ink, hex: "#000000", on: fog }\n- { name: Fog, hex: "#eeeeee" }\n',
    'moves/files/files.yaml': 'plan.txt: { title: The plan }\n',
    'moves/files/there.txt': 'Moved',
  })
  const service = await testService(temporary)
  const cookie = await sharedCookie(service, temporary.folder, 'acme/moves', '--draft')
  const { text } = await service.ask('/acme/moves/-/draft/-/changes', { headers: { cookie } })
  const shown = text.replaceAll(/<a [^>]*>|<\/a>|\n|<\/?bdi>/g, '')
  for (const part of [
    '<li>Pages <span class="quiet">1</span></li><li>Colours <span class="quiet">1</span></li><li>Files <span class="quiet">2</span></li>',
    '<dt><code dir="ltr">theme</code></dt><dd><ins>accent ink</ins></dd>',
    '<h3>Letters <span class="what">New address</span></h3><dl class="facts"><dt>Address</dt><dd><del>old</del> <ins>fresh</ins></dd>',
    '<dt>Recommended pairs</dt><dd><ins>fog</ins></dd>',
    '<dt>Name</dt><dd><del>Plan</del> <ins>The plan</ins></dd>',
    '<dt>File</dt><dd><del>files/here.txt</del> <ins>files/there.txt</ins></dd>',
  ])
    assert.ok(shown.includes(part), part)
})

test('the page shows the first 12 changed pages, and its list opens any other', async () => {
  const pages = (text: string) =>
    Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`many/pages/p${at + 10}.md`, `# P\n\n${text} ${at}\n`]))
  await temporary.publishing('acme/many', {
    'many/project.yaml': 'visibility: public\nrevisions: served\n',
    ...pages('Old'),
  })
  await temporary.publishing('acme/many', pages('New'))
  const { ask } = await testService(temporary)
  const { text } = await ask('/acme/many/-/changes')
  assert.equal(text.match(/class="change"/g)?.length, 12)
  assert.equal(text.match(/<li><a href="#page-/g)?.length, 12)
  const opened = await ask(`/acme/many/-/changes${/<a href="(\?page=p23)#page-p23">/.exec(text)?.[1]}`)
  assert.match(opened.text, /<div class="change" id="page-p23">[\s\S]*<del>Old<\/del><ins>New<\/ins> 13/)
  assert.equal(opened.text.match(/class="change"/g)?.length, 1)
})
