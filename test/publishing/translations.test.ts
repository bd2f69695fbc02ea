import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { unwrap } from '#program/cli/failure.ts'
import { unpublish } from '#publishing/change-project.ts'
import { copyProject } from '#publishing/copy.ts'
import { history, rollback } from '#publishing/history.ts'
import { planPublication, publishPlanned } from '#publishing/plan.ts'
import type { CommandResult } from '#publishing/project-ref.ts'
import { publish, publishAll, publishEvery } from '#publishing/publish.ts'
import { review } from '#publishing/review.ts'
import { projectStates } from '#publishing/status.ts'
import { gc } from '#store/upkeep/gc.ts'
import { testService } from '../support/service.ts'
import { seenDraft, temporaryStore } from '../support/temporary-store.ts'

const ring = (radius: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="${radius}"/></svg>`

const ORIGINAL = {
  'guidelines/project.yaml': 'name: Guidelines\nlang: en\nvisibility: public\n',
  'guidelines/pages/index.md': '# Welcome\n\n[Logo](logo.md)\n',
  'guidelines/pages/logo.md': '# Logo\n',
  'guidelines/styles/colors.yaml': '- { name: Signal, hex: "#c8102e" }\n',
  'guidelines/styles/types.yaml': '- { name: Body, size: 16 }\n',
  'guidelines/files/logo.svg': ring(1),
  'guidelines/files/more/mark.svg': ring(2),
  'guidelines/files/files.yaml': 'logo.svg: { description: Our ring }\nfolders: { more: { title: Marks } }\n',
}

const TRANSLATION = {
  'de/project.yaml': 'name: Richtlinien\nlang: de\nvisibility: public\ntranslationOf: guidelines\n',
  'de/pages/index.md': '# Willkommen\n\n![Ring](../files/logo.svg) [Rot](../styles/colors.yaml#signal)\n',
}

const WORKSPACE = { ...ORIGINAL, ...TRANSLATION }
const place = { workspace: 'acme', project: 'de' }
const original = { workspace: 'acme', project: 'guidelines' }

async function publishedWorkspace(changes = {}) {
  const temporary = await temporaryStore()
  const result = await temporary.importing('acme', { ...WORKSPACE, ...changes })
  assert.ok(result.findings.every(({ rule }) => rule.startsWith('translation-')))
  unwrap(await publishAll(temporary.store, [place, original], {}, new Date()))
  const { ask, follow } = await testService(temporary)
  const { token } = await temporary.issue('acme')
  const get = async (path: string, project = 'de') => {
    await follow()
    return JSON.parse((await ask(`/beta/workspace/acme/project/${project}/${path}`, { token })).text)
  }
  return { ...temporary, ask, get }
}

test('a translation without styles and files has those of its original in its replies, at its own addresses', async () => {
  const { ask, get } = await publishedWorkspace()
  assert.deepEqual((await get('styles')).colors, (await get('styles', 'guidelines')).colors)
  assert.deepEqual((await get('styles')).types, (await get('styles', 'guidelines')).types)
  const [files, originals] = [(await get('files')).files, (await get('files', 'guidelines')).files]
  const withoutUrl = (list: object[]) => list.map(file => ({ ...file, url: '' }))
  assert.deepEqual(withoutUrl(files), withoutUrl(originals))
  assert.match(files[0].url, /\/acme\/de\/-\/files\//)
  assert.equal((await ask(new URL(files[0].url).pathname)).status, 200)
  const { content } = await get('page/index')
  assert.equal(
    content,
    `# Willkommen\n\n![Ring](${files[0].url}) [Rot](${new URL(files[0].url).origin}/acme/de/-/colors#color-signal)\n`,
  )
})

test('what an original publishes is in its translations at once, as a revision of their own', async () => {
  const { store, get, importing } = await publishedWorkspace()
  const before = await get('files')
  await importing('acme', {
    'guidelines/styles/colors.yaml': '- { name: Signal, hex: "#0a7a3c" }\n',
    'guidelines/files/more/mark.svg': ring(3),
    'de/pages/logo.md': '# Logo\n',
  })
  assert.equal((await get('styles')).colors[0].hex, '#c8102e')
  assert.deepEqual(unwrap(await publish(store, original, { who: 'Ada' }, new Date())).translations, ['de'])
  assert.equal((await get('styles')).colors[0].hex, '#0a7a3c')
  assert.equal((await get('pages')).pages.length, 1)
  assert.notDeepEqual(await get('files'), before)
  const [latest] = unwrap(await history(store, place))
  const seen = [latest?.revision, latest?.note, latest?.who]
  assert.deepEqual(seen, [2, 'With the styles and files of guidelines 2', 'Ada'])
  unwrap(await publish(store, place, {}, new Date()))
  assert.equal((await get('pages')).pages.length, 2)
  const states = await projectStates(store, {})
  const statuses = states.map(({ status }) => status)
  assert.deepEqual(statuses, ['UpToDate', 'UpToDate'])
  unwrap(await rollback(store, original, undefined, new Date()))
  assert.equal((await get('styles')).colors[0].hex, '#c8102e')
  unwrap(await rollback(store, place, undefined, new Date()))
  assert.deepEqual([(await get('pages')).pages.length, (await get('styles')).colors[0].hex], [1, '#c8102e'])
})

test('a translation has its own styles by kind, and its own files by path', async () => {
  const { get, store, importing } = await publishedWorkspace({
    'de/styles/types.yaml': '- { name: Text, size: 18 }\n',
    'de/files/logo.svg': ring(4),
  })
  const own = await get('files')
  const others = await get('files', 'guidelines')
  const filenames = own.files.map(({ filename }: { filename: string }) => filename)
  assert.deepEqual(filenames, ['logo.svg', 'mark.svg'])
  assert.notEqual(own.files[0].size, others.files[0].size + 1)
  assert.equal(own.files[0].metadata.description, 'Ring')
  const styles = await get('styles')
  assert.deepEqual([styles.types[0].name, styles.colors[0].name], ['Text', 'Signal'])
  await importing('acme', {
    'guidelines/styles/types.yaml': '- { name: Body, size: 20 }\n',
    'guidelines/files/logo.svg': ring(5),
  })
  unwrap(await publish(store, original, {}, new Date()))
  assert.deepEqual([(await get('styles')).types, (await get('files')).files[0]], [styles.types, own.files[0]])
})

test('a page that links to something its original no longer has is shown with the link as written', async () => {
  const { ask, get, store, importing, folder } = await publishedWorkspace({
    'de/project.yaml': `${TRANSLATION['de/project.yaml']}theme: { accent: signal, logo: files/logo.svg }\n`,
  })
  await importing('acme', { 'guidelines/styles/colors.yaml': '- { name: Ink, hex: "#111111" }\n' })
  await rm(join(folder, 'acme/guidelines/files/logo.svg'))
  await importing('acme', { 'guidelines/files/files.yaml': '' })
  unwrap(await publish(store, original, {}, new Date()))
  assert.match((await get('page/index')).content, /!\[Ring\]\(\.\.\/files\/logo\.svg\)/)
  for (const path of ['', '/-/colors', '/-/files']) assert.equal((await ask(`/acme/de${path}`)).status, 200, path)
})

async function codeOf(outcome: Promise<CommandResult<unknown>>): Promise<string> {
  const result = await outcome
  return result.ok ? 'ok' : result.problem.code
}

test('a translation is published only with its original, and is public only with a public one', async () => {
  const { store, importing } = await temporaryStore()
  await importing('acme', WORKSPACE)
  const now = new Date()
  assert.equal(await codeOf(publish(store, place, {}, now)), 'translation_refused')
  assert.equal(await codeOf(publishAll(store, [place, original], {}, now)), 'ok')
  await importing('acme', {
    'guidelines/project.yaml': 'name: Guidelines\nlang: en\n',
    'de/project.yaml': 'lang: de\ntranslationOf: guidelines\n',
  })
  assert.equal(await codeOf(publish(store, original, {}, now)), 'translation_refused')
  assert.equal(await codeOf(publishAll(store, [original, place], {}, now)), 'ok')
  await importing('acme', ORIGINAL)
  await importing('acme', TRANSLATION)
  assert.equal(await codeOf(publish(store, place, {}, now)), 'translation_refused')
  assert.equal(await codeOf(publish(store, original, {}, now)), 'ok')
  assert.equal(await codeOf(publish(store, place, {}, now)), 'ok')
  unwrap(await unpublish(store, original, now))
  assert.equal((await projectStates(store, place))[0]?.status, 'UpToDate')
})

test('the plan of a translation stays when its original is published', async () => {
  const { store, importing, get } = await publishedWorkspace()
  await importing('acme', {
    'guidelines/styles/colors.yaml': '- { name: Signal, hex: "#0a7a3c" }\n',
    'de/pages/logo.md': '# Logo\n',
  })
  unwrap(await planPublication(store, place, { at: new Date(Date.now() + 60_000), over: 'all' }, new Date()))
  unwrap(await publish(store, original, {}, new Date()))
  await publishPlanned(store, () => undefined)
  const [state] = await projectStates(store, place)
  assert.equal(state?.planned?.reason, undefined)
  assert.equal((await get('pages')).pages.length, 1)
})

test('a translation is complete after gc, and in a copy without its original', async () => {
  const { store, importing } = await publishedWorkspace()
  await importing('acme', { 'guidelines/files/more/mark.svg': ring(3) })
  unwrap(await publish(store, original, {}, new Date()))
  const options = { signal: new AbortController().signal, progress: () => undefined, now: () => new Date() }
  await gc(store, { ...options, keep: { count: 1 }, isDryRun: false, graceMs: 0 })
  unwrap(await copyProject(store, place, { workspace: 'other', project: 'de' }, options))
  const { ask } = await testService({ store })
  for (const workspace of ['acme', 'other']) assert.equal((await ask(`/${workspace}/de/-/files`)).status, 200)
})

test('the status of a translation counts the pages that it lacks, and those that have changed since', async () => {
  const { store, importing } = await publishedWorkspace({
    'de/pages/index.md': `---\ntranslated: ${'0'.repeat(32)}\n---\n# Willkommen\n`,
  })
  const translations = async () => (await projectStates(store, {})).map(({ translation }) => translation)
  assert.deepEqual(await translations(), [{ missing: 1, stale: 1 }, undefined])
  await importing('acme', { 'guidelines/pages/film.md': '# Film\n', 'de/pages/index.md': '# Willkommen\n' })
  assert.deepEqual(await translations(), [{ missing: 2, stale: 0 }, undefined])
  await importing('acme', { 'de/project.yaml': 'lang: de\n' })
  assert.deepEqual(await translations(), [undefined, undefined])
})

test('projects of other workspaces with the same ids do not count, and an approved translation waits for its original', async () => {
  const { store, importing } = await temporaryStore()
  await importing('other', { ...ORIGINAL, 'workspace.yaml': 'id: other\n' })
  const closed = { 'guidelines/project.yaml': 'lang: en\n', 'de/project.yaml': 'lang: de\ntranslationOf: guidelines\n' }
  await importing('acme', { ...WORKSPACE, ...closed, 'workspace.yaml': 'id: acme\n' })
  const now = new Date()
  const together = await publishAll(store, [{ workspace: 'other', project: 'guidelines' }, place], {}, now)
  assert.equal(together.ok ? 'ok' : together.problem.code, 'translation_refused')
  const by = { reviewer: 'ada', who: 'Ada', isSignedIn: true, answer: 'approve', comment: undefined } as const
  const approve = async (project: string) => {
    const ref = { workspace: 'acme', project }
    unwrap(await review(store, ref, { ...by, ...(await seenDraft(store, ref)) }, now))
  }
  const publishApproved = async () => {
    const { published, skipped } = unwrap(await publishEvery(store, { approvers: 'everyone' }, now))
    const reasons = skipped.map(({ problem = 'unapproved' }) => problem.replace(/^.*(?=which is not published)/, ''))
    return [published.map(({ project }) => project), reasons]
  }
  await approve('de')
  const unapproved = 'unapproved'
  assert.deepEqual(await publishApproved(), [[], [unapproved, unapproved, 'which is not published: publish that too']])
  await approve('guidelines')
  assert.deepEqual(await publishApproved(), [['de', 'guidelines'], [unapproved]])
})

test('no rollback and no copy makes a public translation of a private project, or a translation of itself', async () => {
  const { store, importing, get } = await publishedWorkspace()
  const now = new Date()
  const options = { signal: new AbortController().signal, progress: () => undefined, now: () => now }
  const secret = { workspace: 'acme', project: 'secret' }
  await importing('acme', { 'secret/project.yaml': 'lang: en\n', 'secret/pages/index.md': '# Secret\n' })
  unwrap(await publish(store, secret, {}, now))
  assert.equal(await codeOf(copyProject(store, secret, original, options)), 'translation_refused')
  assert.equal(await codeOf(copyProject(store, place, original, options)), 'translation_refused')
  unwrap(await unpublish(store, place, now))
  unwrap(await copyProject(store, secret, original, options))
  assert.equal(await codeOf(rollback(store, place, 1, now)), 'translation_refused')
  unwrap(await unpublish(store, original, now))
  unwrap(await rollback(store, place, 1, now))
  assert.equal((await get('styles')).colors[0].hex, '#c8102e')
})

test('a translation that is published together with its original gets one revision with the changes of both', async () => {
  const { store, importing, get } = await publishedWorkspace()
  await importing('acme', {
    'guidelines/styles/colors.yaml': '- { name: Signal, hex: "#0a7a3c" }\n',
    'de/pages/logo.md': '# Logo\n',
  })
  const { published } = unwrap(await publishEvery(store, { note: 'Both' }, new Date()))
  const seen = published.map(({ project, revision, translations }) => [project, revision, translations])
  assert.deepEqual(seen, [
    ['de', 2, undefined],
    ['guidelines', 2, undefined],
  ])
  const [newest] = unwrap(await history(store, place))
  assert.deepEqual([newest?.revision, newest?.note], [2, 'Both'])
  assert.equal((await get('styles')).colors[0].hex, '#0a7a3c')
  assert.equal((await get('pages')).pages.length, 2)
})
