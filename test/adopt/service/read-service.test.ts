import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import test from 'node:test'
import { parse } from 'yaml'
import { emptyReport, uniqueNames } from '#adopt/report/report.ts'
import { readService } from '#adopt/service/read-service.ts'
import { writeWhole } from '#adopt/write.ts'
import { housestyle } from '../../program/cli/housestyle.ts'
import { localServer } from '../../support/local-server.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
)
const WORKSPACE = '/beta/workspace/Acme%20Inc'
const PROJECT = `${WORKSPACE}/project/Guide%201`
const SIGNAL = new AbortController().signal

/** A service of another maker; the replies may be functions that answer themselves. */
type Answer = object | Handler
type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function fakeService(more: (origin: string) => Record<string, Answer> = () => ({})) {
  const asked: { path: string; token: string | undefined }[] = []
  let replies: Record<string, Answer> = {}
  const { url: origin } = await localServer((request, response) => {
    asked.push({ path: request.url ?? '', token: request.headers.authorization })
    const answer = replies[request.url ?? '']
    if (typeof answer === 'function') return answer(request, response)
    if (!answer) response.statusCode = 404
    response.end(JSON.stringify(answer ?? { error: 'not_found', error_description: 'there is no such thing' }))
  })
  replies = { ...repliesOf(origin), ...more(origin) }
  return { origin, asked }
}

function repliesOf(origin: string): Record<string, Answer> {
  const replies = readFileSync('test/fixtures/other-service.yaml', 'utf8').replaceAll('SERVICE', origin)
  const picture: Handler = (_, response) => void response.end(PNG)
  return { ...parse(replies), '/f/1/mark.png': picture, '/f/2/mark.png': picture }
}

const options = async () => ({
  report: emptyReport(),
  token: 'the-token',
  downloads: await temporaryFolder(),
  label: '',
  takeName: uniqueNames(),
  signal: SIGNAL,
  progress: () => undefined,
})

test('a workspace of another service becomes a brand folder without errors, with everything it replied', async () => {
  const folder = join(await temporaryFolder(), 'acme')
  const service = await fakeService()
  const { report, ...given } = await options()
  const copy = await readService(`${service.origin}${WORKSPACE}`, { report, ...given })
  await writeWhole(folder, copy.files, { signal: SIGNAL })
  writeFileSync(join(folder, 'workspace.yaml'), 'id: acme\n')
  const read = (path: string) => readFileSync(join(folder, 'guide-1', path), 'utf8')
  assert.deepEqual(copy.workspace, { id: 'acme-inc', name: 'Acme' })
  assert.deepEqual(parse(read('project.yaml')), {
    id: 'guide-1',
    name: 'The guide',
    visibility: 'private',
    pages: ['uber-uns-2', 'uber-uns', 'index'],
  })
  assert.equal(
    read('pages/uber-uns-2.md'),
    `---\ntitle: About\nid: uber-uns-2\norder: 1\n---\n\n--- \n![Mark](../files/mark.png) \`${service.origin}/f/1/mark.png\` [home](index.md#top)\n`,
  )
  assert.deepEqual(parse(read('styles/colors.yaml')), [
    { id: 'brand-red-2', name: 'Red', hex: '#ff0000', cmyk: '0, 100, 100, 0', pms: '485 C', ral: 3020 },
    { id: 'brand-red', name: 'Red', hex: '#ff0000' },
    { name: 'Ink', hex: '#101820' },
  ])
  assert.deepEqual(parse(read('files/files.yaml')), {
    'mark.png': { contentType: 'image/png', description: 'Our mark', width: 9 },
    '-x.txt': { contentType: 'text/plain' },
  })
  assert.deepEqual(readFileSync(join(folder, 'guide-1/files/2/mark.png')), PNG)
  const paths = report.leftOut.map(({ path }) => path)
  assert.deepEqual(paths, ['Guide 1/files/gone.pdf', 'Guide 1/files/private.pdf', 'Guide 1/files/nowhere.pdf', 'draft'])
  const values = report.guessed.map(({ value }) => value)
  assert.deepEqual(values, ['guide-1', 'brand-red-2', '-x.txt', 'file-files.yaml', 'uber-uns-2', 'acme-inc'])
  const seen = report.lost.map(({ path, what, detail, text }) => [path, what, detail, text])
  assert.deepEqual(seen, [
    ['Guide 1/files/files.yaml', 'field', 'width', '-1'],
    ['Guide 1/page/uber-uns', 'field', 'more', '1'],
  ])
  const { status, stdout } = await housestyle(['check', folder])
  assert.equal(status, 0, stdout)
})

test('a service that asks to wait is asked again, and one that asks for too long ends the import', async () => {
  let asked = 0
  const limited =
    (field: string): Handler =>
    (_, response) => {
      response.statusCode = asked++ === 0 ? 429 : 200
      response.setHeader('retry-after', field)
      response.end('{"name": "Acme"}')
    }
  const patient = await fakeService(() => ({ [WORKSPACE]: limited('1') }))
  const copy = await readService(`${patient.origin}${WORKSPACE}`, await options())
  assert.equal(copy.workspace.name, 'Acme')
  asked = 0
  const slow = await fakeService(() => ({ [WORKSPACE]: limited('121') }))
  await assert.rejects(
    readService(`${slow.origin}${WORKSPACE}`, await options()),
    /GET .*Acme%20Inc: it asks to wait 121 s/,
  )
})

test('a failed reply ends the import with its request and reason, and the token goes to the service alone', async () => {
  const other = await fakeService()
  const refuse: Handler = (_, response) =>
    void response.writeHead(403).end('{"error": "access_denied", "error_description": "the-token lacks styles.read"}')
  const redirect: Handler = (_, response) =>
    void response.writeHead(302, { location: `${other.origin}/f/1/mark.png` }).end()
  const notJson: Handler = (_, response) => void response.end('<html>')
  for (const [path, answer, why] of [
    [`${PROJECT}/styles`, refuse, /GET .*\/styles: it answered 403: access_denied \(… lacks styles.read\)/],
    [`${PROJECT}/pages`, redirect, /redirects are not followed/],
    [`${PROJECT}/files`, notJson, /\/files: its reply is not JSON/],
  ] as const) {
    const service = await fakeService(() => ({ [path]: answer }))
    await assert.rejects(readService(`${service.origin}${PROJECT}`, await options()), why)
    assert.ok(service.asked.every(({ token }) => token === 'Bearer the-token'))
  }
  assert.deepEqual(other.asked, [])
  await assert.rejects(
    readService('https://brand.example/', await options()),
    /is not the address of a workspace or project/,
  )
})

test('a service needs a token, which is no argument', async () => {
  const { status, stderr } = await housestyle(['init', 'copy', '--from', 'https://brand.example/beta/workspace/acme'])
  assert.equal(status, 1)
  assert.match(stderr, /HOUSESTYLE_FROM_TOKEN_FILE/)
})

test('a name with control characters costs that name alone', async () => {
  const service = await fakeService(() => ({
    [WORKSPACE]: { workspace: 'Acme Inc', name: 'Ac\u0007me' },
    [`${PROJECT}/pages`]: {
      pages: [
        { id: 'index', name: 'Start\u001b[31m' },
        { id: 'uber-uns', name: 'About' },
      ],
    },
  }))
  const asked = await options()
  const { files, workspace } = await readService(`${service.origin}${WORKSPACE}`, asked)
  assert.deepEqual(workspace, { id: 'acme-inc' })
  const pages = files.filter(({ to }) => to.includes('/pages/')).map(({ content }) => String(content).split('\n')[1])
  assert.deepEqual(pages, ['title: index', 'title: About'])
  const lost = asked.report.lost.filter(({ what }) => what === 'a name with control characters')
  const texts = lost.map(({ text }) => text)
  assert.deepEqual(texts, ['Ac\u0007me', 'Start\u001b[31m'])
})

test('all replies and files of a service together have a limit, and each counts as at least 64 KiB', async () => {
  const large: Handler = (_, response) => void response.end(Buffer.alloc(2 ** 20))
  const service = await fakeService(() => ({ '/f/2/mark.png': large }))
  const reading = async (maxSum: number) => {
    const given = await options()
    const ending = await readService(`${service.origin}${WORKSPACE}`, { ...given, maxSum }).then(() => 'read', String)
    const details = given.report.leftOut.flatMap(({ detail = '' }) => detail)
    return { ending, leftOut: details.filter(detail => /4 GiB/.test(detail)) }
  }
  assert.deepEqual(await reading(2 ** 30), { ending: 'read', leftOut: [] })
  const few = await reading(3 * 2 ** 16)
  assert.match(few.ending, /GET .*: the pages and files of the service have more than 4 GiB, or are more than 65,536/)
  const fileSum = await reading(9 * 2 ** 16 + 2 ** 20)
  assert.ok(fileSum.leftOut.length > 0, fileSum.ending)
  assert.match(fileSum.ending, /GET .*\/page\/.*: the pages and files of the service/)
  const given = await options()
  const pages = readService(`${service.origin}${WORKSPACE}`, { ...given, maxReplies: 1000 })
  await assert.rejects(pages, /GET .*: the pages and lists of the service have more than 256 MiB/)
})
