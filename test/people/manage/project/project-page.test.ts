import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { unpublish } from '#publishing/change-project.ts'
import { retract } from '#publishing/history.ts'
import { publishPlanned } from '#publishing/plan.ts'
import { review } from '#publishing/review.ts'
import {
  formOf,
  hiddenFields,
  PEOPLE_URL,
  peopleService,
  sessionCookie,
  shownAfter,
  withoutSecret,
} from '../../../support/people-service.ts'
import type { Answer, Asking, TestService } from '../../../support/service.ts'
import { resultOf, seenDraft, type TemporaryStore, temporaryStore } from '../../../support/temporary-store.ts'

const GUIDE = {
  'guide/project.yaml': 'name: Guide\n',
  'guide/pages/index.md': '# Home\n',
  'guide/pages/old.md': '# Old page\n',
  'guide/files/mark.svg': picture('red'),
}

function picture(color: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><path fill="${color}" d="M0 0h9v9z"/></svg>\n`
}

const DRAFT = {
  'guide/pages/index.md': '# Home\n\n[Nowhere](gone.md)\n',
  'guide/pages/new.md': '# New page\n',
  'guide/styles/colors.yaml': '- { name: Fresh, hex: "#00ff00" }\n',
  'guide/files/mark.svg': picture('green'),
}

/** Opens a store whose guide is published, and has a draft that differs. */
async function storeWithDraft(): Promise<TemporaryStore> {
  const temporary = await temporaryStore()
  await temporary.publishing('acme/guide', GUIDE, new Date('2026-03-07T12:00:00Z'))
  await rm(join(temporary.folder, 'acme/guide/pages/old.md'))
  await temporary.importing('acme', DRAFT)
  return temporary
}

/** Uses the manage page of a project in a browser with a cookie. */
function browser({ ask }: Pick<TestService, 'ask'>, cookie: string, path = '/acme/guide/-/manage') {
  const read = async (query = '') => ask(path + query, { headers: { cookie } })
  const send = async (fields: Readonly<Record<string, string>>, headers: Asking['headers'] = {}) =>
    ask(path, formOf(fields, { cookie, 'sec-fetch-site': 'same-origin', ...headers }))
  /** Presses a button of the page, with the hidden fields of its form. */
  const press = async (action: string, entered: Readonly<Record<string, string>> = {}, at = 0) =>
    send({ ...hiddenFields((await read()).text, action, at), ...entered })
  return { read, send, press }
}

/** A service, and the manage page of a project in the browser of a person. */
async function managing(
  temporary: TemporaryStore,
  person: Parameters<typeof sessionCookie>[2],
  path = '/acme/guide/-/manage',
) {
  const service = await peopleService(temporary)
  const cookie = await sessionCookie(temporary, 'acme', person)
  return { ...service, cookie, ...browser(service, cookie, path) }
}

const textOf = (page: string) =>
  (/<main.*<\/main>/s.exec(page)?.[0] ?? '').replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

test('only people who manage a private guide have the link to its manage page in the header', async () => {
  const temporary = await temporaryStore()
  await temporary.publishing('acme/guide', {
    'guide/project.yaml': 'name: Guide\n',
    'guide/pages/index.md': '# Home\n',
    'open/project.yaml': 'name: Open\nvisibility: public\n',
    'open/pages/index.md': '# Home\n',
    'fresh/project.yaml': 'name: Fresh\n',
    'fresh/pages/index.md': '# Fresh\n',
  })
  await temporary.publish('acme/open')
  const { ask } = await peopleService(temporary)
  const manager = {
    cookie: await sessionCookie(temporary, 'acme', { name: 'Ada', manages: ['guide', 'open', 'fresh'] }),
  }
  const reader = { cookie: await sessionCookie(temporary, 'acme', { name: 'Ada', drafts: true }) }
  const link = /<a href="\/acme\/(\w+)\/-\/manage">/
  for (const path of ['/acme/guide', '/acme/guide/missing', '/acme/guide/-/draft', '/acme/guide/-/search?q=home']) {
    assert.equal(link.exec((await ask(path, { headers: manager })).text)?.[1], 'guide', path)
    assert.doesNotMatch((await ask(path, { headers: reader })).text, link, path)
  }
  assert.equal(link.exec((await ask('/acme/fresh/-/draft', { headers: manager })).text)?.[1], 'fresh')
  assert.equal((await ask('/acme/open', { headers: manager })).text, (await ask('/acme/open')).text)
})

test('the page of a draft with damaged findings fails', async () => {
  const temporary = await storeWithDraft()
  await temporary.store.database.run("UPDATE project SET draft_findings = '[7]', source = '{'")
  const { read } = await managing(temporary, { manages: ['guide'] })
  await assert.rejects(read(), /the row acme guide of the table project cannot be read/)
})

test('the page has *Publish* before the changes, and links to the other manage pages instead of the pages of the guide', async () => {
  const temporary = await storeWithDraft()
  const { read } = await managing(temporary, { manages: ['guide'] })
  const { text } = await read()
  assert.match(text, /<h2>A draft waits<\/h2>.*value="publish".*mark\.svg/s)
  const tabs = /<nav class="subnav".*?<\/nav>/s.exec(text)?.[0] ?? ''
  const seen = Array.from(tabs.matchAll(/href="([^"]+)"( aria-current="page")?/g), ([, to, current]) => [
    to,
    current !== undefined,
  ])
  assert.deepEqual(seen, [
    ['/acme/guide/-/manage', true],
    ['/acme/guide/-/manage/history', false],
    ['/acme/guide/-/manage/links', false],
    ['/acme/guide/-/manage/usage', false],
    ['/acme/-/manage#People', false],
  ])
  // Only narrow windows show this list, as their menu.
  assert.match(text, /<nav class="sheet" id="Menu"/)
})

test('answers of reviewers are before the changes, each once, and a request with its *Dismiss*', async () => {
  const temporary = await storeWithDraft()
  const { store } = temporary
  const given = { isSignedIn: true, ...(await seenDraft(store)) }
  for (const [who, answer] of [
    ['Ann', 'approve'],
    ['Ben', 'ask'],
  ] as const)
    unwrap(
      await review(
        store,
        { workspace: 'acme', project: 'guide' },
        { ...given, reviewer: who, who, answer, comment: `By ${who}` },
        store.clock.date(),
      ),
    )
  const { read } = await managing(temporary, { manages: ['guide'] })
  const words = textOf((await read()).text)
  assert.match(words, /Review This draft is not approved yet\. .*Since revision 1/)
  assert.match(words, /Changes requested by Ben , [^.]*? By Ben Dismiss/)
  assert.equal(words.match(/requested by Ben/g)?.length, 1)
})

test('the page names what the draft changes, with pictures that the manager can open, and its findings', async () => {
  const temporary = await storeWithDraft()
  const { ask, cookie, read } = await managing(temporary, { manages: ['guide'] })
  const { status, text, headers } = await read()
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-robots-tag'), 'noindex')
  assert.equal(headers.get('x-frame-options'), 'DENY')
  assert.equal(headers.get('referrer-policy'), 'same-origin')
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  const words = textOf(text)
  assert.match(words, /Revision 1 Published on 7 March 2026 at 12:00 UTC Published by –/)
  assert.match(words, /Pages New: New page Changed: Home Removed: Old page Colours New: Fresh Files Changed: mark\.svg/)
  assert.match(words, /1 problem in the draft Home guide\/pages\/index\.md Line 3: /)
  const pictures = Array.from(text.matchAll(/<img src="([^"]+mark\.svg)"/g), ([, address = '']) => address)
  assert.equal(new Set(pictures).size, 2)
  for (const [at, address] of pictures.entries()) {
    assert.match((await ask(address, { headers: { cookie } })).text, at === 0 ? /red/ : /green/)
    assert.equal((await ask(address)).status, 404)
  }
})

test('publishing serves the draft at once, and the history has the note and the person', async () => {
  const temporary = await storeWithDraft()
  const { ask, logged } = await peopleService(temporary)
  const cookie = await sessionCookie(temporary, 'acme', {
    name: 'Ada Lovelace',
    subject: 'hash-of-ada',
    manages: 'all',
  })
  const { read, press } = browser({ ask }, cookie)
  const published = await press('publish', { note: ' A new page,\r\nfor <all> ' })
  assert.equal(published.status, 303)
  const address = published.headers.get('location') ?? ''
  assert.equal(address, '/acme/guide/-/manage?done=publish')
  const page = textOf((await read('?done=publish')).text)
  assert.match(page, /Revision 2 is published\. Nothing waits /)
  assert.match(page, /There is nothing new to publish\./)
  assert.doesNotMatch(textOf((await read('?done=retract')).text), /Revision 2 is published\./)
  assert.equal((await ask('/acme/guide/new', { headers: { cookie } })).status, 200)
  const [entry] = await resultOf(temporary.folder, ['history', 'acme/guide'])
  assert.deepEqual([entry.revision, entry.note, entry.who], [2, 'A new page, for <all>', 'Ada Lovelace'])
  const kept = logged.filter(line => 'event' in line && line.event === 'published')
  assert.deepEqual(kept, [
    {
      event: 'published',
      workspace: 'acme',
      project: 'guide',
      revision: 2,
      via: 'page',
      subject: 'hash-of-ada',
      message: 'published',
    },
  ])
  const sure = { sure: 'yes' }
  assert.equal((await press('restore', sure)).headers.get('location'), '/acme/guide/-/manage?done=restore')
  const restored = textOf((await read('?done=restore')).text)
  assert.match(restored, /The draft still has what you took back, and the next publication publishes it again/)
  assert.match(restored, /Restored: revision 3 is published\..*Restored from revision 1/)
  assert.match((await read('/history')).text, /<option value="3" selected>3 · [^<]* · Restored from revision 1</)
  assert.equal((await ask('/acme/guide/new', { headers: { cookie } })).status, 404)
  assert.equal(logged.filter(line => 'event' in line && line.event === 'restored').length, 1)
})

test('a second manager who publishes the same draft reads who did it, and keeps her note', async () => {
  const temporary = await storeWithDraft()
  const { ask } = await peopleService(temporary)
  const visitor = { name: 'Ada', manages: ['guide'] }
  const [ada, ben] = [
    browser({ ask }, await sessionCookie(temporary, 'acme', visitor)),
    browser({ ask }, await sessionCookie(temporary, 'acme', { ...visitor, name: 'Ben', subject: 'ben' })),
  ]
  const seen = hiddenFields((await ben.read()).text, 'publish')
  assert.equal((await ada.press('publish', { note: 'By Ada' })).status, 303)
  const published = /already published: revision 2, .*, Ada ?\./
  for (const later of [{}, { do: 'plan', at: '2099-01-01T00:00' }]) {
    const { status, text } = await ben.send({ ...seen, ...later, note: 'By Ben' })
    assert.equal(status, 409)
    assert.match(textOf(text), published)
    assert.match(text, /<textarea[^>]* readonly>\nBy Ben</)
  }
  await temporary.importing('acme', { 'guide/pages/later.md': '# A later page\n' })
  const { text } = await ben.send({ ...seen, note: 'By Ben' })
  assert.match(textOf(text), published)
  assert.doesNotMatch(textOf(text), /nothing was published/)
  assert.match(text, /<textarea id="note"[^>]*>By Ben</)
})

test('a draft that changed since the page was opened is not published, and the page shows the new one', async () => {
  const temporary = await storeWithDraft()
  const { ask, read, send, press } = await managing(temporary, { manages: ['guide'] })
  const seen = hiddenFields((await read()).text, 'publish')
  await temporary.importing('acme', { 'guide/pages/later.md': '# A later page\n' })
  const stale = await send({ ...seen, note: 'My note' })
  assert.equal(stale.status, 409)
  assert.match(textOf(stale.text), /The draft has changed since you opened this page.*My note.*A later page/)
  const again = hiddenFields(stale.text, 'publish')
  await temporary.importing('acme', { 'guide/project.yaml': 'name: Guide\nvisibility: public\n' })
  const open = await send(again)
  assert.equal(open.status, 409)
  assert.match(textOf(open.text), /Publishing makes this guide public/)
  assert.equal((await resultOf(temporary.folder, ['history', 'acme/guide'])).length, 1)
  assert.equal((await press('publish')).status, 303)
  assert.equal((await ask('/acme/guide')).status, 200)
})

test('a form that is incomplete, or has the token of another session, changes nothing', async () => {
  const temporary = await storeWithDraft()
  const { logged, read, send } = await managing(temporary, { manages: ['guide'] })
  const good = hiddenFields((await read()).text, 'publish')
  assert.match(good.token ?? '', /^[\w-]{43}$/)
  const forged = await send({ ...good, token: 'x'.repeat(43) })
  assert.equal(forged.status, 403)
  assert.match(forged.text, /The form was not accepted/)
  const wrong: [number, Record<string, string>, RegExp][] = [
    [400, { do: 'destroy' }, /The form was incomplete/],
    [400, { do: '' }, /The form was incomplete/],
    [422, { note: 'x'.repeat(1001) }, /longer than 1,000 characters.*x{1001}/],
    [422, { draft: 'none' }, /The form was incomplete/],
    [409, { draft: `${'a'.repeat(64)}-${'b'.repeat(32)}` }, /The draft has changed/],
    [422, { do: 'restore' }, /The form was incomplete/],
    [422, { do: 'restore', revision: '7' }, /This revision does not exist/],
  ]
  for (const [status, fields, message] of wrong) {
    const reply = await send({ ...good, ...fields })
    assert.equal(reply.status, status, JSON.stringify(fields).slice(0, 80))
    assert.match(textOf(reply.text), message)
  }
  assert.equal((await resultOf(temporary.folder, ['history', 'acme/guide'])).length, 1)
  const unexpected = logged.filter(line => 'event' in line && line.event === 'published')
  assert.deepEqual(unexpected, [])
})

test('for everyone else the page is an unknown address, and its forms reveal no guide', async () => {
  const temporary = await storeWithDraft()
  await temporary.publishing('acme/other', { 'other/pages/index.md': '# Other\n' })
  await temporary.publishing('second/guide', { 'guide/pages/index.md': '# Second\n' })
  const { ask } = await peopleService(temporary)
  const manager = browser({ ask }, await sessionCookie(temporary, 'acme', { manages: ['guide'] }))
  const fields = hiddenFields((await manager.read()).text, 'publish')
  const { id, url } = await resultOf(temporary.folder, ['share', 'acme/guide', '--draft'])
  assert.ok(id)
  const link = (await ask(new URL(url).pathname)).headers.get('set-cookie')?.split(';')[0] ?? ''
  const others = {
    nobody: '',
    'a reader': await sessionCookie(temporary, 'acme', { drafts: true }),
    'a manager of another project': await sessionCookie(temporary, 'acme', { manages: ['other'] }),
    'a manager of another workspace': await sessionCookie(temporary, 'second', { manages: 'all' }),
    'a manager whose session has ended': await sessionCookie(temporary, 'acme', { manages: 'all', isEnded: true }),
    'a holder of a draft link': link,
  }
  for (const [name, cookie] of Object.entries(others)) {
    const visitor = browser({ ask }, cookie)
    const unknown = browser({ ask }, cookie, '/acme/guide/-/nothing')
    const absent = browser({ ask }, cookie, '/acme/ghost/-/manage')
    const same = ({ status, text, headers }: Awaited<ReturnType<typeof visitor.read>>) => [
      status,
      text,
      ...withoutSecret(headers),
    ]
    const page = await visitor.read()
    assert.deepEqual([page.status, ...same(page)], [404, ...same(await unknown.read())], name)
    const [sent, unknownForm] = [await visitor.send(fields), await absent.send(fields)]
    assert.equal(sent.status, 404, name)
    const seen = same({ ...sent, text: sent.text.replaceAll(/guide(?=\/|%2F)/g, 'ghost') })
    assert.deepEqual(seen, same(unknownForm), name)
  }
  assert.equal((await resultOf(temporary.folder, ['history', 'acme/guide'])).length, 1)
})

test('a project that is not published has a page with the size of its draft, and can be published', async () => {
  const temporary = await temporaryStore()
  await temporary.importing('acme', GUIDE)
  const { read, press } = await managing(temporary, { manages: ['guide'] })
  const { text } = await read()
  assert.match(textOf(text), /everything in the draft is new: Pages.2, Colours.0, Type.0, Files.1\./)
  assert.match(text, /<a href="\/acme\/guide\/-\/draft">Open the draft<\/a>/)
  assert.match(textOf(text), /No problems were found in the draft\./)
  assert.equal((await press('publish')).status, 303)
  await unpublish(temporary.store, { workspace: 'acme', project: 'guide' }, new Date())
  assert.match(textOf((await read()).text), /everything in the draft is new.*History.*Restore/)
  assert.match((await press('restore', { sure: 'yes' })).headers.get('location') ?? '', /done=restore/)
})

test('the history compares any two revisions, and links each except the first to what it changed', async () => {
  const temporary = await storeWithDraft()
  await temporary.publish('acme/guide')
  const { ask } = await peopleService(temporary)
  const headers = { cookie: await sessionCookie(temporary, 'acme', { manages: ['guide'] }) }
  const { text } = await ask('/acme/guide/-/manage/history', { headers })
  const links = Array.from(text.matchAll(/href="([^"]*revision[^"]*)">What changed</g), ([, address = '']) => address)
  assert.deepEqual(links, ['/acme/guide/-/manage/revision/2/-/changes'])
  const [, form = '', selects] =
    /<form class="revisions" method="get" action="([^"]*)">([\s\S]*?)<\/form>/.exec(text) ?? []
  const options = [...(selects ?? '').matchAll(/<option value="(\d)"( selected)?/g)].map(
    ([, value, on]) => value + (on ?? ''),
  )
  assert.deepEqual(options, ['2', '1 selected', '2 selected', '1'])
  for (const address of [...links, `${form}?from=1&to=2`])
    assert.match((await ask(address, { headers })).text, /New page/)
})

test('a retracted revision has no button, and its form is refused', async () => {
  const temporary = await storeWithDraft()
  await temporary.publish('acme/guide')
  const { read, send } = await managing(temporary, { manages: ['guide'] })
  const fields = hiddenFields((await read()).text, 'restore')
  await retract(temporary.store, { workspace: 'acme', project: 'guide' }, 1, new Date())
  assert.equal((await send(fields)).status, 422)
  const { text } = await read()
  assert.match(textOf(text), /Revision 1 · withdrawn/)
  assert.doesNotMatch(text, /value="restore"/)
})

test('publishing over an open request for changes shows the request and asks once, and the history says it', async () => {
  const temporary = await storeWithDraft()
  const service = await peopleService(temporary)
  const ask = {
    ...(await seenDraft(temporary.store)),
    answer: 'ask',
    comment: 'Larger <please>',
    reviewer: 'ben',
    who: 'Ben',
    isSignedIn: true,
  } as const
  unwrap(await review(temporary.store, { workspace: 'acme', project: 'guide' }, ask, new Date()))
  const { press, read, send } = browser(
    service,
    await sessionCookie(temporary, 'acme', { name: 'Ada', manages: 'all' }),
  )
  const question = async (reply: Answer) => {
    assert.equal(reply.status, 303)
    const address = new URL(reply.headers.get('location') ?? '', PEOPLE_URL)
    assert.deepEqual([...address.searchParams.keys()], ['asked'])
    return { text: (await read(address.search)).text, search: address.search }
  }
  const asked = await question(await press('publish', { note: 'Fresh colours' }))
  assert.match(asked.text, /role="alert"[^>]*>Somebody asks for changes to this draft/)
  assert.match(asked.text, /Larger &#60;please&#62;/)
  assert.match(asked.text, />Fresh colours<\/textarea>/)
  await question(await send({ ...hiddenFields(asked.text, 'publish'), over: '' }))
  const other = await sessionCookie(temporary, 'acme', { name: 'Eve', manages: 'all', subject: 'eve' })
  assert.doesNotMatch((await browser(service, other).read(asked.search)).text, /Fresh colours|role="alert"/)
  assert.equal((await send(hiddenFields(asked.text, 'publish'))).status, 303)
  assert.doesNotMatch((await read(asked.search)).text, /role="alert"/)
  assert.match(
    (await read('/history')).text + (await read()).text,
    /Published although <bdi>Ben<\/bdi> asked for changes/,
  )
})

test('restoring a revision and ending a link ask once, and the address of an answered question asks no more', async () => {
  const temporary = await storeWithDraft()
  await temporary.publish('acme/guide')
  await resultOf(temporary.folder, ['share', 'acme/guide', '--name', 'Studio'])
  const service = await peopleService(temporary)
  const cookie = await sessionCookie(temporary, 'acme', { manages: 'all' })
  for (const [below, action, question, label] of [
    ['/history', 'restore', /Restoring publishes the content/, 'Restore revision 1'],
    ['/links', 'end-share', /Nobody will be able to open the guide with this link/, 'End Studio'],
  ] as const) {
    const { press, read, send } = browser(service, cookie, `/acme/guide/-/manage${below}`)
    const { search } = new URL((await press(action)).headers.get('location') ?? '', PEOPLE_URL)
    const { text } = await read(search)
    assert.match(/role="alert">([^<]*)/.exec(text)?.[1] ?? '', question)
    assert.ok(text.includes(`class="primary">${label}</button>`))
    assert.match((await send(hiddenFields(text, action))).headers.get('location') ?? '', /done=/)
    assert.doesNotMatch((await read(search)).text, /role="alert"/)
  }
})

test('only the end of a link to the published guide offers to change the addresses of its files', async () => {
  const temporary = await storeWithDraft()
  const { ask, cookie, read, send } = await managing(temporary, { manages: 'all' }, '/acme/guide/-/manage/links')
  const status = async (path: string) => (await ask(path)).status
  const address = async () => {
    const { text } = await ask('/acme/guide/-/files', { headers: { cookie } })
    return /"(\/acme\/guide\/-\/files?\/[^"]+mark[^"]*)"/.exec(text)?.[1] ?? ''
  }
  const seen = await address()
  for (const [kind, isOffered] of [
    [['--draft'], false],
    [[], true],
  ] as const) {
    const { id } = await resultOf(temporary.folder, ['share', 'acme/guide', ...kind])
    const { token = '' } = hiddenFields((await read()).text, 'share')
    const ended = await send({ token, do: 'end-share', id, sure: 'yes' })
    const { text } = await read(new URL(ended.headers.get('location') ?? '', PEOPLE_URL).search)
    assert.match(text, /role="status">The link has ended\./)
    assert.equal(/Addresses of files that people have seen stay open/.test(text), isOffered)
    const button = hiddenFields(text, 'rotate-files')
    assert.equal('token' in button, isOffered)
    assert.equal(await status(seen), 200)
    if (isOffered) assert.equal((await send(button)).status, 303)
  }
  assert.equal(await status(seen), 404)
  assert.equal(await status(await address()), 200)
})

test('a link is made with its address shown once, and listed; one of another guide cannot be ended', async () => {
  const temporary = await storeWithDraft()
  await temporary.publishing('acme/other', { 'other/pages/index.md': '# Other\n' })
  const service = await peopleService(temporary)
  const cookie = await sessionCookie(temporary, 'acme', { manages: ['guide'] })
  const { read, press, send } = browser(service, cookie, '/acme/guide/-/manage/links')
  const fields = { of: 'guide', name: 'Studio <Nord>', expires: '30d' }
  for (const wrong of [{ of: 'all' }, { expires: 'soon' }, { expires: '400d' }, { name: 'x'.repeat(1001) }])
    assert.equal((await press('share', { ...fields, ...wrong })).status, 422)
  const address = new RegExp(`${PEOPLE_URL}(/acme/guide/-/share/[\\w-]{32})`)
  const made = await shownAfter(service, cookie, await press('share', fields))
  assert.equal((await service.ask(address.exec(made)?.[1] ?? '')).status, 303)
  const { text } = await read()
  assert.doesNotMatch(text, address)
  assert.ok(text.includes('Studio &#60;Nord&#62;'))
  const { id } = await resultOf(temporary.folder, ['share', 'acme/other'])
  const { token = '' } = hiddenFields(text, 'share')
  assert.equal((await send({ token, do: 'end-share', id, sure: 'yes' })).status, 422)
  assert.equal((await resultOf(temporary.folder, ['share', 'list', 'acme/other']))[0].revokedAt, null)
})

test('a draft that lacks a review is not published, and the page names who must review it', async () => {
  const temporary = await storeWithDraft()
  await temporary.importing('acme', { 'guide/project.yaml': 'publishing: { reviewers: [eve@acme.example] }\n' })
  const { press, read } = await managing(temporary, { name: 'Ada', manages: 'all' })
  assert.match((await read()).text, /these people must review it: <bdi>eve@acme\.example<\/bdi>/)
  const refused = await press('publish')
  assert.deepEqual([refused.status, /The draft lacks a review/.test(refused.text)], [409, true])
})

test('a manager plans a publication, sees its time, and cancels it', async () => {
  const temporary = await storeWithDraft()
  const { logged, press, read } = await managing(temporary, { name: 'Ada', manages: 'all' })
  for (const at of ['', 'soon', '2020-01-01T09:00', '2999-02-29T09:00'])
    assert.equal((await press('plan', { at })).status, 422, at)
  assert.equal((await press('plan', { at: '2999-01-01T09:00', note: 'Spring' })).status, 303)
  assert.match(
    (await read()).text,
    /<time class="minute" datetime="2999-01-01T09:00:00\.000Z">1 January 2999 at 09:00 UTC<\/time> \(in [\d,]+ days\)\. Planned by.*\n<p><q>Spring<\/q>/,
  )
  assert.equal((await press('cancel-plan')).status, 303)
  const events = logged.filter(line => 'event' in line && String(line.event).startsWith('publication-'))
  const seen = events.map(line => 'event' in line && line.event)
  assert.deepEqual(seen, ['publication-planned', 'publication-cancelled'])
  const cancelled = textOf((await read()).text)
  assert.doesNotMatch(cancelled, /Will be published/)
  assert.match(
    cancelled,
    /Was not published on 1 January 2999 at 09:00 UTC , as Ada had planned\. It was cancelled\. Spring/,
  )
  // Enter in the field of the time presses the first button of its form.
  const planned = await press('publish', { at: '2999-01-01T09:00' })
  assert.deepEqual([planned.status, planned.headers.get('location')], [303, '/acme/guide/-/manage?done=plan'])
  assert.match((await read()).text, /datetime="2999-01-01T09:00:00\.000Z"/)
})

test('a draft that changes ends its planned publication, and the page says why', async () => {
  const temporary = await storeWithDraft()
  const { press, read } = await managing(temporary, { name: 'Ada', manages: 'all' })
  await press('plan', { at: '2999-01-01T09:00' })
  await temporary.importing('acme', { 'guide/pages/index.md': '# Other\n' })
  await publishPlanned(temporary.store, () => undefined)
  assert.match((await read()).text, /UTC<\/time>, as <bdi>Ada<\/bdi> had planned\. The draft has changed since\./)
})

test('a restored revision ends the planned publication, as the page and the history say', async () => {
  const temporary = await storeWithDraft()
  await temporary.publish('acme/guide')
  await temporary.importing('acme', { 'guide/pages/index.md': '# Other\n' })
  const { ask, cookie, press, read } = await managing(temporary, { name: 'Ada', manages: 'all' })
  await press('plan', { at: '2999-01-01T09:00' })
  assert.equal((await press('restore', { revision: '1', sure: 'yes' })).status, 303)
  const ended = /Was not published on .*, as <bdi>Ada<\/bdi> had planned\. A revision was withdrawn since/
  assert.match((await read()).text, ended)
  assert.match((await ask('/acme/guide/-/manage/history', { headers: { cookie } })).text, ended)
})

test('the manage page of a translation counts missing pages and pages that have changed, and says why it cannot be published', async () => {
  const temporary = await temporaryStore()
  await temporary.importing('acme', {
    ...GUIDE,
    'fr/project.yaml': 'lang: fr\ntranslationOf: guide\n',
    'fr/pages/index.md': `---\ntranslated: ${'0'.repeat(32)}\n---\n# Accueil\n`,
  })
  const { read, press } = await managing(temporary, { manages: ['fr'] }, '/acme/fr/-/manage')
  assert.match(
    (await read()).text,
    /Pages de l’original sans traduction : 1\. Pages modifiées depuis leur traduction : 1\./,
  )
  const refused = await press('publish')
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Une traduction est publiée après son original ou avec lui/)
})
